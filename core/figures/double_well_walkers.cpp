// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/double_well_walkers.h"

#include "charts/number_text.h"
#include "training/double_well.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace credence::double_well {
namespace {

constexpr double side = 3.6, floor_of_wells = -6.5, ceiling_of_wells = 5;   // limits of the picture of U
constexpr long shadows            = 10;                                     // previous states drawn
constexpr double bell_height      = 2;   // of the peak over E U, in units of the axis
constexpr std::size_t most_traced = 1000;

/// The states before the current one, the latest last.
struct Past {
    long first, last;
};
Past past(const Walk& walk, long most) { return {std::max(0L, walk.steps() - most), walk.steps()}; }

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

void add_functional(Panel& panel, const Walk& walk)
{
    const auto& states       = walk.gaussians();
    const auto [first, last] = past(walk, shadows);
    for (long i = last - shadows; i < last; ++i) {   // the same number of lines at every step
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

void add_point(Panel& panel, const Walk& walk)
{
    Points shadow{.tone = plain_tone(), .marker = Marker::circle, .size = 6, .filled = false};
    const auto [first, last] = past(walk, shadows);
    for (long i = first; i < last; ++i) {
        const double theta = walk.points()[static_cast<std::size_t>(i)];
        shadow.x.push_back(theta);
        shadow.y.push_back(potential(theta));
    }
    panel.series.push_back(std::move(shadow));
    const double theta = walk.points().back();
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

Panel landscape_panel(const Walk& walk)
{
    Panel panel{.title = "Free energy of the functional",
                .x     = {.label = "μ", .range = Range{-3.5, 3.5}},
                .y     = {.label = "s", .range = Range{0.075, 2.175}}};
    panel.series.push_back(landscape().map);
    Line trail{.name = "last states", .tone = {Tone::Kind::neutral}, .width = 1, .halo = true};
    const auto [first, last] = past(walk, 20 * shadows);
    for (long i = first; i <= last; ++i) {
        const auto& [mu, sd] = walk.gaussians()[static_cast<std::size_t>(i)];
        trail.x.push_back(mu);
        trail.y.push_back(sd);
    }
    const auto& now = walk.gaussians().back();
    panel.series.push_back(std::move(trail));
    panel.series.push_back(Points{.name   = "(μ, s)",
                                  .x      = {now.mu},
                                  .y      = {now.sd},
                                  .tone   = {Tone::Kind::accent},
                                  .marker = Marker::diamond,
                                  .size   = 10});
    return panel;
}

}   // namespace

Chart walkers_chart(const Walk& walk)
{
    Chart chart{.id = "double_well_walkers", .title = "Double well: the two chains", .columns = 2};
    Panel wells{.title = "Step " + std::to_string(walk.steps()),
                .x     = {.label = "θ", .range = Range{-side, side}},
                .y     = {.label = "Potential U", .unit = "nats", .range = Range{floor_of_wells, ceiling_of_wells}}};
    wells.series.push_back(potential_line());
    add_functional(wells, walk);
    add_point(wells, walk);
    chart.panels        = {std::move(wells), landscape_panel(walk)};
    const auto& options = walk.options();
    chart.caption =
        "U = −2θ² + 0.2θ⁴ with the state of a plain chain over θ and of a chain over Gaussians N(μ, s²) after "
        + std::to_string(walk.steps()) + " steps of HMC with step size " + number_text(options.step_size, 4)
        + ", momentum " + number_text(options.momentum, 4) + ", temperature " + number_text(options.temperature, 4)
        + ", seed " + std::to_string(options.seed)
        + "; faint: the ten previous states. The bell is drawn at its expected potential E U; its height has no "
          "unit. Right: the free energy over (μ, s), with the line at "
          "the height of its saddle, "
        + number_text(functional_barrier(), 3) + " nats above the wells; the plain chain must climb "
        + number_text(barrier(), 3) + " nats. Adapted from the functional-BNN submission, Fig. 1.";
    return chart;
}

Chart trace_chart(const Walk& walk)
{
    Panel panel{.x = {.label = "Step"}, .y = {.label = "θ", .range = Range{-4, 4}}};
    Line plain{.name = "plain: θ", .tone = plain_tone(), .width = 1},
        mean{.name = "functional: μ", .tone = functional_tone()};
    Band spread{.name = "μ ± s", .tone = functional_tone()};
    const auto n      = walk.points().size();
    const auto stride = (n + most_traced - 1) / most_traced;
    for (std::size_t i = 0; i < n; i += stride) {
        const auto& [mu, sd] = walk.gaussians()[i];
        for (auto* x : {&plain.x, &mean.x, &spread.x})
            x->push_back(static_cast<double>(i));
        plain.y.push_back(walk.points()[i]);
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

}   // namespace credence::double_well
