// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/options.h"

#include "foundation/error.h"
#include "foundation/number_text.h"

#include <cmath>

namespace credence {
namespace {

double of_block(const std::vector<double>& list, std::size_t block)
{
    if (block < list.size())
        return list[block];
    const std::size_t last = list.size() - 1;
    return list[last > 0 && (last - block) % 2 != 0 ? last - 1 : last];   // weights and biases alternate
}

[[noreturn]] void refuse(const std::string& field, const std::string& found, const std::string& expected)
{
    throw Error("posterior." + field, "posterior." + field + " is " + found + ", expected " + expected + ".");
}

void check_list(const std::string& field, const std::vector<double>& list, const ParameterLayout& layout,
                bool (*fits)(double), const std::string& expected)
{
    if (list.size() > layout.blocks.size())
        refuse(field, "a list of " + std::to_string(list.size()) + " values",
               "at most " + std::to_string(layout.blocks.size()) + ", one for each block of weights or biases");
    for (std::size_t b = 0; b < list.size(); ++b)
        if (!fits(list[b]))
            refuse(field, number_text(list[b], 6) + " for block \"" + layout.blocks[b].name + "\"", expected);
}

}   // namespace

double initial_tau(const PosteriorOptions& options, std::size_t block)
{
    static const std::vector<double> usual{0.4, 0.1};
    return of_block(options.initial_tau.empty() ? usual : options.initial_tau, block);
}

double initial_rho(const PosteriorOptions& options, std::size_t block)
{
    static const std::vector<double> usual{0.01};
    return of_block(options.initial_rho.empty() ? usual : options.initial_rho, block);
}

void require_initial_sd(const PosteriorOptions& options)
{
    if (!(options.initial_sd >= 1e-30 && options.initial_sd <= 1e6))
        refuse("initial_sd", number_text(options.initial_sd, 6), "a number in [1e-30, 1e6]");
}

void require_dropout_rate(double rate)
{
    if (!(rate >= 0 && rate < 1))
        refuse("dropout_rate", number_text(rate, 6), "a number in [0, 1)");
}

void require_initial_tau(const PosteriorOptions& options, const ParameterLayout& layout)
{
    check_list(
        "initial_tau", options.initial_tau, layout, [](double v) { return v > 0 && v <= 1e6; }, "a number in (0, 1e6]");
}

void require_initial_rho(const PosteriorOptions& options, const ParameterLayout& layout)
{
    check_list(
        "initial_rho", options.initial_rho, layout, [](double v) { return v > -0.5 && v < 0.5; },
        "a number in (-0.5, 0.5)");
}

}   // namespace credence
