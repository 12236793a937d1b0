// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/chosen_logits.h"
#include "views/reasons.h"
#include "views/view_support.h"

#include "figures/beta_marginals.h"
#include "foundation/error.h"
#include "outputs/bridge_of_file.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<Chart> make_beta_marginals(const RunSnapshot& moment, const ViewOptions& options,
                                         const std::stop_token& stop)
{
    if (!gives_logits(moment))
        throw Error(why_no_logits(moment));
    const auto input  = chosen_input(moment, options);
    const auto logits = chosen_logits(moment, options, logits_by(moment, options), stop);
    if (!logits)
        return {};
    Chart chart = to_chart(beta_marginals(bridged(*logits, options.bridge_variant),
                                          moment.experiment->data->training.class_names, options.top_k_threshold, 6,
                                          input.label, options.top_k_longest));
    chart.caption += " Input: " + input.name + "." + bridge_text(moment, options);
    return with_setting(std::move(chart), moment, predictive_of(moment, options).n_samples());
}

}   // namespace

View beta_marginals_view()
{
    return {
        .id    = "beta_marginals",
        .title = "Beta marginals",
        .help =
            "The marginal distribution of each class probability under the Dirichlet that the Laplace Bridge derives "
            "from the Gaussian over the logits at the selected input: Beta(α_k, α_0 − α_k) for the most probable "
            "classes. Which classes can be told apart? Uncertainty-aware top-k keeps the most probable class, then "
            "adds each next class whose 1 − T/2 quantile exceeds the T/2 quantile of the class before it. It stops "
            "at the first class that fails, or at the maximum length if you set one. A smaller threshold T gives a "
            "longer list. A list with one class means the network is confident; a long list means it is not. Source: "
            "Hobbhahn 2020, Algorithm 1 and Fig. 5.5.",
        .needs_input = true,
        .asks        = Asks::outputs,
        .why_not     = why_no_varying_classes,
        .make        = make_beta_marginals};
}

}   // namespace credence
