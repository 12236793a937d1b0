// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/experiment.h"
#include "runs/laplace_fit.h"
#include "unit/refusal.h"

#include <memory>
#include <string>
#include <vector>

/// Laplace runs on few points, trained once for all tests of a program.
namespace laplace_moons {

using namespace credence;

inline Study small_study(CurvatureStructure structure = CurvatureStructure::kronecker,
                         ToyKind kind                 = ToyKind::two_moons)
{
    Study study;
    study.name                                  = "small";
    study.data.toy.kind                         = kind;
    study.data.toy.n                            = 80;
    study.data.toy.noise                        = 0.1;
    study.network.hidden                        = {8};
    study.network.activation                    = ActivationKind::tanh;
    study.posterior.family                      = "laplace";
    study.posterior.laplace.curvature.structure = structure;
    study.training.steps                        = 300;
    study.training.l2                           = 0.001;
    study.prediction.samples                    = 30;
    return study;
}

inline constexpr CurvatureStructure structures[] = {CurvatureStructure::diagonal, CurvatureStructure::kronecker,
                                                    CurvatureStructure::full};

struct Ended {
    std::shared_ptr<const Experiment> experiment;
    Training run;
    RunSnapshot snapshot() const
    {
        return {experiment, run.report.last, std::make_shared<TrainingHistory>(run.history)};
    }
};
inline Ended trained(const Study& study)
{
    const auto experiment = prepare(study);
    return {experiment, train(*experiment)};
}
inline const Ended& ended_moons()
{
    static const auto ended = trained(small_study());
    return ended;
}

/// Some draws of the weights, one after the other.
inline std::vector<float> draws_of(const Posterior& posterior)
{
    std::vector<float> all;
    auto draw = posterior.make_draw();
    for (std::uint32_t s = 0; s < 5; ++s) {
        posterior.draw({7, Stream::prediction, s}, draw);
        all.insert(all.end(), draw.weights.begin(), draw.weights.end());
    }
    return all;
}

}   // namespace laplace_moons
