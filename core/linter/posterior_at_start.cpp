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

constexpr double least_move = 0.005;   // of means, against the size of the starting weights; of ln τ and ln σ

/// Blocks of weights whose means are where they were.
std::vector<std::string> blocks_at_their_start(const RunMoment& run)
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

/// Blocks of weights whose spread was the same at every recorded step.
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
    if (method.ends_with_draws || method.sees_all_rows)   // they begin at places of their own
        return {};
    const auto means   = blocks_at_their_start(lint_case.run);
    const auto spreads = method.has_kl ? spreads_at_their_start(lint_case) : std::vector<std::string>();
    if (means.empty() && spreads.empty())
        return {};
    const std::string what = means.empty() ? "The spread of " : "";
    const std::string step = grouped_text(lint_case.run.snapshot->point.step);
    return Finding{
        .severity = Severity::doubtful,
        .title    = what + some_names(means.empty() ? spreads : means) + " did not move from the start.",
        .evidence = (means.empty() ? "τ or the median standard deviation stayed within "
                                   : "The means moved by less than ")
                    + percent(least_move) + " in " + step + " steps, at a learning rate of "
                    + number(study.training.schedule.learning_rate) + ".",
        .reason =
            means.empty()
                ? "The uncertainty that is shown is the one that the run began with: nothing of it was learned from the data."
                : "These weights are those of the initialisation: the layer was not trained, by steps that are too short or "
                  "gradients that do not reach it.",
        .remedy = {.label = "Show the layers over training", .view = "layers_over_training"}};
}

}   // namespace

LintRule posterior_at_start_rule()
{
    return {
        .id    = "posterior_at_start",
        .title = "Posterior stuck at its start",
        .what =
            "Doubtful where after at least 100 steps the means of a layer's weights have moved by less than 0.5 % of the size of the "
            "starting weights, or where its τ or median standard deviation stayed within 0.5 % of its start at every recorded "
            "step: then what is shown is the initialisation. Silent on chains and ensembles, which begin at places of their own, and on runs that continue from a trained network. "
            "The spreads learn by their own gradient (Blundell et al. 2015, section 3.2), slower than the means.",
        .idea      = "Blundell et al. 2015, section 3.2",
        .threshold = "chosen for Credence: 0.5 %",
        .check     = check_posterior_at_start};
}

}   // namespace credence
