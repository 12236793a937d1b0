// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"
#include "foundation/one_line.h"
#include "linter/evidence.h"
#include "linter/rules.h"
#include "runs/changed_points.h"
#include "study/method.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace lint_support;

namespace {

constexpr double least_move =
    0.005;   // change of means relative to the size of the initial weights; change of ln τ and ln σ

/// Weight blocks whose means have not moved.
std::vector<std::string> blocks_at_their_start(const RunSnapshot& run)
{
    const auto before = run.experiment->start->means(), after = run.snapshot->posterior->means();
    std::vector<std::string> names;
    if (before.size() != after.size())
        return names;
    for (const auto& block : run.snapshot->posterior->layout().blocks) {
        double moved = 0, size = 0;
        for (std::size_t i = block.begin; i < block.end(); ++i) {
            moved += std::pow(static_cast<double>(after[i]) - static_cast<double>(before[i]), 2);
            size += std::pow(static_cast<double>(before[i]), 2);
        }
        if (block.kind == BlockKind::weights && size > 0 && std::sqrt(moved / size) < least_move)
            names.push_back(block.name);
    }
    return names;
}

/// Weight blocks whose spread was the same at every recorded step.
std::vector<std::string> spreads_at_their_start(const LintCase& lint_case)
{
    constexpr std::size_t fewest_records = 10;
    std::vector<std::string> names;
    for (const auto& course : spread_courses(lint_case)) {
        const bool still = std::ranges::all_of(course.values, [&](double value) {
            return std::fabs(std::log(value / course.values.front())) < least_move;
        });
        if (course.values.size() >= fewest_records && still)
            names.push_back(course.block);
    }
    return names;
}

std::optional<Finding> check_posterior_at_start(const LintCase& lint_case, const std::stop_token&)
{
    if (!is_a_course(lint_case)
        || (lint_case.report
            && continued_network(*lint_case.report)))   // a trained network may have nothing left to learn
        return {};
    const auto& study  = lint_case.run.experiment->study;
    const auto& method = method_of(study);
    if (method.ends_with_draws || method.sees_all_rows)   // they have their own starting points
        return {};
    const auto means   = blocks_at_their_start(lint_case.run);
    const auto spreads = method.has_kl ? spreads_at_their_start(lint_case) : std::vector<std::string>();
    if (means.empty() && spreads.empty())
        return {};
    const std::string what = means.empty() ? "The spread of " : "";
    const std::string step = grouped_text(lint_case.run.snapshot->point.step);
    return Finding{
        .severity = Severity::doubtful,
        .title    = what + some_names(means.empty() ? spreads : means) + " did not change during training.",
        .evidence = (means.empty() ? "τ or the median standard deviation stayed within "
                                   : "The means moved by less than ")
                    + percent(least_move) + " in " + step + " steps, at a learning rate of "
                    + number(study.training.schedule.learning_rate) + ".",
        .reason =
            means.empty()
                ? "The displayed uncertainty is the initial one; it was not learned from the data."
                : "These weights are still at their initial values: the layer was not trained, because the steps are "
                  "too short or gradients do not reach it.",
        .remedy = {.label = "Show the layers over training", .view = "layers_over_training"}};
}

}   // namespace

LintRule posterior_at_start_rule()
{
    return {
        .id    = "posterior_at_start",
        .title = "Posterior stuck at its start",
        .what =
            "Doubtful if, after at least 100 steps, the means of a layer's weights have moved by less than 0.5 % of "
            "the size of the initial weights, or if its τ or median standard deviation stayed within 0.5 % of its "
            "initial value at every recorded step: the run then shows its initialisation. Skipped for chains and "
            "ensembles, which have their own starting points, and for runs that continue from a trained network. The "
            "spreads have their own gradient (Blundell et al. 2015, section 3.2) and learn more slowly than the means.",
        .idea      = "Blundell et al. 2015, section 3.2",
        .threshold = "chosen for Credence: 0.5 %",
        .check     = check_posterior_at_start};
}

}   // namespace credence
