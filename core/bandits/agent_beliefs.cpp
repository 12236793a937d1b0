// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/agent_beliefs.h"

#include "charts/boxplots.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/statistics.h"

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

/// The number of samples on which the decision is based.
std::size_t deciding_draws(const BanditDecision& decision)
{
    const auto n = decision.eat.size();
    return decision.deciding <= 0 ? n : std::min(n, static_cast<std::size_t>(decision.deciding));
}

std::string caption_of(const BanditDecision& decision)
{
    const auto n = decision.eat.size(), deciding = deciding_draws(decision);
    std::string out =
        decision.agent + ": "
        + (n == 1 ? "the reward that its network predicts for both actions. The network has no noise, so each box is a "
                    "line."
                  : std::to_string(n)
                        + " samples of the predicted reward of both actions: median, quartiles (type 7), whiskers "
                          "at 1.5 interquartile ranges, outliers.");
    if (deciding < n)
        out += deciding == 1 ? " The first sample decides alone."
                             : " The first " + std::to_string(deciding) + " samples decide, by their mean.";
    if (decision.by_chance > 0)
        out += " In " + percent_text(decision.by_chance) + " of the interactions a fair coin decides instead.";
    return out;
}

std::vector<float> belief_values(const BeliefMap& map, BeliefQuantity quantity)
{
    const auto cells = static_cast<std::size_t>(map.grid.nx) * static_cast<std::size_t>(map.grid.ny);
    const auto check = [cells](const std::vector<double>& values) {
        if (values.size() != cells)
            throw Error("Belief map: " + std::to_string(values.size()) + " numbers for " + std::to_string(cells)
                        + " cells, expected one per cell.");
    };
    std::vector<float> out;
    switch (quantity) {
    case BeliefQuantity::share_eating:
        check(map.share_eating);
        out.assign(map.share_eating.begin(), map.share_eating.end());
        break;
    case BeliefQuantity::advantage:
        check(map.mean_eat);
        check(map.mean_leave);
        for (std::size_t i = 0; i < cells; ++i)
            out.push_back(static_cast<float>(map.mean_eat[i] - map.mean_leave[i]));
        break;
    case BeliefQuantity::uncertainty:
        check(map.sd_eat);
        out.assign(map.sd_eat.begin(), map.sd_eat.end());
        break;
    }
    return out;
}

HeatMap heat_of(const BeliefMap& map, BeliefQuantity quantity)
{
    HeatMap heat{.name = title_of(quantity),
                 .nx   = map.grid.nx,
                 .ny   = map.grid.ny,
                 .x    = map.grid.x,
                 .y    = map.grid.y,
                 .z    = belief_values(map, quantity)};
    double largest = 1e-3;
    for (const float z : heat.z)
        if (std::isfinite(z))
            largest = std::max(largest, static_cast<double>(std::abs(z)));
    switch (quantity) {
    case BeliefQuantity::share_eating:
        heat.z_range  = {0, 1};
        heat.map      = ColourMap::diverging;
        heat.contours = {0.5};
        break;
    case BeliefQuantity::advantage:
        heat.z_range  = {-largest, largest};
        heat.map      = ColourMap::diverging;
        heat.contours = {0};
        break;
    case BeliefQuantity::uncertainty: heat.z_range = {0, largest}; break;
    }
    return heat;
}

}   // namespace

double BanditDecision::mean_eat() const { return mean_of(eat); }
double BanditDecision::mean_leave() const { return mean_of(leave); }

bool BanditDecision::eats() const
{
    const auto n = deciding_draws(*this);
    return mean_of(std::span(eat).first(n)) > mean_of(std::span(leave).first(n));
}

std::string reward_text(double reward)
{
    const double rounded = std::round(10 * reward) / 10;
    if (std::isnan(rounded))
        return "unknown";
    return (rounded < 0 ? "−" : "") + plain_text(std::abs(rounded));
}

Chart to_chart(const BanditDecision& decision)
{
    Chart chart{.id = "bandit_decision", .title = "Decision"};
    if (decision.eat.size() != decision.leave.size())
        throw Error("Decision: " + std::to_string(decision.eat.size()) + " samples of eating and "
                    + std::to_string(decision.leave.size()) + " of leaving, expected the same number.");
    if (decision.eat.empty()) {
        chart.message = decision.agent + " has no network; a fair coin decides.";
        return chart;
    }
    const bool eats = decision.eats();
    Panel panel{.title = decision.what + ". The agent " + (eats ? "eats it." : "leaves it.") + "\nEat: mean "
                         + reward_text(decision.mean_eat()) + ", leave: mean " + reward_text(decision.mean_leave()),
                .y = {.label = "Expected reward"}};
    panel.x.categories = {"eat", "leave"};
    panel.x.range      = Range{-0.5, 1.5};
    Boxes boxes;
    for (const bool eating : {true, false}) {
        Box box      = box_of(eating ? decision.eat : decision.leave);
        box.position = eating ? 0 : 1;
        box.tone     = {eating == eats ? Tone::Kind::accent : Tone::Kind::muted};
        boxes.boxes.push_back(std::move(box));
    }
    panel.series.push_back(std::move(boxes));
    Points deciding{.name   = "samples that the choice uses",
                    .tone   = {Tone::Kind::neutral},
                    .marker = Marker::cross,
                    .size   = 8};   // present for any number of samples, so that a live picture keeps
                                  // its series
    if (const auto n = deciding_draws(decision); n < decision.eat.size())
        for (std::size_t i = 0; i < n; ++i) {
            deciding.x.insert(deciding.x.end(), {0, 1});
            deciding.y.insert(deciding.y.end(), {decision.eat[i], decision.leave[i]});
        }
    panel.series.push_back(std::move(deciding));
    panel.series.push_back(Points{.name   = "mean",
                                  .x      = {0, 1},
                                  .y      = {decision.mean_eat(), decision.mean_leave()},
                                  .tone   = {Tone::Kind::neutral},
                                  .marker = Marker::diamond,
                                  .size   = 7});
    Points truth{
        .name = "true mean", .tone = {Tone::Kind::right}, .marker = Marker::square, .size = 7, .filled = false};
    if (decision.truth) {
        truth.x = {0, 1};
        truth.y = {*decision.truth, 0};
    }
    panel.series.push_back(std::move(truth));
    chart.panels.push_back(std::move(panel));
    chart.caption = caption_of(decision);
    return chart;
}

std::string title_of(BeliefQuantity quantity)
{
    switch (quantity) {
    case BeliefQuantity::share_eating: return "Share of samples in favour of eating";
    case BeliefQuantity::advantage: return "Advantage of eating";
    case BeliefQuantity::uncertainty: return "Uncertainty of the reward of eating";
    }
    return {};
}

Chart to_chart(const BeliefMap& map, BeliefQuantity quantity)
{
    Chart chart{.id = "bandit_beliefs", .title = "Beliefs of the agent"};
    if (map.share_eating.empty()) {
        chart.message = map.agent + " has no network and thus no beliefs.";
        return chart;
    }
    Panel panel{.x = {.label = map.x_name, .range = cell_edges(map.grid.x, map.grid.nx)},
                .y = {.label = map.y_name, .range = cell_edges(map.grid.y, map.grid.ny)}};   // the colours are named
    panel.series.push_back(heat_of(map, quantity));
    for (const bool edible : {true, false})
        for (const bool eaten : {true, false}) {
            Points points{.name   = std::string(edible ? "edible, " : "poisonous, ") + (eaten ? "eaten" : "left"),
                          .tone   = category(edible ? 0 : 1),
                          .marker = edible ? Marker::circle : Marker::triangle,
                          .size   = 5,
                          .filled = eaten};
            for (const auto& met : map.met)
                if (met.edible == edible && met.eaten == eaten) {
                    points.x.push_back(met.x);
                    points.y.push_back(met.y);
                }
            panel.series.push_back(std::move(points));
        }
    chart.panels.push_back(std::move(panel));
    const char* what = quantity == BeliefQuantity::share_eating
                           ? "Share of the samples for which eating is better than leaving"
                       : quantity == BeliefQuantity::advantage
                           ? "Mean predicted reward of eating minus that of leaving"
                           : "Standard deviation over the samples of the predicted reward of eating";
    chart.caption =
        map.agent + " after " + grouped_text(map.interactions) + " interactions. " + what
        + ", over the plane; circles are edible, triangles poisonous; filled ones were eaten, open ones left.";
    if (map.left_out > 0)
        chart.caption += " The last " + grouped_text(static_cast<long>(map.met.size())) + " points are drawn.";
    return chart;
}

}   // namespace credence
