// SPDX-License-Identifier: GPL-3.0-or-later
// A linear model with Gaussian noise has a posterior in closed form: chains over it must have its
// means and standard deviations.
#include "drawn.h"

#include <gmock/gmock.h>

#include <Eigen/Dense>

namespace credence {
namespace {

struct ExactPosterior {
    Eigen::Vector2d mean;   // slope, intercept
    Eigen::Matrix2d covariance;
};

/// N(Σ XᵀY/s², Σ), Σ⁻¹ = XᵀX/s² + diag(1/σ_w², 1/σ_b²)
ExactPosterior exact(const Experiment& experiment)
{
    const auto& data          = *experiment.data;
    const double s2           = std::pow(experiment.model.likelihood->constant_scale().value(), 2);
    Eigen::Matrix2d precision = Eigen::Matrix2d::Zero();
    for (int b = 0; b < 2; ++b)
        precision(b, b) = std::pow(std::get<GaussianPrior>(experiment.prior.blocks[static_cast<std::size_t>(b)]).sd,
                                   -2);
    Eigen::Vector2d pull = Eigen::Vector2d::Zero();
    for (std::size_t i = 0; i < data.training.n_rows; ++i) {
        const Eigen::Vector2d x(data.training_inputs[i], 1);
        precision += x * x.transpose() / s2;
        pull += x * static_cast<double>(data.training_targets[i]) / s2;
    }
    return {precision.inverse() * pull, precision.inverse()};
}

class ExactChains : public testing::TestWithParam<const char*> {};

TEST_P(ExactChains, HaveTheMeanAndTheSpreadOfTheExactPosterior)
{
    Study study    = drawn_study(GetParam());
    study.data.toy = {.kind = ToyKind::cubic, .n = 40, .noise = default_noise(ToyKind::cubic)};
    for (const char* setting :
         {"network.hidden=", "network.noise_sd=20", "split.standardise_targets=false", "prior.weight_sd=4",
          "prior.bias_sd=2", "training.batch_size=1000", "training.steps=200000", "posterior.kept_draws=20000"})
        set_field(study, setting);
    // Curvature of Ū of about 1/s² = 1/400 and N = 32: a step ε/2·N·… of a hundredth of the width.
    const bool preconditioned = study.posterior.family == "psgld";
    set_field(study, preconditioned                      ? "training.learning_rate=0.1"
                     : study.posterior.family == "sghmc" ? "training.learning_rate=0.5"
                                                         : "training.learning_rate=10");
    if (preconditioned)
        set_field(study, "posterior.rms_decay=0.99999");
    const auto experiment = prepare(study);
    const auto want       = exact(*experiment);
    const auto run        = train(*experiment);
    const auto set        = draws_of(run);
    ASSERT_TRUE(set) << run.report.message;
    ASSERT_EQ(set->layout().size(), 2u);
    std::vector<float> mean(2), sd(2);
    set->moments(mean, sd);
    const double allowed = preconditioned
                               ? 0.12
                               : 0.06;   // without Γ a gradient-dependent step shifts the distribution slightly
    for (int i = 0; i < 2; ++i) {
        const double exact_sd = std::sqrt(want.covariance(i, i));
        EXPECT_NEAR(mean[static_cast<std::size_t>(i)], want.mean(i), 0.1 * exact_sd) << i;
        EXPECT_NEAR(sd[static_cast<std::size_t>(i)], exact_sd, allowed * exact_sd) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(All, ExactChains, testing::Values("sgld", "sghmc", "psgld"),
                         [](const auto& info) { return std::string(info.param); });

}   // namespace
}   // namespace credence
