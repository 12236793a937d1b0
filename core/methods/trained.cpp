// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/trained.h"

#include "posterior/point_estimate.h"
#include "runs/experiment.h"

namespace credence::method_parts {

Training trained(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                 const TrainingEvents& events)
{
    const auto trainer = experiment.make_trainer();
    Training run;
    run.report  = trainer->run(stop, control, events);
    run.history = trainer->history();
    return run;
}

std::unique_ptr<VariationalFamily<float>> begins_with_point(const ParameterLayout& layout, const PosteriorOptions&,
                                                            std::span<const float> means)
{
    return std::make_unique<PointEstimate<float>>(layout, means);
}

std::vector<UsualSetting> with(std::vector<UsualSetting> first, const std::vector<UsualSetting>& more)
{
    first.insert(first.end(), more.begin(), more.end());
    return first;
}

std::vector<UsualSetting> image_optimiser()
{
    return {{"training.optimizer", "momentum"}, {"training.learning_rate", "0.01"}};
}

}   // namespace credence::method_parts
