// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_makers.h"
#include "views/view_support.h"

#include "figures/kernels.h"
#include "figures/layers.h"
#include "figures/prior_and_start.h"
#include "figures/weights.h"
#include "foundation/error.h"
#include "runs/laplace_fit.h"
#include "study/method.h"

#include <algorithm>

// Views of the weights themselves.
namespace credence::view_makers {

using namespace view_support;

namespace {

struct Moments {
    std::vector<float> mean, sd;
};
/// Families without noise in the weights have no spread here, wherever else their noise sits.
Moments moments_of(const Posterior& posterior)
{
    const std::size_t n = posterior.layout().size();
    Moments out{std::vector<float>(n), std::vector<float>(n)};
    posterior.moments(out.mean, out.sd);
    if (!posterior.has_weight_noise())
        std::fill(out.sd.begin(), out.sd.end(), 0.0f);
    return out;
}

/// The same one as long as the posterior stays; empty if the weights have no noise.
std::vector<float> one_draw(const Posterior& posterior, std::uint64_t seed)
{
    if (!posterior.has_weight_noise())
        return {};
    auto draw = posterior.make_draw();
    posterior.draw({seed, Stream::figures, 0}, draw);
    return {draw.weights.begin(), draw.weights.end()};
}

/// The prior of each block; empty where there is none. A Laplace approximation has that of its precision, on the weights that it makes uncertain.
std::vector<BlockPrior> priors_of(const RunMoment& moment)
{
    if (method_of(moment.experiment->study).has_kl)
        return moment.experiment->prior.blocks;
    if (const auto fitted = laplace_of(*moment.snapshot); fitted && fitted->curvature()->first_weight() == 0)
        return std::vector<BlockPrior>(fitted->layout().blocks.size(),
                                       GaussianPrior::from_precision(fitted->precision()));
    return {};
}

/// Weights without a spread say nothing about signal and noise.
Moments uncertain_part(Moments all)
{
    std::size_t kept = 0;
    for (std::size_t i = 0; i < all.sd.size(); ++i)
        if (all.sd[i] > 0) {
            all.mean[kept] = all.mean[i];
            all.sd[kept++] = all.sd[i];
        }
    all.mean.resize(kept);
    all.sd.resize(kept);
    return all;
}

constexpr auto before_curvature =
    "This is the point estimate: its weights have a spread when the curvature is fitted, after the last step.";

}   // namespace

Chart layers_view(const RunMoment& moment, const ViewOptions&, std::stop_token)
{
    const Layers layers{.blocks = moment.snapshot->posterior->describe(), .priors = priors_of(moment)};
    return with_setting(to_chart(layers), moment);
}

Chart layers_over_training_view(const RunMoment& moment, const ViewOptions&, std::stop_token)
{
    return with_setting(to_chart(layers_over_training(moment.history ? *moment.history : TrainingHistory{})), moment);
}

Chart weights_view(const RunMoment& moment, const ViewOptions& options, std::stop_token)
{
    const auto& posterior = *moment.snapshot->posterior;
    const auto moments    = moments_of(posterior);
    return with_setting(
        to_chart(weight_histograms(moments.mean, moments.sd, one_draw(posterior, moment.experiment->study.seed),
                                   options.prune_share)),
        moment);
}

Chart kernels_view(const RunMoment& moment, const ViewOptions&, std::stop_token)
{
    const auto& experiment = *moment.experiment;
    if (!has_kernels(experiment.model.architecture))
        return {.id      = "kernels",
                .title   = "Kernels",
                .message = "Kernels are pictures of what the first layer looks for: this network does not see images."};
    const auto& posterior = *moment.snapshot->posterior;
    const auto moments    = moments_of(posterior);
    return with_setting(to_chart(kernels(experiment.model.architecture, moments.mean,
                                         one_draw(posterior, experiment.study.seed), posterior.describe().front())),
                        moment);
}

Chart signal_to_noise_view(const RunMoment& moment, const ViewOptions& options, std::stop_token)
{
    if (!moment.snapshot->posterior->has_weight_noise())
        return {.id = "signal_to_noise", .title = "Signal-to-noise", .message = before_curvature};
    const auto moments = uncertain_part(moments_of(*moment.snapshot->posterior));
    return with_setting(to_chart(signal_to_noise_figure(moments.mean, moments.sd, options.prune_share)), moment);
}

Chart one_weight_view(const RunMoment& moment, const ViewOptions& options, std::stop_token)
{
    const auto& posterior = *moment.snapshot->posterior;
    const auto& blocks    = posterior.layout().blocks;
    const auto block      = std::find_if(blocks.begin(), blocks.end(), [&](const Block& b) {
        return options.weight >= b.begin && options.weight < b.end();
    });
    if (block == blocks.end())
        throw Error("Weight " + std::to_string(options.weight) + " was asked for, this network has weights 0 to "
                    + std::to_string(posterior.layout().size() - 1) + ".");
    if (!posterior.has_weight_noise())
        return {.id = "one_weight", .title = "One weight", .message = before_curvature};
    const auto moments = moments_of(posterior);
    BlockPrior prior   = moment.experiment->prior.blocks[static_cast<std::size_t>(block - blocks.begin())];
    if (const auto fitted = laplace_of(*moment.snapshot)) {
        if (options.weight < fitted->curvature()->first_weight())
            return {.id      = "one_weight",
                    .title   = "One weight",
                    .message = "Weight " + std::to_string(options.weight)
                               + " stays at its MAP value: only the last layer is uncertain, weights "
                               + std::to_string(fitted->curvature()->first_weight()) + " and above."};
        prior = GaussianPrior::from_precision(fitted->precision());
    }
    const OneWeight weight{.index = options.weight,
                           .block = block->name,
                           .mean  = moments.mean[options.weight],
                           .sd    = moments.sd[options.weight],
                           .prior = prior};
    return with_setting(to_chart(weight), moment);
}

Chart prior_and_start_view(const RunMoment& moment, const ViewOptions&, std::stop_token)
{
    const auto& start  = *moment.experiment->start;
    const auto moments = moments_of(start);
    return with_setting(to_chart(prior_and_start(start.layout(), moment.experiment->prior, moments.mean, moments.sd)),
                        moment);
}

}   // namespace credence::view_makers
