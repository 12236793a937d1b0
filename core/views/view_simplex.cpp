// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/method.h"
#include "views/chosen_logits.h"
#include "views/view_makers.h"
#include "views/view_support.h"

#include "figures/beta_figure.h"

// The law of the class probabilities of one chosen input.
namespace credence::view_makers {

using namespace view_support;

bool has_law_of_classes(const Experiment& experiment)
{
    return experiment.task() == Task::classification && method_of(experiment.study).noise != NoiseIn::nothing;
}

Chart simplex_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    const auto& experiment = *moment.experiment;
    if (experiment.task() != Task::classification)
        return {.id      = "simplex",
                .title   = "Simplex",
                .message = "The simplex needs classes: the regression band shows what is known of a function."};
    if (!gives_logits(moment))
        return {.id = "simplex", .title = "Simplex", .message = why_no_logits(moment)};
    const LogitsBy by     = logits_by(moment, options);
    const bool linearised = by == LogitsBy::linearisation;
    const auto law        = chosen_logits(moment, options, by, stop);
    if (!law || stop.stop_requested())
        return stopped("simplex", "Simplex");
    const auto input   = chosen_input(moment, options);
    const auto& names  = experiment.data->training.class_names;
    const auto& wanted = options.simplex;
    Chart chart;
    if (law->n_classes() == 2) {
        chart = two_class_chart(*law, names, options.bridge_variant, wanted.look.table);
    } else {
        auto how    = wanted.density;
        how.variant = options.bridge_variant;
        how.seed    = experiment.study.seed;
        auto value  = simplex_density(*law, names, how);
        if (stop.stop_requested())
            return stopped("simplex", "Simplex");
        value.numbers = bridge_numbers(value);
        chart         = to_chart(value, wanted.look);
    }
    chart.caption += " Input: " + input.name
                     + (linearised ? "; its Gaussian over logits by linearising the network."
                                   : "; its Gaussian over logits has the moments of draws of the weights.");
    return with_setting(std::move(chart), moment,
                        linearised ? std::nullopt : std::optional(predictive_of(moment, options).n_samples()));
}

}   // namespace credence::view_makers
