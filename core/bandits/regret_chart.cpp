// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/regret_chart.h"

#include "foundation/error.h"
#include "foundation/statistics.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace credence {
namespace {

constexpr std::size_t regret_markers = 8;   // along each curve, so that curves can be distinguished without colours

void check_curves(const RegretCurves& curves)
{
    for (const auto& course : curves.cumulative)
        if (course.size() != curves.steps.size())
            throw Error("Regret of \"" + curves.name + "\": a course has " + std::to_string(course.size())
                        + " numbers, expected one for each of " + std::to_string(curves.steps.size()) + " steps.");
}

/// Each course divided by the mean regret of the uniform choice at the end, times 100.
RegretCurves in_percent(RegretCurves curves, const RegretCurves& uniform)
{
    if (uniform.cumulative.size() != curves.cumulative.size())
        throw Error("Relative regret of \"" + curves.name + "\": the uniform choice has "
                    + std::to_string(uniform.cumulative.size()) + " courses, expected "
                    + std::to_string(curves.cumulative.size()) + ", one for each seed.");
    const auto whole = clear_regret_of_uniform(uniform);
    if (!whole)
        throw Error("Relative regret of \"" + curves.name
                    + "\": the regret of the uniform choice is not clearly above 0; use more interactions or seeds.");
    for (auto& course : curves.cumulative)
        for (double& value : course)
            value *= 100 / *whole;
    return curves;
}

struct RegretSpread {
    std::vector<double> x, mean, lower, upper;   // starting with 0
};
RegretSpread spread_of(const RegretCurves& curves)
{
    const auto n = curves.cumulative.size();
    RegretSpread out{{0}, {0}, {0}, {0}};
    for (std::size_t i = 0; i < curves.steps.size() && n > 0; ++i) {
        double sum = 0, least = curves.cumulative[0][i], most = least;
        for (const auto& course : curves.cumulative) {
            sum += course[i];
            least = std::min(least, course[i]);
            most  = std::max(most, course[i]);
        }
        const double mean = sum / static_cast<double>(n);
        double squares    = 0;
        for (const auto& course : curves.cumulative)
            squares += (course[i] - mean) * (course[i] - mean);
        const double sd = n > 1 ? std::sqrt(squares / static_cast<double>(n - 1)) : 0;
        out.x.push_back(static_cast<double>(curves.steps[i]));
        out.mean.push_back(mean);
        out.lower.push_back(n >= 3 ? mean - sd : least);
        out.upper.push_back(n >= 3 ? mean + sd : most);
    }
    return out;
}

Points markers_of(const Line& line)
{
    Points out{.name = line.name, .tone = line.tone, .size = 6};
    const std::size_t n = line.x.size(), most = std::min(n, regret_markers);
    for (std::size_t m = 1; m <= most; ++m) {   // the last point has one
        const std::size_t i = m * n / most - 1;
        out.x.push_back(line.x[i]);
        out.y.push_back(line.y[i]);
    }
    return out;
}

/// "mean over 5 courses; band: mean ± standard deviation".
std::string spread_in_words(std::span<const RegretCurves> curves)
{
    std::set<std::size_t> counts;
    for (const auto& one : curves)
        counts.insert(one.cumulative.size());
    if (counts.empty() || *counts.rbegin() == 0)
        return "no course yet";
    const std::size_t least = *counts.begin(), most = *counts.rbegin();
    std::string out = most == 1 ? "one course"
                      : least == most
                          ? "mean over " + std::to_string(most) + " courses"
                          : "mean over " + std::to_string(least) + " to " + std::to_string(most) + " courses";
    if (most >= 3)
        out += "; band: mean ± standard deviation";
    if (counts.contains(2))
        out += most >= 3 ? ", minimum to maximum for two courses" : "; band: minimum to maximum";
    return out;
}

}   // namespace

std::optional<double> clear_regret_of_uniform(const RegretCurves& uniform)
{
    constexpr double standard_errors = 4;
    std::vector<double> increments;
    for (const auto& course : uniform.cumulative) {
        double before = 0;
        for (const double sum : course)
            increments.push_back(sum - std::exchange(before, sum));
    }
    const auto one = mean_and_sd(increments);
    if (!one || !one->sd || increments.size() != one->n)
        return {};
    const auto n = static_cast<double>(one->n), courses = static_cast<double>(uniform.cumulative.size());
    const double mean = one->mean * n / courses, error = *one->sd * std::sqrt(n) / courses;
    return mean > 0 && mean >= standard_errors * error ? std::optional(mean) : std::nullopt;
}

Chart regret_chart(std::span<const RegretCurves> curves, std::span<const RegretCurves> uniform)
{
    Chart chart{.id = "bandit_regret", .title = "Cumulative regret"};
    if (curves.empty()) {
        chart.message = "No agent is selected. Tick one.";
        return chart;
    }
    if (!uniform.empty() && uniform.size() != curves.size())
        throw Error("Relative regret: the uniform choice is given for " + std::to_string(uniform.size())
                    + " agents, expected " + std::to_string(curves.size()) + ".");
    const bool relative = !uniform.empty();
    Panel panel{.x = {.label = "Interactions"},
                .y = {.label = relative ? "Cumulative regret, uniform choice at the end = 100" : "Cumulative regret"}};
    std::vector<Series> lines;
    for (std::size_t a = 0; a < curves.size(); ++a) {
        check_curves(curves[a]);
        const auto spread = spread_of(relative ? in_percent(curves[a], uniform[a]) : curves[a]);
        const Tone tone   = category(static_cast<int>(a));
        if (curves[a].cumulative.size() > 1)
            panel.series.push_back(
                Band{.x = spread.x, .lower = spread.lower, .upper = spread.upper, .tone = tone, .opacity = 0.18});
        Line line{.name = curves[a].name, .x = spread.x, .y = spread.mean, .tone = tone, .width = 2};
        lines.push_back(markers_of(line));   // first: the legend shows the marker
        lines.push_back(std::move(line));
    }
    for (auto& series : lines)   // above all bands
        panel.series.push_back(std::move(series));
    chart.panels.push_back(std::move(panel));
    chart.caption =
        "Cumulative regret, the oracle's mean reward minus the received reward, summed over the interactions: "
        + spread_in_words(curves) + "."
        + (relative
               ? " Each course is relative to the final mean regret of the uniform choice with the same seeds (100)."
               : "");
    return chart;
}

Chart eaten_chart(std::span<const EatenShares> agents)
{
    Chart chart{.id = "bandit_eaten", .title = "Eaten mushrooms", .columns = 2};
    if (agents.empty()) {
        chart.message = "No agent is selected. Tick one.";
        return chart;
    }
    for (const bool edible : {true, false}) {
        std::size_t parts = 0;
        Panel panel{.title = edible ? "Edible" : "Poisonous",
                    .x     = {.label = "Quarter of the course"},
                    .y     = {.label = "Share eaten", .unit = "%", .range = Range{-3, 103}}};
        for (std::size_t a = 0; a < agents.size(); ++a) {
            const auto& shares = edible ? agents[a].edible : agents[a].poisonous;
            parts              = std::max(parts, shares.size());
            Line line{.name = agents[a].name, .tone = category(static_cast<int>(a))};
            for (std::size_t q = 0; q < shares.size(); ++q)
                if (shares[q]) {
                    line.x.push_back(static_cast<double>(q));
                    line.y.push_back(100 * *shares[q]);
                }
            panel.series.push_back(Points{.name = line.name, .x = line.x, .y = line.y, .tone = line.tone, .size = 7});
            panel.series.push_back(std::move(line));
        }
        for (std::size_t q = 0; q < parts; ++q)
            panel.x.categories.push_back(std::to_string(q + 1));
        chart.panels.push_back(std::move(panel));
    }
    chart.caption = "Share of the edible and of the poisonous mushrooms that were eaten, in each quarter of "
                    "the course. The oracle eats all edible and no poisonous ones.";
    return chart;
}

}   // namespace credence
