// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/chosen_logits.h"
#include "views/reasons.h"
#include "views/view_support.h"

#include "figures/beta_figure.h"
#include "foundation/error.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<std::string> why_not_simplex(const Experiment& experiment)
{
    if (experiment.task() != Task::classification)
        return "The simplex needs classes. For regression see the regression band.";
    return why_no_varying_classes(experiment);
}

std::optional<Chart> make_simplex(const RunSnapshot& moment, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *moment.experiment;
    if (!gives_logits(moment))
        throw Error(why_no_logits(moment));
    const LogitsBy by     = logits_by(moment, options);
    const bool linearised = by == LogitsBy::linearisation;
    const auto law        = chosen_logits(moment, options, by, stop);
    if (!law || stop.stop_requested())
        return {};
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
            return {};
        value.numbers = bridge_numbers(value);
        chart         = to_chart(value, wanted.look);
    }
    chart.caption += " Input: " + input.name
                     + (linearised                ? "; Gaussian over logits by linearising the network."
                        : known_gaussians(moment) ? "; Gaussian over logits from the file."
                        : experiment.outputs      ? "; Gaussian over logits by moments of the draws in the file."
                                                  : "; Gaussian over logits by moments of weight draws.");
    return with_setting(std::move(chart), moment,
                        linearised ? std::nullopt : std::optional(predictive_of(moment, options).n_samples()));
}

}   // namespace

View simplex_view()
{
    return {
        .id    = "simplex",
        .title = "Simplex",
        .help =
            "The distribution of the class probabilities, π = softmax(z), for the selected input: z ~ N(μ, Σ) is the "
            "Gaussian over its logits given by the posterior. Each point of the triangle is one set of probabilities "
            "for three classes; a corner is certainty. Left: the exact distribution, whose density has a closed "
            "form. Right: the Dirichlet of its Laplace Bridge, α_k = (1/Σ_kk)(1 − 2/K + e^{μ_k}/K² Σ_l e^{−μ_l}). "
            "Both use the same measure and the same colours; lines enclose 50 % and 90 % of each. "
            "KL(exact‖Dirichlet), total variation and Hellinger distance measure how far apart they are. Wide and "
            "flat: the samples disagree. With more than three classes the triangle shows the most probable three, "
            "renormalised. Two classes have a density on a line. Source: MacKay 1998; Hobbhahn, Kristiadi and Hennig "
            "2022.",
        .needs_input = true,
        .asks        = Asks::outputs,
        .why_not     = why_not_simplex,
        .make        = make_simplex};
}

}   // namespace credence
