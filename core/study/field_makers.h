// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"
#include "study/fields.h"

#include <utility>

// Helpers for the tables fields_*.cpp: a Field with its texts and access to its value. `where` is a
// generic lambda `[](auto& study) -> auto& { return study.…; }`, used for both reading and writing.
namespace credence::field_makers {

[[noreturn]] void refuse(const Field& field, const FieldValue& found);
void require_in_range(const Field& field, const FieldValue& value);

/// One name of an enum.
template <class E>
struct Option {
    E value;
    FieldChoice choice;
};

inline bool always(const Study&) { return true; }

template <class Read, class Write>
Field finish(Field field, Read read, Write write)
{
    if (!field.applies)
        field.applies = always;
    field.get        = std::move(read);
    auto description = field;   // the setter needs texts, range and getter for its errors
    field.set        = [description, write](Study& study, const FieldValue& value) {
        require_in_range(description, value);
        write(study, value);
    };
    return field;
}

/// Types that a FieldValue holds without conversion.
template <class T>
constexpr bool is_value =
    std::is_same_v<
        T,
        bool> || std::is_same_v<T, double> || std::is_same_v<T, std::string> || std::is_same_v<T, std::vector<double>>;

/// bool, int, long, std::uint64_t, double, std::string, std::vector<int>, std::vector<double>
template <class Where>
Field plain(Field field, Where where)
{
    using Member = std::remove_cvref_t<decltype(where(std::declval<Study&>()))>;
    if constexpr (is_value<Member>) {
        return finish(
            std::move(field), [where](const Study& s) { return FieldValue{where(s)}; },
            [where](Study& s, const FieldValue& v) { where(s) = std::get<Member>(v); });
    } else if constexpr (std::is_same_v<Member, std::vector<int>>) {
        return finish(
            std::move(field),
            [where](const Study& s) { return FieldValue{std::vector<long>(where(s).begin(), where(s).end())}; },
            [where](Study& s, const FieldValue& v) {
            const auto& list = std::get<std::vector<long>>(v);
            where(s).assign(list.begin(), list.end());
            });
    } else {
        static_assert(std::is_integral_v<Member>);
        return finish(
            std::move(field), [where](const Study& s) { return FieldValue{static_cast<long>(where(s))}; },
            [where](Study& s, const FieldValue& v) { where(s) = static_cast<Member>(std::get<long>(v)); });
    }
}

template <class Where, class E>
Field choice(Field field, Where where, std::vector<Option<E>> options)
{
    for (const auto& option : options)
        field.choices.push_back(option.choice);
    return finish(
        std::move(field),
        [where, options](const Study& s) {
        for (const auto& option : options)
            if (option.value == where(s))
                return FieldValue{option.choice.name};
        return FieldValue{std::string{}};
        },
        [where, options](Study& s, const FieldValue& v) {
        for (const auto& option : options)
            if (option.choice.name == std::get<std::string>(v))
                where(s) = option.value;
    });
}

/// A setting of a method, a source or a noise model, stored by its path in PosteriorOptions::own,
/// DataSpec::own or NetworkSpec::own.
/// @param fallback  bool, long, double, std::string or a list of long or double
template <class Value>
Field own(Field field, Value fallback)
{
    const std::string path = field.path;
    const auto kept        = [group = field.group()](auto& s) -> auto&
    {
        return group == "data" ? s.data.own : group == "network" ? s.network.own : s.posterior.own;
    };
    return finish(
        std::move(field),
        [path, fallback, kept](const Study& s) {
        const auto found = kept(s).find(path);
        return found == kept(s).end() ? FieldValue{fallback} : found->second;
        },
        [path, fallback, kept](Study& s, const FieldValue& v) {
        if (v == FieldValue{fallback})
            kept(s).erase(path);   // so that Studies with equal settings compare equal
        else
            kept(s)[path] = v;
    });
}

// Each file fields_*.cpp adds its groups.
void add_data_fields(std::vector<Field>& fields);        // data, split
void add_network_fields(std::vector<Field>& fields);     // network
void add_posterior_fields(std::vector<Field>& fields);   // posterior, prior
void add_training_fields(std::vector<Field>& fields);    // training, prediction
void add_conformal_fields(std::vector<Field>& fields);   // of prediction

}   // namespace credence::field_makers
