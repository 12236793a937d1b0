// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/sample_set.h"
#include "unit/random_values.h"

#include "unit/runs/short_run.h"

#include <functional>

namespace credence {

/// The small Study of a method that makes chains.
inline Study study_of_chains(const std::string& method, ToyKind kind = ToyKind::two_moons)
{
    Study study = small_study(method, kind);
    set_field(study, "posterior.start=prior");
    return study;
}

/// Artificial draws: weights around the start of a Study, draw by draw and within it chain by chain.
struct ChainsByHand {
    std::size_t n_chains = 2, n_draws = 100;
    double scale = 0.1;             ///< of independent normal noise
    bool alike   = false;           ///< all chains have the draws of the first one
    std::vector<double> shifts{};   ///< [n_chains] of the last bias of each chain; empty: none
    double drift       = 0;         ///< of the last bias, in all draws of a chain
    bool statistics    = true;      ///< as Hamiltonian chains have
    std::uint64_t seed = 21;
    std::function<void(std::size_t chain, std::span<float> weights)> change = {};   ///< of each draw
};

inline RunSnapshot snapshot_of_chains(const Study& study, const ChainsByHand& hand = {})
{
    const auto experiment = prepare(study);
    const auto means      = experiment->start->means();
    const std::size_t W = means.size(), C = hand.n_chains, S = C * hand.n_draws;
    const auto noise = normals(S * W, hand.seed, hand.scale);
    aligned_vector<float> draws(S * W);
    SampleOrigin origin;
    auto statistics = std::make_shared<ChainStatistics>();
    for (std::size_t s = 0; s < S; ++s) {
        const std::size_t chain = s % C, t = s / C;
        const auto weights = std::span(draws).subspan(s * W, W);
        for (std::size_t i = 0; i < W; ++i)
            weights[i] = means[i] + static_cast<float>(noise[(hand.alike ? t * C : s) * W + i]);
        if (!hand.shifts.empty())
            weights[W - 1] += static_cast<float>(hand.shifts[chain]);
        weights[W - 1] += static_cast<float>(hand.drift * static_cast<double>(t) / static_cast<double>(hand.n_draws));
        if (hand.change)
            hand.change(chain, weights);
        origin.chains.push_back(static_cast<int>(chain));
        origin.steps.push_back(101 + static_cast<long>(t));
        statistics->draws.push_back({.energy         = 50 + noise[s * W],
                                     .acceptance     = 0.75,
                                     .depth          = 3,
                                     .leapfrog_steps = 7,
                                     .divergent      = s == 5,
                                     .at_depth_limit = s == 6 || s == 7});
    }
    statistics->chains.resize(C);
    for (auto& chain : statistics->chains)
        chain = {.step_size        = 0.1,
                 .gradients        = 1500,
                 .warmup_gradients = 500,
                 .warmup           = {"The step size settled.", "The metric settled."}};
    if (hand.statistics)
        origin.statistics = statistics;
    auto snapshot             = std::make_shared<Snapshot>();
    snapshot->posterior       = std::make_shared<SampleSet>(experiment->start->layout(), std::move(draws), origin);
    snapshot->point.step      = 100 + static_cast<long>(hand.n_draws);
    snapshot->point.data_loss = 0.5;
    snapshot->point.layers    = snapshot->posterior->describe();
    return {experiment, snapshot, std::make_shared<TrainingHistory>(TrainingHistory{snapshot->point})};
}

/// The same before the first draw: the start of the method.
inline RunSnapshot snapshot_before_draws(const Study& study)
{
    const auto experiment = prepare(study);
    auto snapshot         = std::make_shared<Snapshot>();
    snapshot->posterior   = experiment->start;
    return {experiment, snapshot, std::make_shared<TrainingHistory>()};
}

}   // namespace credence
