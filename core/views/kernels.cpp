// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_support.h"
#include "views/weight_moments.h"

#include "figures/kernels.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<std::string> why_not_kernels(const Experiment& experiment)
{
    if (has_kernels(experiment.model.architecture))
        return {};
    return "Kernels need a network whose first layer sees images.";
}

std::optional<Chart> make_kernels(const RunSnapshot& moment, const ViewOptions&, const std::stop_token&)
{
    const auto& experiment = *moment.experiment;
    const auto& posterior  = *moment.snapshot->posterior;
    const auto moments     = moments_of(posterior);
    return with_setting(to_chart(kernels(experiment.model.architecture, moments.mean,
                                         one_draw(posterior, experiment.study.seed), posterior.describe().front())),
                        moment);
}

}   // namespace

View kernels_view()
{
    return {
        .id    = "kernels",
        .title = "Kernels",
        .help =
            "What the first layer detects, as small pictures: the kernels of a convolution, or the weights of a "
            "dense layer's units arranged like the image they multiply (those of largest norm). Blue is negative, "
            "red positive, white zero. The posterior mean and one weight sample share a scale, so their difference "
            "shows the uncertainty. With one τ per block a sample is w = m(1 + τe), where e has variance 1 and ρ is "
            "the correlation of neighbouring weights, kernel by kernel, row by row. Kernels that look alike in both "
            "columns are well determined. Source: Posch and Pilz 2021, Table II; Steinbrener et al. 2020, Table 3.",
        .cost    = Cost::quick,
        .why_not = why_not_kernels,
        .make    = make_kernels};
}

}   // namespace credence
