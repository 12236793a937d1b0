// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/true_posterior.h"

#include "views/truth_distance.h"
#include "views/view_support.h"

#include <algorithm>
#include <array>

namespace credence::view_support {

namespace {

constexpr std::array true_methods{"nuts", "hmc"};   // the better one first

}   // namespace

std::optional<std::size_t> truth_among(std::span<const RunSnapshot> runs)
{
    for (const auto* const method : true_methods)
        for (std::size_t r = 0; r < runs.size(); ++r)
            if (runs[r].experiment->study.posterior.family == method)
                return r;
    return {};
}

std::optional<std::string> why_no_truth(const Experiment& experiment)
{
    if (std::find(true_methods.begin(), true_methods.end(), experiment.study.posterior.family) != true_methods.end())
        return {};
    return "Only draws of NUTS or HMC can serve as the reference posterior. Show such a run, and tick others to "
           "compare with it.";
}

std::string why_not_compared(std::span<const RunSnapshot> runs, std::optional<std::size_t> truth)
{
    if (runs.empty())
        return "No run is selected. Tick a NUTS or HMC run, and the runs to compare with it.";
    if (!truth)
        return "None of the ticked runs is a NUTS or HMC run, whose draws serve as the reference posterior. Tick "
               "one of these as well.";
    const auto names = names_of(runs);
    for (std::size_t r = 0; r < runs.size(); ++r)
        if (!same_data(*runs[r].experiment, *runs[*truth].experiment))
            return "Run \"" + names[r] + "\" has different data from \"" + names[*truth]
                   + "\", the reference posterior. Tick runs on the same data.";
    return {};
}

}   // namespace credence::view_support
