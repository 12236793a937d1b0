// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"
#include "methods/trained.h"
#include "posterior/point_estimate.h"
#include "runs/experiment.h"
#include "study/field_makers.h"

namespace credence {

using namespace method_parts;

namespace {

std::vector<Field> bernoulli_dropout_fields()
{
    return {field_makers::plain(
        {.path  = "posterior.dropout_rate",
         .label = "Dropout rate",
         .help  = "Probability with which each input of a weight layer is set to zero, during training and prediction. "
                  "Posch and Pilz use 0.2 on MNIST and 0.1 on CIFAR-10. The rate is not learned: it fixes the amount "
                  "of uncertainty.",
         .min   = 0,
         .max   = 1,
         .max_open = true},
        [](auto& s) -> auto& { return s.posterior.dropout_rate; })};
}

std::vector<UsualSetting> dropout_usual(const Study& study)
{
    if (!is_images(study.data.source))
        return {{"training.l2", "0.0001"}, {"training.learning_rate", "0.01"}, {"posterior.dropout_rate", "0.1"}};
    return with(image_optimiser(), {{"training.l2", "0.0005"}, {"posterior.dropout_rate", "0.2"}});
}

Architecture with_masks(const Architecture& plain, const Study& study)
{
    return with_dropout_before_weights(plain, study.posterior.dropout_rate);
}

std::unique_ptr<VariationalFamily<float>> dropout_start(const ParameterLayout& layout, const PosteriorOptions& options,
                                                        std::span<const float> means)
{
    return std::make_unique<BernoulliDropout<float>>(layout, means, options.dropout_rate);
}

std::string dropout_caption(const RunSnapshot& run)
{
    return " at rate " + number_text(run.experiment->study.posterior.dropout_rate, 4);
}

}   // namespace

/// One weight vector with random masks before every weight layer, also at prediction. Images: rate
/// 0.2 (Posch and Pilz 2021, "Bernoulli").
Method bernoulli_dropout_method()
{
    return {.id                    = "bernoulli_dropout",
            .title                 = "Bernoulli dropout",
            .hint                  = "Keeps dropout on during prediction: the cheapest source of uncertainty.",
            .group                 = MethodGroup::variational,
            .cost                  = "about 1 × a point estimate",
            .source                = "Gal and Ghahramani 2016",
            .axis_title            = "Dropout",
            .is_named_for_a_person = true,
            .fields                = bernoulli_dropout_fields(),
            .usual                 = dropout_usual,
            .posterior             = {.noise = NoiseIn::activations},
            .training              = {.noise = NoiseIn::activations, .accepts_new_points = true},
            .architecture          = with_masks,
            .start                 = dropout_start,
            .fit                   = trained,
            .online                = trains_online,
            .caption               = dropout_caption};
}

}   // namespace credence
