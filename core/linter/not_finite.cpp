// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"
#include "linter/evidence.h"
#include "linter/rules.h"
#include "study/method.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace lint_support;

namespace {

constexpr double large_number = 100;   // largest input or target that the network sees; normally of order 1

double largest_size(std::span<const float> values)
{
    double largest = 0;
    for (const float value : values)
        largest = std::max(largest, std::fabs(static_cast<double>(value)));
    return largest;
}

struct Culprit {
    std::string sentence;
    Remedy remedy;
};

/// The most likely cause: numbers far from order 1 first, otherwise the step size.
Culprit culprit_of(const Experiment& experiment)
{
    const auto& study      = experiment.study;
    const double inputs    = largest_size(experiment.data->training_inputs);
    const double targets   = largest_size(experiment.data->training_targets);
    const bool are_images  = experiment.data->image.has_value();
    const std::string fits = ", expected values of order 1.";
    if (!are_images && !study.split.standardise_inputs && inputs > large_number)
        return {"Inputs reach " + number(inputs) + fits + " They are not standardised.",
                {.label = "Standardise the inputs", .settings = {{"split.standardise_inputs", "true"}}}};
    if (!study.split.standardise_targets && targets > large_number)
        return {"Targets reach " + number(targets) + fits + " They are not standardised.",
                {.label = "Standardise the targets", .settings = {{"split.standardise_targets", "true"}}}};
    if (const auto noise = noise_scale(experiment); noise && noise->is_too_narrow())
        return {"The noise, network.noise_sd, is " + number(noise->noise_sd)
                    + ", but the targets have a standard deviation of " + number(noise->target_sd)
                    + ": gradients grow with the square of the ratio.",
                {.label    = "Set the noise to the standard deviation of the targets",
                 .settings = {{"network.noise_sd", shortest_text(rounded_number(noise->target_sd, 2))}}}};
    if (method_of(study).sees_all_rows)
        return {"The sampler's trajectories overflowed: the prior or the noise may be far from the scale of "
                "the data.",
                {.label = "Show the traces of the chains", .view = "chain_traces"}};
    const double rate = study.training.schedule.learning_rate;
    return {"The learning rate is " + number(rate)
                + ": steps that are too long for the curvature of the loss grow with every step.",
            {.label    = "Divide the learning rate by 10",
             .settings = {{"training.learning_rate", shortest_text(rate / 10)}}}};
}

std::optional<Finding> check_not_finite(const LintCase& lint_case, const std::stop_token&)
{
    const auto& report = lint_case.report;
    if (!lint_case.run.experiment || !report || report->stop != StopReason::not_finite)
        return {};
    const auto culprit = culprit_of(*lint_case.run.experiment);
    return Finding{
        .severity = Severity::wrong,
        .title    = "A value became NaN or infinite at step " + grouped_text(report->bad_step) + ".",
        .evidence = (report->bad_block.empty() ? "It began at step " + grouped_text(report->bad_step)
                                               : "It began in " + report->bad_block)
                    + ", after " + counted(report->steps, "step") + " of "
                    + grouped_text(steps_of(lint_case.run.experiment->study)) + ". " + culprit.sentence,
        .reason = "The run was stopped there. The displayed state is the last one before it diverged; it is not a "
                  "posterior.",
        .remedy = culprit.remedy};
}

}   // namespace

LintRule not_finite_rule()
{
    return {
        .id    = "not_finite",
        .title = "NaN or infinity in the run",
        .what =
            "Wrong if a loss or a parameter was not finite. The finding names the step, the block and the most likely "
            "cause: missing standardisation if inputs or targets exceed 100, otherwise noise far below the spread of "
            "the targets, otherwise the learning rate.",
        .threshold = "any number that is not finite",
        .check     = check_not_finite};
}

}   // namespace credence
