// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/scaled_means.h"

#include "methods/trained.h"

namespace credence {

using namespace method_parts;

/// One relative spread τ for each block (Steinbrener et al. 2020).
Method layer_scale_method()
{
    return {.id          = "layer_scale",
            .title       = "One τ per block",
            .hint        = "One relative spread for all weights of a layer: hardly more parameters than an ordinary "
                           "network.",
            .group       = MethodGroup::variational,
            .cost        = "1 to 2 × a point estimate",
            .source      = "Steinbrener et al. 2020",
            .axis_title  = "One τ",
            .fields      = scale_fields(),
            .usual       = usual_of_scales,
            .training    = {.prior = PriorUse::kl, .accepts_new_points = true},
            .block_lists = {"posterior.initial_tau"},
            .start       = begins_with<LayerScale<float>>,
            .fit         = trained,
            .online      = trains_online};
}

}   // namespace credence
