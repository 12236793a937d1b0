// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_support.h"

#include "views/layers.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<Chart> make_layers_over_training(const RunSnapshot& run, const ViewOptions&, const std::stop_token&)
{
    return with_setting(to_chart(layers_over_training(run.history ? *run.history : TrainingHistory{})), run);
}

}   // namespace

View layers_over_training_view()
{
    return {
        .id    = "layers_over_training",
        .title = "Layers over training",
        .group = ViewGroup::weights,
        .help =
            "The numbers of the view Layers at every recorded step, one line per block: solid for weights, dashed "
            "for biases. They settle later than the loss, so a run whose τ still changes is not finished. A learned "
            "prior has its own panel.",
        .cost         = Cost::quick,
        .when_pruned  = WhenPruned::whole,
        .many_targets = ManyTargets::all,
        .make         = make_layers_over_training};
}

}   // namespace credence
