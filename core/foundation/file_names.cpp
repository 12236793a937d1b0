// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/file_names.h"

#include <cstddef>
#include <set>

namespace credence {

namespace {

bool is_kept(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// Non-ASCII letters are dropped: file systems encode them differently.
std::string file_name(const std::string& name)
{
    constexpr std::size_t longest = 60;
    std::string out;
    bool gap = false;
    for (const char given : name) {
        const char c = given >= 'A' && given <= 'Z' ? static_cast<char>(given - 'A' + 'a') : given;
        if (!is_kept(c)) {
            gap = true;
            continue;
        }
        if (gap && !out.empty())
            out += '-';
        gap = false;
        out += c;
        if (out.size() >= longest)
            break;
    }
    return out.empty() ? "run" : out;
}

}   // namespace

std::vector<std::string> distinct_file_names(std::span<const std::string> names)
{
    std::vector<std::string> out;
    std::set<std::string> plain, taken;
    for (const auto& name : names)
        plain.insert(file_name(name));
    for (const auto& name : names) {
        const std::string first = file_name(name);
        std::string free        = first;
        for (int n = 2; taken.contains(free) || (free != first && plain.contains(free)); ++n)
            free = first + "-" + std::to_string(n);
        taken.insert(free);
        out.push_back(free);
    }
    return out;
}

}   // namespace credence
