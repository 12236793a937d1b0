// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/bandit_decision.h"

#include "figures/boxplots.h"
#include "foundation/error.h"
#include "foundation/number_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace credence {
namespace {

double mean_of_first(const std::vector<double>& draws, std::size_t n)
{
    return std::accumulate(draws.begin(), draws.begin() + static_cast<std::ptrdiff_t>(n), 0.0) / static_cast<double>(n);
}

/// The number of draws that decide.
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
                        + " draws of the predicted reward of both actions: median, quartiles (type 7), whiskers "
                          "at 1.5 interquartile ranges, outliers.");
    if (deciding < n)
        out += deciding == 1 ? " The first draw decides alone."
                             : " The first " + std::to_string(deciding) + " draws decide, by their mean.";
    if (decision.by_chance > 0)
        out += " In " + percent_text(decision.by_chance) + " of the interactions a fair coin decides instead.";
    return out;
}

}   // namespace

double BanditDecision::mean_eat() const { return mean_of_first(eat, eat.size()); }
double BanditDecision::mean_leave() const { return mean_of_first(leave, leave.size()); }

bool BanditDecision::eats() const
{
    const auto n = deciding_draws(*this);
    return mean_of_first(eat, n) > mean_of_first(leave, n);
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
        throw Error("Decision: " + std::to_string(decision.eat.size()) + " draws of eating and "
                    + std::to_string(decision.leave.size()) + " of leaving, expected the same number.");
    if (decision.eat.empty()) {
        chart.message = decision.agent + " has no network; a fair coin decides.";
        return chart;
    }
    const bool eats = decision.eats();
    Panel panel{.title = decision.what + ". It " + (eats ? "eats it." : "leaves it.") + "\nEat: mean "
                         + reward_text(decision.mean_eat()) + ", leave: mean " + reward_text(decision.mean_leave()),
                .y = {.label = "Expected reward"}};
    panel.x.categories = {"eat", "leave"};
    panel.x.range      = Range{-0.5, 1.5};
    Boxes boxes;
    for (const bool eating : {true, false}) {
        Box box      = box_of(eating ? decision.eat : decision.leave);
        box.position = eating ? 0 : 1;
        box.tone     = {eating == eats ? Tone::Kind::accent : Tone::Kind::posterior};
        boxes.boxes.push_back(std::move(box));
    }
    panel.series.push_back(std::move(boxes));
    Points deciding{.name   = "draws that decide",
                    .tone   = {Tone::Kind::neutral},
                    .marker = Marker::cross,
                    .size   = 8};   // present for any number of draws, so that a live picture keeps
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

}   // namespace credence
