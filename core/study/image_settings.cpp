// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/image_settings.h"

#include "study/family_settings.h"
#include "study/presets.h"
#include "study/source.h"

namespace credence {
namespace {

/// Network, training, posterior and prior as in `from`, adapted to the family of `study`.
Study with_settings_of(const Study& from, const Study& study)
{
    Study like        = from;
    like.data         = study.data;
    like              = with_family_defaults(like, study.posterior.family).study;
    Study changed     = study;
    changed.network   = like.network;
    changed.training  = like.training;
    changed.posterior = like.posterior;
    changed.prior     = like.prior;
    return changed;
}

/// Starts from a point estimate; the settings of other families are derived from it.
Study image_start(const Source& source)
{
    Study study;
    study.data.source             = source.id;
    study.network.kind            = source.first_network;
    study.network.units           = source.first_units;
    study.network.dropout         = source.first_network == NetworkKind::lenet_caffe ? 0.5 : 0;
    study.network.initialisation  = Initialisation::caffe;
    study.posterior.family        = "point_estimate";
    study.training.steps          = source.first_steps;
    study.training.batch_size     = 64;
    study.training.bias_rate      = 2;
    study.training.l2             = 5e-4;
    study.training.optimizer.kind = OptimizerKind::momentum;
    study.training.schedule       = {.kind = ScheduleKind::inverse, .learning_rate = 0.01};
    return study;
}

}   // namespace

Study with_data_source(const Study& study, const std::string& id)
{
    const Source& to    = source(id);
    Study changed       = study;
    changed.data.source = id;
    if (to.gives_images() == is_images(study.data.source))
        return changed;
    return with_settings_of(to.gives_images() ? image_start(to) : default_study(), changed);
}

}   // namespace credence
