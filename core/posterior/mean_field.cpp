// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/mean_field.h"

#include "posterior/prior_terms.h"
#include "posterior/weight_passes.h"

namespace credence {
namespace {

// Weights of a network whose gradient, sample, parameters and optimiser state exceed the L2 cache by far.
constexpr std::size_t fewest_out_of_cache = std::size_t{1} << 18;

}   // namespace

template <class T>
MeanField<T>::MeanField(const ParameterLayout& layout, const PosteriorOptions& options, std::span<const float> means)
    : VariationalFamily<T>(layout, means), tiles_(layout)
{
    require_initial_sd(options);
    this->parameters_.resize(2 * n(), static_cast<T>(inverse_softplus(options.initial_sd)));
}

template <class T>
std::vector<ParameterGroup> MeanField<T>::groups() const
{
    return {{ParameterGroup::Kind::mean, 0, n(), -1}, {ParameterGroup::Kind::pre_softplus_sd, n(), n(), -1}};
}

template <class T>
void MeanField<T>::draw(NoiseKey key, Draw<T>& out) const
{
    out.key = key;
    tiles_.for_each_chunk([&](std::size_t first, std::size_t last) {
        const std::size_t begin = tiles_[first].begin, end = tiles_[last - 1].end;
        standard_normals(key, begin, std::span<T>(out.noise).subspan(begin, end - begin));
        transform_chunk(first, last, out);
    });
}

template <class T>
void MeanField<T>::transform(Draw<T>& out) const
{
    tiles_.for_each_chunk([&](std::size_t first, std::size_t last) { transform_chunk(first, last, out); });
}

template <class T>
void MeanField<T>::transform_chunk(std::size_t first, std::size_t last, Draw<T>& out) const
{
    const std::size_t begin = tiles_[first].begin, end = tiles_[last - 1].end;
    const T* const mean = this->parameters_.data();
    const T* const r    = mean + n();
    const T* const x    = out.noise.data();
    T* const w          = out.weights.data();
#pragma omp simd
    for (std::size_t i = begin; i < end; ++i)
        w[i] = mean[i] + lanes::softplus(r[i]) * x[i];
}

template <class T>
template <class Loop>
void MeanField<T>::in_strips(const WeightTile& tile, const Draw<T>& draw, std::span<const T> loss_gradient,
                             const GradientSink<T>& sink, const Loop& loop) const
{
    constexpr std::size_t strip = 64, ahead = 4 * strip;
    if (n() < fewest_out_of_cache)
        return loop(0, tile.size());
    const std::span<const T> parameters(this->parameters_);
    for (std::size_t k = 0; k < tile.size(); k += strip) {
        const std::size_t now = tile.begin + k, next = now + ahead;
        read_ahead<false>(loss_gradient, next, next + strip);
        read_ahead<false>(std::span<const T>(draw.noise), next, next + strip);
        read_ahead<true>(parameters, next, next + strip);
        read_ahead<true>(parameters, n() + next, n() + next + strip);
        sink.expect(now, now + strip);
        sink.expect(n() + now, n() + now + strip);
        loop(k, std::min(tile.size(), k + strip));
    }
}

template <class T>
void MeanField<T>::pullback(const Draw<T>& draw, std::span<const T> loss_gradient, const Complexity& complexity,
                            GradientSink<T> sink) const
{
    const bool with_complexity = complexity.has_kl(), closed = complexity.kind == Complexity::Kind::closed;
    if (with_complexity && closed)
        for (std::size_t b = 0; b < this->layout_.blocks.size(); ++b)
            gaussian_of(*complexity.prior, this->layout_, b);   // rejects a mixture before anything is written

    const Limit<T> limit(complexity.limit);
    const T weight = static_cast<T>(complexity.weight);
    tiles_.for_each_chunk([&](std::size_t first, std::size_t last) {
        alignas(64) T mean_gradient[WeightTile::longest], sd_gradient[WeightTile::longest], pull[WeightTile::longest];
        for (std::size_t p = first; p < last; ++p) {
            const WeightTile& tile = tiles_[p];
            const std::size_t size = tile.size();
            const T* const mean    = this->parameters_.data() + tile.begin;
            const T* const r       = mean + n();
            const T* const g       = loss_gradient.data() + tile.begin;
            const T* const x       = draw.noise.data() + tile.begin;
            if (!with_complexity) {
                in_strips(tile, draw, loss_gradient, sink, [&](std::size_t begin, std::size_t end) {
#pragma omp simd
                    for (std::size_t k = begin; k < end; ++k) {
                        mean_gradient[k] = g[k];
                        sd_gradient[k]   = lanes::sigmoid(r[k]) * g[k] * x[k];
                    }
                });
            } else if (closed) {
                const GaussianPrior& gaussian = gaussian_of(*complexity.prior, this->layout_, tile.block);
                const T precision             = static_cast<T>(1 / (gaussian.sd * gaussian.sd));
                with_prior_mean<T>(*complexity.prior, gaussian, [&](auto mean_at) {
                    in_strips(tile, draw, loss_gradient, sink, [&](std::size_t begin, std::size_t end) {
#pragma omp simd
                        for (std::size_t k = begin; k < end; ++k) {
                            const auto [sd, slope] = lanes::softplus_slope(r[k]);
                            mean_gradient[k] = g[k] + weight * limit((mean[k] - mean_at(tile.begin + k)) * precision);
                            sd_gradient[k]   = slope * g[k] * x[k] + weight * limit(slope * (sd * precision - 1 / sd));
                        }
                    });
                });
            } else {
                prior_pull(*complexity.prior, tile.block, tile.begin, draw.weights.data() + tile.begin, size, pull);
                in_strips(tile, draw, loss_gradient, sink, [&](std::size_t begin, std::size_t end) {
#pragma omp simd
                    for (std::size_t k = begin; k < end; ++k) {
                        const auto [sd, slope] = lanes::softplus_slope(r[k]);
                        mean_gradient[k]       = g[k] + weight * limit(pull[k]);
                        sd_gradient[k] = slope * g[k] * x[k] + weight * limit(slope * (pull[k] * x[k] - 1 / sd));
                    }
                });
            }
            sink(tile.begin, std::span<const T>(mean_gradient, size));
            sink(n() + tile.begin, std::span<const T>(sd_gradient, size));
        }
    });
}

template <class T>
typename MeanField<T>::SpreadSums MeanField<T>::spread_sums(std::size_t begin, std::size_t end) const
{
    alignas(64) T sd[WeightTile::longest];
    SpreadSums sums{0, 0};
    for (std::size_t from = begin; from < end; from += WeightTile::longest) {
        const std::size_t size = std::min(WeightTile::longest, end - from);
        const T* const r       = this->parameters_.data() + n() + from;
        double squares         = 0;
#pragma omp simd reduction(+ : squares)
        for (std::size_t k = 0; k < size; ++k) {
            sd[k] = lanes::softplus(r[k]);
            squares += static_cast<double>(sd[k]) * static_cast<double>(sd[k]);
        }
        sums.squares += squares;
        sums.logs += sum_of_logs(sd, size);
    }
    return sums;
}

template <class T>
std::optional<double> MeanField<T>::kl(const Prior& prior) const
{
    assert(prior.blocks.size() == this->layout_.blocks.size());
    if (!all_gaussian(prior))
        return std::nullopt;
    double total = 0;   // Σ ln(s/σ_i) + (σ_i² + (μ_i - m_i)²)/(2s²) - ½
    for (std::size_t b = 0; b < this->layout_.blocks.size(); ++b) {
        const Block& block            = this->layout_.blocks[b];
        const GaussianPrior& gaussian = std::get<GaussianPrior>(prior.blocks[b]);
        total += parallel_sum(block.size, elementwise_chunk, [&](std::size_t begin, std::size_t end) {
            const T* const mean = this->parameters_.data() + block.begin;
            double distances    = 0;
            with_prior_mean<double>(prior, gaussian, [&](auto mean_at) {
#pragma omp simd reduction(+ : distances)
                for (std::size_t k = begin; k < end; ++k) {
                    const double distance = static_cast<double>(mean[k]) - mean_at(block.begin + k);
                    distances += distance * distance;
                }
            });
            const SpreadSums spread = spread_sums(block.begin + begin, block.begin + end);
            return 0.5 * (spread.squares + distances) / (gaussian.sd * gaussian.sd) - spread.logs;
        });
        total += static_cast<double>(block.size) * (std::log(gaussian.sd) - 0.5);
    }
    return total;
}

template <class T>
std::optional<double> MeanField<T>::sampled_complexity(const Draw<T>& draw, const Prior& prior) const
{
    assert(prior.blocks.size() == this->layout_.blocks.size());
    double total = 0;   // ln q(w) = -Σ (½ ε² + ln σ_i + ½ ln 2π)
    for (std::size_t b = 0; b < this->layout_.blocks.size(); ++b) {
        const Block& block = this->layout_.blocks[b];
        total += parallel_sum(block.size, elementwise_chunk, [&](std::size_t begin, std::size_t end) {
            const T* const x = draw.noise.data() + block.begin;
            double squares   = 0;
#pragma omp simd reduction(+ : squares)
            for (std::size_t k = begin; k < end; ++k)
                squares += static_cast<double>(x[k]) * static_cast<double>(x[k]);
            const std::size_t from = block.begin + begin;
            return -0.5 * squares - spread_sums(from, block.begin + end).logs
                   - prior_log_density(prior, b, from, draw.weights.data() + from, end - begin);
        });
    }
    return total - 0.5 * std::log(2 * std::numbers::pi) * static_cast<double>(n());
}

template <class T>
void MeanField<T>::moments(std::span<float> mean, std::span<float> sd) const
{
    parallel_chunks(n(), elementwise_chunk, [&](std::size_t begin, std::size_t end) {
        const T* const r = this->parameters_.data() + n();
#pragma omp simd
        for (std::size_t i = begin; i < end; ++i) {
            mean[i] = static_cast<float>(this->parameters_[i]);
            sd[i]   = static_cast<float>(lanes::softplus(r[i]));
        }
    });
}

template <class T>
LayerUncertainty MeanField<T>::describe() const
{
    const T* const mean = this->parameters_.data();
    return uncertainty_of_blocks(this->layout_, mean, [&](std::size_t i) { return lanes::softplus(mean[n() + i]); });
}

template class MeanField<float>;
template class MeanField<double>;

}   // namespace credence
