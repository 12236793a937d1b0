// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/double_well_ratio.h"

#include "chains/kliep.h"
#include "charts/number_text.h"
#include "figures/double_well_walkers.h"
#include "training/double_well.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace credence::double_well {
namespace {

constexpr double not_known   = std::numeric_limits<double>::quiet_NaN();
constexpr double least_mass  = 1e-6;   // of a bin: the tail of a distant Gaussian is not a visit
constexpr std::size_t fewest = 10;     // draws of each chain

bool near_one_of(const std::vector<double>& sorted, double theta)
{
    const auto above = std::lower_bound(sorted.begin(), sorted.end(), theta - Bins::width);
    return above != sorted.end() && *above <= theta + Bins::width;
}

void add_kliep(ChainRatio& ratio, const std::vector<double>& truth, std::vector<double> chain)
{
    std::sort(chain.begin(), chain.end());
    std::vector<double> reached;
    std::copy_if(truth.begin(), truth.end(), std::back_inserter(reached),
                 [&](double theta) { return near_one_of(chain, theta); });
    ratio.reached = truth.empty() ? 0 : static_cast<double>(reached.size()) / static_cast<double>(truth.size());
    if (chain.size() < fewest || reached.size() < fewest) {
        ratio.why_not = "KLIEP needs " + std::to_string(fewest) + " draws: the chain has "
                        + std::to_string(chain.size()) + ", the long chain near them " + std::to_string(reached.size())
                        + ".";
        return;
    }
    KliepOptions options;
    // Kernels narrower than `reach` would suggest a bound where there is hardly one: near a
    // reference draw slightly outside the draws of a chain that has few.
    for (double width = Bins::width; width < 5; width *= 1.6)
        options.widths.push_back(width);
    options.tolerance      = 5e-3;   // nats: below the sampling error
    options.max_iterations = 300;    // more are needed only for kernels that are too narrow
    const auto estimate    = kliep({reached}, {chain}, options);
    ratio.width            = estimate.width;
    for (int i = 0; i <= 320; ++i) {
        const double theta = -4 + i * 0.025;
        ratio.theta.push_back(theta);
        ratio.kliep.push_back(near_one_of(chain, theta) ? ratio.reached * estimate({&theta, 1}) : not_known);
    }
}

ChainRatio ratio_of(const RatioSamples& samples, const std::vector<double>& draws, const std::vector<double>& bins)
{
    ChainRatio out;
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
        const double q = bins[bin], p = samples.truth_bins[bin];
        const double exact = density(Bins::centre(static_cast<int>(bin))) * Bins::width;
        out.by_long_chain.push_back(q > least_mass && p > 0 ? p / q : not_known);
        out.by_exact.push_back(q > least_mass ? exact / q : not_known);
    }
    add_kliep(out, samples.truth, draws);
    return out;
}

Panel ratio_panel(const std::string& chain, const ChainRatio& ratio, Tone tone)
{
    Panel panel{.title = "truth / " + chain,
                .x     = {.label = "θ", .range = Range{-4, 4}},
                .y     = {.label = "Density ratio p/q", .range = Range{0.05, 20.0}, .logarithmic = true}};
    Line steps{.name = "long chain, by bins", .tone = {Tone::Kind::muted}, .width = 1.5, .steps = true},
        exact{.name = "exact density, by bins", .tone = {Tone::Kind::neutral}, .style = LineStyle::dotted};
    for (int bin = 0; bin < Bins::n; ++bin) {
        steps.x.push_back(Bins::from + bin * Bins::width);
        exact.x.push_back(Bins::centre(bin));
    }
    steps.y      = ratio.by_long_chain;
    exact.y      = ratio.by_exact;
    panel.series = {std::move(steps), std::move(exact),
                    Line{.name = "KLIEP", .x = ratio.theta, .y = ratio.kliep, .tone = tone, .width = 2.5},
                    Rule{.direction = Rule::Direction::horizontal, .at = 1}};
    return panel;
}

std::string words_for(const std::string& chain, const ChainRatio& ratio)
{
    return " " + chain + ": " + percent_text(std::round(1000 * ratio.reached) / 1000)
           + " of the long chain is where it has been"
           + (ratio.why_not.empty() ? "; width of the kernels " + number_text(ratio.width, 2) + "."
                                    : ". " + ratio.why_not);
}

}   // namespace

RatioSamples ratio_samples(const Walk& walk, const LongChain& truth)
{
    constexpr std::size_t of_truth = 1000, of_chains = 4000;
    return {.truth           = thinned(truth.draws, of_truth),
            .plain           = walk.plain_draws(of_chains),
            .functional      = walk.functional_draws(of_chains),
            .truth_bins      = truth.tally.bins(),
            .plain_bins      = walk.plain().bins(),
            .functional_bins = walk.functional().bins(),
            .steps           = walk.steps()};
}

DensityRatios density_ratios(const RatioSamples& samples)
{
    return {ratio_of(samples, samples.plain, samples.plain_bins),
            ratio_of(samples, samples.functional, samples.functional_bins), samples.steps};
}

Chart to_chart(const DensityRatios& ratios)
{
    Chart chart{.id = "double_well_ratio", .title = "Double well: density ratios", .columns = 2};
    chart.panels = {ratio_panel("plain", ratios.plain, plain_tone()),
                    ratio_panel("functional", ratios.functional, functional_tone())};
    chart.caption =
        "Density of the target relative to the chain at θ, after " + std::to_string(ratios.steps)
        + " steps. At 1 the chain is correct; above 1 it visits θ too rarely; without a line it has not been there. "
          "KLIEP (Sugiyama et al. 2008) between draws of the long chain and "
          "of the chain; and the long chain and the exact density divided by the chain, bin by bin."
        + words_for("Plain", ratios.plain) + words_for("Functional", ratios.functional);
    return chart;
}

}   // namespace credence::double_well
