// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_support.h"

#include "figures/verdict.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<std::string> why_not_verdict(const Experiment& experiment)
{
    if (experiment.task() == Task::classification)
        return {};
    return "A verdict needs classes. For regression see the regression band.";
}

std::optional<Chart> make_verdict(const RunSnapshot& moment, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *moment.experiment;
    const auto outputs     = chosen_outputs(moment, options, stop);
    if (!outputs)
        return {};
    const auto& [input, samples, n_samples] = *outputs;
    const auto value                        = verdict_of(view_of(samples), 0, experiment.study.prediction.level,
                                                         experiment.data->training.class_names, input.name, input.label);
    return with_setting(to_chart(value), moment, n_samples);
}

}   // namespace

View verdict_view()
{
    return {
        .id    = "verdict",
        .title = "Verdict",
        .help =
            "The prediction for the selected input in words: the class with the largest mean probability p̄; "
            "predictive entropy H(p̄) in nats with its aleatoric part E H(p) and its epistemic part H(p̄) − E H(p); "
            "and whether the prediction is certain. By (i) it is if the credible interval of the predicted class at "
            "level α overlaps no other class's interval; by (ii) if its mean probability is at least α. Source: "
            "Posch and Pilz 2021, section IV-A.",
        .needs_input = true,
        .asks        = Asks::outputs,
        .why_not     = why_not_verdict,
        .make        = make_verdict};
}

}   // namespace credence
