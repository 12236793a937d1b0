// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

namespace credence {

/// More repeats, for the table in docs/linter.md?
inline bool full()
{
    const char* wanted = std::getenv("CREDENCE_ERROR_RATES");
    return wanted && std::string(wanted) == "full";
}

struct Rate {
    long found = 0, all = 0;
    double share() const { return static_cast<double>(found) / static_cast<double>(all); }
    void add(bool finding)
    {
        found += finding;
        ++all;
    }
};

/// The share of repeats with a finding, each with its own seed.
inline Rate rate_of(long repeats, const std::function<bool(std::uint64_t seed)>& finds)
{
    Rate rate;
    for (long r = 0; r < repeats; ++r)
        rate.add(finds(static_cast<std::uint64_t>(1000 + r)));
    return rate;
}

inline std::string words(const Rate& rate)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << 100 * rate.share() << " % of " << rate.all;
    return text.str();
}

inline void print_row(const std::string& rule, const std::string& null, const Rate& alarms,
                      const std::string& alternative, const Rate& power)
{
    std::cout << "| `" << rule << "` | " << null << " | " << words(alarms) << " | " << alternative << " | "
              << words(power) << " |" << std::endl;
}

/// A bound that a rate of at most `share` exceeds less than once in 10,000 times.
inline double bound_above(double share, long repeats)
{
    return share + 4 * std::sqrt(share / static_cast<double>(repeats));
}

}   // namespace credence
