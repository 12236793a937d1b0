// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bandits/bandit_run.h"
#include "study/fields.h"

#include <memory>
#include <string>

namespace credence {

/// A bandit in the plane with a small network, some milliseconds for a hundred interactions.
inline BanditStudy small_bandit(const std::string& method, long steps)
{
    BanditStudy study;
    study.course.steps           = steps;
    study.course.updates         = 16;
    study.learner.network.hidden = {32, 32};
    field("network.noise_sd").set(study.learner, 2.0);
    study.learner.training.batch_size = 64;
    set_bandit_method(study, method);
    if (method == "mean_field")
        for (const char* setting : {"prior.weight_sd=0.5", "prior.bias_sd=1", "posterior.initial_sd=0.2",
                                    "training.kl_weight=0.3", "training.learning_rate=0.002"})
            set_bandit_field(study, setting);
    return study;
}

inline std::shared_ptr<const BanditWorld> world_of(const BanditStudy& study)
{
    return std::make_shared<const BanditWorld>(study.world);
}

}   // namespace credence
