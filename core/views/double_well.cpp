// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/double_well.h"

#include "chains/double_well.h"
#include "charts/chart.h"
#include "foundation/error.h"
#include "foundation/progress.h"
#include "foundation/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace credence::double_well {
namespace {

// Colours of the chains in all pictures.
Tone plain_tone() { return category(1); }
Tone functional_tone() { return category(0); }

constexpr double side = 3.6, floor_of_wells = -6.5, ceiling_of_wells = 5;   // limits of the picture of U
constexpr long shadows            = 10;                                     // previous states drawn
constexpr double bell_height      = 2;   // of the peak over E U, in units of the axis
constexpr std::size_t most_traced = 1000;

/// The states before the current one, the latest last.
struct Past {
    long first, last;
};
Past past(const ChainPair& pair, long most) { return {std::max(0L, pair.steps() - most), pair.steps()}; }

Line potential_line()
{
    Line line{.name = "U(θ)", .tone = {Tone::Kind::neutral}, .width = 2};
    for (int i = 0; i <= 240; ++i) {
        const double theta = side * (i / 120.0 - 1);
        line.x.push_back(theta);
        line.y.push_back(potential(theta));
    }
    return line;
}

struct Bell {
    double base;
    std::vector<double> x, y;
};
Bell bell_of(const GaussianState& state)
{
    Bell out{expected_potential(state.mu, state.sd).value, {}, {}};
    for (int i = -30; i <= 30; ++i) {
        const double z = i / 10.0;
        out.x.push_back(state.mu + z * state.sd);
        out.y.push_back(out.base + bell_height * std::exp(-0.5 * z * z));
    }
    return out;
}

void add_functional(Panel& panel, const ChainPair& pair)
{
    const auto& states       = pair.gaussians();
    const auto [first, last] = past(pair, shadows);
    for (long i = last - shadows; i < last; ++i) {   // always this many, so that the number of lines is constant
        Line shadow{.tone = functional_tone(), .width = 1, .opacity = 0.3};
        if (i >= first) {
            auto bell = bell_of(states[static_cast<std::size_t>(i)]);
            shadow.x  = std::move(bell.x);
            shadow.y  = std::move(bell.y);
        }
        panel.series.push_back(std::move(shadow));
    }
    const auto& now = states.back();
    const auto bell = bell_of(now);
    panel.series.push_back(
        Band{.x = bell.x, .lower = std::vector(bell.x.size(), bell.base), .upper = bell.y, .tone = functional_tone()});
    panel.series.push_back(
        Line{.name = "functional: N(μ, s²)", .x = bell.x, .y = bell.y, .tone = functional_tone(), .width = 2});
    panel.series.push_back(Line{.name  = "μ ± s",
                                .x     = {now.mu - now.sd, now.mu + now.sd},
                                .y     = {bell.base, bell.base},
                                .tone  = functional_tone(),
                                .width = 4});
    panel.series.push_back(
        Points{.x = {now.mu}, .y = {bell.base}, .tone = functional_tone(), .marker = Marker::diamond, .size = 9});
}

void add_point(Panel& panel, const ChainPair& pair)
{
    Points shadow{.tone = plain_tone(), .marker = Marker::circle, .size = 6, .filled = false};
    const auto [first, last] = past(pair, shadows);
    for (long i = first; i < last; ++i) {
        const double theta = pair.points()[static_cast<std::size_t>(i)];
        shadow.x.push_back(theta);
        shadow.y.push_back(potential(theta));
    }
    panel.series.push_back(std::move(shadow));
    const double theta = pair.points().back();
    panel.series.push_back(Points{.name   = "plain: θ",
                                  .x      = {theta},
                                  .y      = {potential(theta)},
                                  .tone   = plain_tone(),
                                  .marker = Marker::circle,
                                  .size   = 11});
}

struct Landscape {
    HeatMap map;
    double lowest;
};
const Landscape& landscape()
{
    static const Landscape made = [] {
        constexpr double above = 8;   // range of the colours, nats
        HeatMap map{
            .name = "F = E U − entropy", .unit = "nats", .nx = 71, .ny = 42, .x = {-3.5, 3.5}, .y = {0.1, 2.15}};
        double lowest = std::numeric_limits<double>::infinity();
        for (int row = 0; row < map.ny; ++row)
            for (int column = 0; column < map.nx; ++column) {
                const double F = free_energy(-3.5 + 0.1 * column, 0.1 + 0.05 * row).value;
                lowest         = std::min(lowest, F);
                map.z.push_back(static_cast<float>(F));
            }
        map.z_range = {lowest, lowest + above};
        for (float& z : map.z)
            z = std::min(z, static_cast<float>(lowest + above));
        map.contours = {lowest + functional_barrier()};
        return Landscape{map, lowest};
    }();
    return made;
}

Panel landscape_panel(const ChainPair& pair)
{
    Panel panel{.title = "Free energy of the functional",
                .x     = {.label = "μ", .range = Range{-3.5, 3.5}},
                .y     = {.label = "s", .range = Range{0.075, 2.175}}};
    panel.series.push_back(landscape().map);
    Line trail{.name = "last states", .tone = {Tone::Kind::neutral}, .width = 1, .halo = true};
    const auto [first, last] = past(pair, 20 * shadows);
    for (long i = first; i <= last; ++i) {
        const auto& [mu, sd] = pair.gaussians()[static_cast<std::size_t>(i)];
        trail.x.push_back(mu);
        trail.y.push_back(sd);
    }
    const auto& now = pair.gaussians().back();
    panel.series.push_back(std::move(trail));
    panel.series.push_back(Points{.name   = "(μ, s)",
                                  .x      = {now.mu},
                                  .y      = {now.sd},
                                  .tone   = {Tone::Kind::accent},
                                  .marker = Marker::diamond,
                                  .size   = 10});
    return panel;
}

/// The outline of a histogram of probabilities.
Line outline(const std::string& name, const std::vector<double>& mass, Tone tone, LineStyle style)
{
    Line line{.name = name, .tone = tone, .style = style, .width = 2, .steps = true};
    for (int bin = 0; bin <= Bins::n; ++bin) {
        line.x.push_back(Bins::from + bin * Bins::width);
        line.y.push_back(bin < Bins::n ? mass[static_cast<std::size_t>(bin)] / Bins::width : 0);
    }
    return line;
}

Cell cell(const std::optional<double>& value) { return value ? Cell(*value) : Cell(std::string("–")); }

Cell steps_each(long steps, long crossings)
{
    return crossings ? Cell((steps + crossings / 2) / crossings) : cell({});   // rounded
}

constexpr double not_known   = std::numeric_limits<double>::quiet_NaN();
constexpr double least_mass  = 1e-6;   // of a bin: the tail of a distant Gaussian is not a visit
constexpr std::size_t fewest = 10;     // draws of each chain

bool near_one_of(const std::vector<double>& sorted, double theta)
{
    const auto above = std::lower_bound(sorted.begin(), sorted.end(), theta - Bins::width);
    return above != sorted.end() && *above <= theta + Bins::width;
}

void add_kliep(ChainRatio& ratio, const std::vector<double>& reference, std::vector<double> chain)
{
    std::sort(chain.begin(), chain.end());
    std::vector<double> reached;
    std::copy_if(reference.begin(), reference.end(), std::back_inserter(reached),
                 [&](double theta) { return near_one_of(chain, theta); });
    ratio.reached = reference.empty() ? 0 : static_cast<double>(reached.size()) / static_cast<double>(reference.size());
    if (chain.size() < fewest || reached.size() < fewest) {
        ratio.why_not = "KLIEP needs " + std::to_string(fewest) + " draws: the chain has "
                        + std::to_string(chain.size()) + ", the long chain near them " + std::to_string(reached.size())
                        + ".";
        return;
    }
    KliepOptions options;
    // Where a chain has few draws, kernels narrower than `reach` would suggest a bound for the
    // ratio near a reference draw slightly outside the chain's draws.
    for (double width = Bins::width; width < 5; width *= 1.6)
        options.widths.push_back(width);
    options.tolerance      = 5e-3;   // nats: smaller than the sampling error
    options.max_iterations = 300;    // only kernels that are too narrow need more
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
        const double q = bins[bin], p = samples.reference_bins[bin];
        const double exact = density(Bins::centre(static_cast<int>(bin))) * Bins::width;
        out.by_long_chain.push_back(q > least_mass && p > 0 ? p / q : not_known);
        out.by_exact.push_back(q > least_mass ? exact / q : not_known);
    }
    add_kliep(out, samples.reference, draws);
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
           + " of the long chain is where this chain has been"
           + (ratio.why_not.empty() ? "; width of the kernels " + number_text(ratio.width, 2) + "."
                                    : ". " + ratio.why_not);
}

}   // namespace

Chart chain_pair_chart(const ChainPair& pair)
{
    Chart chart{.id = "double_well_walkers", .title = "Double well: the two chains", .columns = 2};
    Panel wells{.title = "Step " + std::to_string(pair.steps()),
                .x     = {.label = "θ", .range = Range{-side, side}},
                .y     = {.label = "Potential U", .unit = "nats", .range = Range{floor_of_wells, ceiling_of_wells}}};
    wells.series.push_back(potential_line());
    add_functional(wells, pair);
    add_point(wells, pair);
    chart.panels        = {std::move(wells), landscape_panel(pair)};
    const auto& options = pair.options();
    chart.caption =
        "U(θ) = −2θ² + 0.2θ⁴ with the state of a plain chain over θ and of a chain over Gaussians N(μ, s²) after "
        + std::to_string(pair.steps()) + " steps of HMC with step size " + number_text(options.step_size, 4)
        + ", momentum " + number_text(options.momentum, 4) + ", temperature " + number_text(options.temperature, 4)
        + ", seed " + std::to_string(options.seed)
        + "; faint: the ten previous states. The bell is drawn at its expected potential E U; its height has no "
          "unit. Right: the free energy over (μ, s), with the line at "
          "the height of its saddle, "
        + number_text(functional_barrier(), 3) + " nats above the wells; the plain chain must climb "
        + number_text(barrier(), 3) + " nats. Adapted from the functional-BNN submission, Fig. 1.";
    return chart;
}

Chart trace_chart(const ChainPair& pair)
{
    Panel panel{.x = {.label = "Step"}, .y = {.label = "θ", .range = Range{-4, 4}}};
    Line plain{.name = "plain: θ", .tone = plain_tone(), .width = 1},
        mean{.name = "functional: μ", .tone = functional_tone()};
    Band spread{.name = "μ ± s", .tone = functional_tone()};
    const auto n      = pair.points().size();
    const auto stride = (n + most_traced - 1) / most_traced;
    for (std::size_t i = 0; i < n; i += stride) {
        const auto& [mu, sd] = pair.gaussians()[i];
        for (auto* x : {&plain.x, &mean.x, &spread.x})
            x->push_back(static_cast<double>(i));
        plain.y.push_back(pair.points()[i]);
        mean.y.push_back(mu);
        spread.lower.push_back(mu - sd);
        spread.upper.push_back(mu + sd);
    }
    panel.series = {std::move(spread), std::move(plain), std::move(mean)};
    for (const double well : {-std::sqrt(5.0), std::sqrt(5.0)})
        panel.series.push_back(Rule{.direction = Rule::Direction::horizontal, .at = well});
    Chart chart{.id = "double_well_trace", .title = "Double well: traces", .panels = {std::move(panel)}};
    chart.caption = "Plain chain and Gaussian of the functional chain; dashed: the wells at ±√5.";
    if (stride > 1)
        chart.caption += " One in " + std::to_string(stride) + " states is drawn.";
    return chart;
}

Chart density_chart(const ChainPair& pair, const LongChain& reference)
{
    Panel panel{.x = {.label = "θ", .range = Range{-4, 4}}, .y = {.label = "Density", .range = Range{0.0, 1.0}}};
    Bars bars{.name = "long chain", .width = Bins::width, .tone = {Tone::Kind::muted}, .opacity = 0.4};
    const auto long_mass = reference.tally.bins();
    for (int bin = 0; bin < Bins::n; ++bin) {
        bars.position.push_back(Bins::centre(bin));
        bars.height.push_back(long_mass[static_cast<std::size_t>(bin)] / Bins::width);
    }
    Line exact{.name = "exact", .tone = {Tone::Kind::neutral}, .style = LineStyle::dashed, .width = 1.5};
    for (int i = 0; i <= 320; ++i) {
        exact.x.push_back(-4 + i * 0.025);
        exact.y.push_back(density(exact.x.back()));
    }
    panel.series = {std::move(bars), outline("plain", pair.plain().bins(), plain_tone(), LineStyle::solid),
                    outline("functional", pair.functional().bins(), functional_tone(), LineStyle::solid),
                    std::move(exact)};
    Chart chart{.id = "double_well_density", .title = "Double well: densities", .panels = {std::move(panel)}};
    chart.caption = "Exact: exp(−U)/∫exp(−U) by quadrature. Long chain: " + std::to_string(reference.draws.size())
                    + " draws, one every " + std::to_string(reference.options.every)
                    + " steps. Plain and functional: all states of the " + std::to_string(pair.steps())
                    + " steps so far; for the functional chain the mean of their densities.";
    return chart;
}

Chart numbers_chart(const ChainPair& pair, const LongChain& reference)
{
    Table table{.columns = {{"Of θ"}, {"Exact", "", 3}, {"Long chain", "", 3}, {"Plain", "", 3}, {"Functional", "", 3}},
                .rows    = {}};
    const auto &plain = pair.plain(), &functional = pair.functional();
    const long steps = pair.steps();
    table.rows.push_back(
        {std::string("Mean"), 0.0, cell(reference.tally.mean()), cell(plain.mean()), cell(functional.mean())});
    table.rows.push_back({std::string("Variance"), variance(), cell(reference.tally.variance()), cell(plain.variance()),
                          cell(functional.variance())});
    table.rows.push_back({std::string("Share on the right"), 0.5, cell(reference.tally.right_share()),
                          cell(plain.right_share()), cell(functional.right_share())});
    table.rows.push_back(
        {std::string("Crossings"), cell({}), reference.crossings, pair.plain_crossings(), pair.functional_crossings()});
    table.rows.push_back({std::string("Steps per crossing"), cell({}),
                          steps_each(reference.options.steps, reference.crossings),
                          steps_each(steps, pair.plain_crossings()), steps_each(steps, pair.functional_crossings())});
    table.rows.push_back({std::string("Barrier, nats"), cell({}), barrier(), barrier(), functional_barrier()});
    Chart chart{.id = "double_well_numbers", .title = "Double well: numbers"};
    chart.table   = std::move(table);
    chart.caption = "The distribution exp(−U)/∫exp(−U) by quadrature, the long chain of "
                    + std::to_string(reference.options.steps) + " steps, and the plain and the functional chain after "
                    + std::to_string(steps) + " steps.";
    return chart;
}

RatioSamples ratio_samples(const ChainPair& pair, const LongChain& reference)
{
    constexpr std::size_t of_reference = 1000, of_chains = 4000;
    return {.reference       = thinned(reference.draws, of_reference),
            .plain           = pair.plain_draws(of_chains),
            .functional      = pair.functional_draws(of_chains),
            .reference_bins  = reference.tally.bins(),
            .plain_bins      = pair.plain().bins(),
            .functional_bins = pair.functional().bins(),
            .steps           = pair.steps()};
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
        + " steps. At 1 the chain is correct; above 1 it visits θ too rarely; where there is no line, it has not "
          "been there. KLIEP (Sugiyama et al. 2008) between draws of the long chain and of the chain; and the "
          "long chain and the exact density divided by the chain, bin by bin."
        + words_for("Plain", ratios.plain) + words_for("Functional", ratios.functional);
    return chart;
}

namespace {

/// KLIEP's estimate at the nearest position at which it is tabulated; NaN if there is none.
double kliep_at(const ChainRatio& ratio, double theta)
{
    const auto above = std::lower_bound(ratio.theta.begin(), ratio.theta.end(), theta);
    if (above == ratio.theta.end())
        return not_known;
    auto at = above - ratio.theta.begin();
    at -= at > 0 && theta - *(above - 1) < *above - theta;
    return ratio.kliep[static_cast<std::size_t>(at)];
}

void add_chain(ChainsOverSeeds::OfChain& chain, const ChainRatio& ratio, const Tally& tally, long crossings)
{
    const std::array places{-std::sqrt(5.0), 0.0, std::sqrt(5.0)};
    for (std::size_t i = 0; i < places.size(); ++i)
        if (const double estimate = kliep_at(ratio, places[i]); std::isfinite(estimate))
            chain.kliep[i].push_back(estimate);
    const double right = tally.right_share().value_or(0.5);
    chain.larger_share.push_back(std::max(right, 1 - right));
    chain.crossings.push_back(static_cast<double>(crossings));
}

}   // namespace

ChainsOverSeeds chains_over_seeds(const ChainPairOptions& options, long steps, int seeds, LongChainOptions reference)
{
    ChainsOverSeeds out{.plain = {}, .functional = {}, .options = options, .steps = steps, .seeds = seeds};
    for (int i = 0; i < seeds; ++i) {
        report_share(static_cast<double>(i) / seeds);
        ChainPairOptions one = options;
        one.seed += static_cast<std::uint64_t>(i);
        ChainPair pair(one);
        try {
            pair.advance(steps);
        } catch (const Error&) {   // the step size is too large for this seed
            ++out.diverged;
            continue;
        }
        reference.seed    = one.seed;
        const auto ratios = density_ratios(ratio_samples(pair, long_chain(reference)));
        add_chain(out.plain, ratios.plain, pair.plain(), pair.plain_crossings());
        add_chain(out.functional, ratios.functional, pair.functional(), pair.functional_crossings());
    }
    return out;
}

Chart numbers_chart(const ChainsOverSeeds& over_seeds)
{
    Table table{.columns = {{"Chain"},
                            {"Quantity"},
                            {"Chains"},
                            {"Lower quartile", "", 3},
                            {"Median", "", 3},
                            {"Upper quartile", "", 3}},
                .rows    = {}};
    const auto row = [&](const char* chain, const char* quantity, const std::vector<double>& values) {
        const auto at = [&](double p) { return values.empty() ? cell({}) : Cell(quantile(values, p)); };
        table.rows.push_back(
            {std::string(chain), std::string(quantity), static_cast<long>(values.size()), at(0.25), at(0.5), at(0.75)});
    };
    for (const auto& [name, chain] :
         {std::pair{"plain", &over_seeds.plain}, std::pair{"functional", &over_seeds.functional}}) {
        row(name, "KLIEP ratio at −√5", chain->kliep[0]);
        row(name, "KLIEP ratio at 0", chain->kliep[1]);
        row(name, "KLIEP ratio at √5", chain->kliep[2]);
        row(name, "Larger share on one side", chain->larger_share);
        row(name, "Crossings", chain->crossings);
    }
    const auto first = over_seeds.options.seed;
    Chart chart{.id = "double_well_seeds", .title = "Double well: seeds"};
    chart.table = std::move(table);
    chart.caption =
        "Seeds " + std::to_string(first) + " to "
        + std::to_string(first + static_cast<std::uint64_t>(over_seeds.seeds) - 1) + ", "
        + std::to_string(over_seeds.steps) + " steps of size " + number_text(over_seeds.options.step_size, 4)
        + ". Each chain is compared with a long chain of the same seed; a ratio of 1 is correct. Chains: those "
          "with a state near that position. Diverged and left out: "
        + std::to_string(over_seeds.diverged) + ".";
    return chart;
}

}   // namespace credence::double_well
