// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/swag.h"

#include "foundation/parallel.h"
#include "posterior/weight_passes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace credence {

SwagMoments::SwagMoments(std::size_t n_weights, std::size_t rank) : rank_(rank), mean_(n_weights), squares_(n_weights)
{}

void SwagMoments::add(std::span<const float> weights)
{
    assert(weights.size() == mean_.size());
    ++count_;
    float* deviation = nullptr;
    if (rank_ > 0) {
        if (deviations_.size() < rank_)
            deviations_.emplace_back(weights.size());
        deviation = deviations_[static_cast<std::size_t>(count_ - 1) % rank_].data();
    }
    const double share = 1 / static_cast<double>(count_);
    parallel_chunks(weights.size(), elementwise_chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const double w = static_cast<double>(weights[i]), before = w - mean_[i];
            mean_[i] += before * share;
            const double after = w - mean_[i];
            squares_[i] += before * after;
            if (deviation != nullptr)
                deviation[i] = static_cast<float>(after);
        }
    });
}

void SwagMoments::serialise(StateBytes& state)
{
    state.section("moments of the iterates");
    state.within(count_, 0, std::numeric_limits<long>::max());
    state.values(std::span(mean_));
    state.values(std::span(squares_));
    deviations_.resize(std::min(rank_, static_cast<std::size_t>(count_)));
    for (auto& deviation : deviations_) {
        deviation.resize(mean_.size());
        state.values(std::span(deviation));
    }
}

void SwagMoments::draw(NoiseKey key, double scale, std::span<float> weights) const
{
    const std::size_t n = mean_.size(), R = deviations_.size();
    const bool low_rank = R > 1;
    std::vector<float> factors(low_rank ? R : 0);   // s ξ_2/√(2(R−1))
    standard_normals(key, (n + 63) / 64 * 64, std::span<float>(factors));
    for (float& factor : factors)
        factor *= static_cast<float>(scale / std::sqrt(2 * static_cast<double>(R - 1)));
    const double of_diagonal = (low_rank ? scale / std::sqrt(2.0) : scale)
                               / std::sqrt(std::max(1.0, static_cast<double>(count_)));
    parallel_chunks(n, WeightTile::longest, [&](std::size_t begin, std::size_t end) {
        alignas(64) float noise[WeightTile::longest];
        standard_normals(key, begin, std::span<float>(noise, end - begin));
        for (std::size_t i = begin; i < end; ++i)
            noise[i - begin] *= static_cast<float>(of_diagonal * std::sqrt(squares_[i]));
        for (std::size_t r = 0; r < factors.size(); ++r) {
            const float* const deviation = deviations_[r].data() + begin;
            const float factor           = factors[r];
#pragma omp simd
            for (std::size_t k = 0; k < end - begin; ++k)
                noise[k] += factor * deviation[k];
        }
        for (std::size_t i = begin; i < end; ++i)
            weights[i] = static_cast<float>(mean_[i] + static_cast<double>(noise[i - begin]));
    });
}

}   // namespace credence
