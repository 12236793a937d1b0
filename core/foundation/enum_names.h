// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"
#include "foundation/text.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace credence {

/// The names of the values of an enum, as used in files and on the command line.
///
///     constexpr EnumNames<Fruit, 2> fruits{{{Fruit::apple, "apple"}, {Fruit::pear, "pear"}}};
template <class Enum, std::size_t N>
struct EnumNames {
    struct Entry {
        Enum value;
        const char* name;
    };
    Entry entries[N];

    constexpr const Entry* begin() const { return entries; }
    constexpr const Entry* end() const { return entries + N; }

    /// "" if the value has no name.
    constexpr const char* name_of(Enum wanted) const
    {
        for (const auto& [value, name] : entries)
            if (value == wanted)
                return name;
        return "";
    }
    constexpr std::optional<Enum> find(std::string_view wanted) const
    {
        for (const auto& [value, name] : entries)
            if (wanted == name)
                return value;
        return {};
    }
    /// "apple, pear"
    std::string list() const { return joined(entries, &Entry::name); }
    /// @param what    the named thing, for the error, e.g. "The fruit"
    /// @throws Error  "The fruit is "fig", expected one of apple, pear."
    Enum value_of(std::string_view wanted, const std::string& what) const
    {
        if (const auto found = find(wanted))
            return *found;
        throw Error(what + " is \"" + one_line(wanted, 80) + "\", expected one of " + list() + ".");
    }
};

}   // namespace credence
