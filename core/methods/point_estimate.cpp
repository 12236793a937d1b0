// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/trained.h"

namespace credence {

using namespace method_parts;

/// One weight vector, with L2 as weight decay. Images: LeNet with dropout 0.5 after its first dense
/// layer (Posch and Pilz 2021, "frequentist").
Method point_estimate_method()
{
    return {.id     = "point_estimate",
            .title  = "Point estimate",
            .hint   = "One weight vector, an ordinary network: the baseline without parameter uncertainty.",
            .group  = MethodGroup::baselines,
            .cost   = "that of one network",
            .source = "Posch and Pilz 2021",
            .usual  = [](const Study& study) -> std::vector<UsualSetting> {
                if (!is_images(study.data.source))
                    return {{"training.l2", "0.0001"}, {"training.learning_rate", "0.01"}};
                return with(image_optimiser(),
                             {{"training.l2", "0.0005"},
                             {"network.dropout", study.network.kind == NetworkKind::lenet_caffe ? "0.5" : "0"}});
            },
            .posterior = {.noise = NoiseIn::nothing},
            .training  = {.noise = NoiseIn::nothing, .accepts_new_points = true},
            .start     = begins_with_point,
            .fit       = trained,
            .online    = trains_online};
}

}   // namespace credence
