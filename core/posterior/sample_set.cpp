// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/sample_set.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/statistics.h"
#include "posterior/weight_passes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace credence {
namespace {

constexpr auto every_draw             = std::numeric_limits<std::size_t>::max();
constexpr std::size_t weights_of_task = 1024;   // networks of chains are small, and all of their draws are read

void require_whole_draws(const ParameterLayout& layout, std::span<const float> draws)
{
    const std::size_t n = layout.size();
    if (n == 0 || draws.empty() || draws.size() % n != 0)
        throw Error("The set of draws has " + std::to_string(draws.size())
                    + " weights, expected a positive multiple of " + std::to_string(n) + ".");
    if (all_finite(draws))
        return;
    const auto bad   = std::find_if(draws.begin(), draws.end(), [](float weight) { return !std::isfinite(weight); });
    const auto i     = static_cast<std::size_t>(bad - draws.begin());
    const auto block = std::find_if(layout.blocks.begin(), layout.blocks.end(),
                                    [&](const Block& b) { return i % n < b.end(); });
    throw Error("Draw " + std::to_string(i / n) + " has a weight in block \"" + block->name
                + "\" that is not a finite number.");
}

void require_one_each(const char* of, std::size_t found, std::size_t n_draws)
{
    if (found != 0 && found != n_draws)
        throw Error("The set of draws has " + std::to_string(found) + " numbers of " + of + ", expected "
                    + std::to_string(n_draws) + ", one per draw, or none.");
}

/// A stride coprime to n and close to its golden section. Repeated addition modulo n visits each
/// index once, and the first few indices are evenly spread.
std::size_t golden_stride(std::size_t n)
{
    auto stride = static_cast<std::size_t>(0.6180339887498949 * static_cast<double>(n));
    while (stride > 1 && std::gcd(stride, n) != 1)
        --stride;
    return std::max<std::size_t>(1, stride);
}

}   // namespace

SampleSet::SampleSet(const ParameterLayout& layout, aligned_vector<float> draws, SampleOrigin origin)
    : SampleSet(layout, std::make_shared<const aligned_vector<float>>(std::move(draws)), every_draw, std::move(origin))
{}

SampleSet::SampleSet(const ParameterLayout& layout, Memory memory, std::size_t n_draws, SampleOrigin origin)
    : Posterior(layout), memory_(std::move(memory)), n_draws_(0), mean_(layout.size()), sd_(layout.size()),
      origin_(std::move(origin))
{
    const std::size_t n = layout_.size();
    const std::span<const float> all(*memory_);
    const auto these = n_draws == every_draw ? all : all.first(std::min(n_draws * n, all.size()));
    require_whole_draws(layout_, these);
    n_draws_ = these.size() / n;
    require_one_each("chains", origin_.chains.size(), n_draws_);
    require_one_each("steps", origin_.steps.size(), n_draws_);
    if (origin_.statistics)
        require_one_each("chains' statistics", origin_.statistics->draws.size(), n_draws_);
    stride_        = golden_stride(n_draws_);
    const double M = static_cast<double>(n_draws_);
    parallel_chunks(n, weights_of_task, [&](std::size_t begin, std::size_t end) {
        const std::size_t size = end - begin;
        std::vector<double> mean(size), squares(size);
        for (std::size_t s = 0; s < n_draws_; ++s) {
            const float* const draw = these.data() + s * n + begin;
            for (std::size_t i = 0; i < size; ++i)
                mean[i] += static_cast<double>(draw[i]);
        }
        for (double& each : mean)
            each /= M;
        for (std::size_t s = 0; s < n_draws_; ++s) {
            const float* const draw = these.data() + s * n + begin;
            for (std::size_t i = 0; i < size; ++i) {
                const double distance = static_cast<double>(draw[i]) - mean[i];
                squares[i] += distance * distance;
            }
        }
        for (std::size_t i = 0; i < size; ++i) {
            mean_[begin + i] = static_cast<float>(mean[i]);
            sd_[begin + i]   = n_draws_ > 1 ? static_cast<float>(std::sqrt(squares[i] / (M - 1))) : 0;
        }
    });
}

std::shared_ptr<const SampleSet> SampleSet::first_draws(std::size_t n_draws, SampleOrigin origin) const
{
    if (n_draws > n_draws_)
        throw Error("The set of draws has " + std::to_string(n_draws_) + " draws, expected at least "
                    + std::to_string(n_draws) + ".");
    return std::make_shared<const SampleSet>(layout_, memory_, n_draws, std::move(origin));
}

Draw<float> SampleSet::make_draw() const
{
    Draw<float> draw;
    draw.weights.resize(layout_.size());
    return draw;
}

std::size_t SampleSet::number_of(NoiseKey key) const
{
    float u = 0;
    uniforms({key.seed, key.stream, 0}, 0, std::span<float>(&u, 1));
    const auto first = static_cast<std::size_t>(static_cast<double>(u) * static_cast<double>(n_draws_));
    return (std::min(first, n_draws_ - 1) + key.index * stride_) % n_draws_;
}

void SampleSet::draw(NoiseKey key, Draw<float>& out) const
{
    const auto weights = draw_number(number_of(key));
    out.key            = key;
    std::copy(weights.begin(), weights.end(), out.weights.begin());
}

std::shared_ptr<const SampleSet> SampleSet::with_statistics(std::shared_ptr<const ChainStatistics> statistics) const
{
    require_one_each("chains' statistics", statistics->draws.size(), n_draws_);
    auto set                = std::make_shared<SampleSet>(*this);
    set->origin_.statistics = std::move(statistics);
    return set;
}

void SampleSet::moments(std::span<float> mean, std::span<float> sd) const
{
    std::copy(mean_.begin(), mean_.end(), mean.begin());
    std::copy(sd_.begin(), sd_.end(), sd.begin());
}

Covariance SampleSet::covariance() const
{
    if (n_draws_ < 2)
        return NoCovariance{};
    return SampleCovariance{numbers(), mean_};
}

LayerUncertainty SampleSet::describe() const
{
    return uncertainty_of_blocks(layout_, mean_.data(), [&](std::size_t i) { return sd_[i]; });
}

const SampleSet* sample_set_of(const Posterior& posterior) { return dynamic_cast<const SampleSet*>(&posterior); }

}   // namespace credence
