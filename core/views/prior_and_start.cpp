// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_support.h"
#include "views/weight_moments.h"

#include "figures/prior_and_start.h"
#include "study/method.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<std::string> why_not_prior_and_start(const Experiment& experiment)
{
    if (method_of(experiment.study).has_kl)
        return {};
    if (method_of(experiment.study).has_prior)
        return "A chain starts at one weight vector, so there is no distribution to compare with the prior.";
    return "This posterior is trained without an explicit prior; it uses weight decay instead.";
}

std::optional<Chart> make_prior_and_start(const RunSnapshot& moment, const ViewOptions&, const std::stop_token&)
{
    const auto& start  = *moment.experiment->start;
    const auto moments = moments_of(start);
    return with_setting(to_chart(prior_and_start(start.layout(), moment.experiment->prior, moments.mean, moments.sd)),
                        moment);
}

}   // namespace

View prior_and_start_view()
{
    return {
        .id    = "prior_and_start",
        .title = "Prior and initialisation",
        .help =
            "The prior density of the weights and of the biases, and the distribution from which training starts, as "
            "a mixture over all weights or biases. An initialisation much narrower than the prior has a large KL at "
            "first. Source: Steinbrener et al. 2020, Figs. 4 and 5.",
        .cost        = Cost::quick,
        .when_pruned = WhenPruned::whole,
        .why_not     = why_not_prior_and_start,
        .make        = make_prior_and_start};
}

}   // namespace credence
