// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/scaled_means.h"

#include "foundation/elementary.h"
#include "posterior/neighbour_correlation.h"
#include "posterior/prior_terms.h"
#include "posterior/weight_passes.h"

#include <algorithm>
#include <cassert>

namespace credence {

/// Loops over the weights of a tile.
namespace scaled_means_loops {

/// The means to the left and right of a tile. `after` of a block's last weight is that weight's own
/// mean.
template <class T>
struct Neighbours {
    T mean_before, noise_before, mean_after;
};

/// e (and ė = ∂e/∂ρ) of the weights j0 .. j0 + n - 1 of a block.
/// @param m  [n] means, @param x  [n] noise, from weight j0 on
template <bool with_derivative, class T>
void neighbour_noise(const CorrelationPrefix<T>& prefix, std::size_t j0, std::size_t n, const T* m, const T* x,
                     const Neighbours<T>& neighbours, T* e, [[maybe_unused]] T* e_dot)
{
    const auto edge = [&](std::size_t k, T m_before, T x_before, T m_after) {
        const std::size_t j = j0 + k, own = std::min(j, prefix.length - 1), before = std::min(j - 1, prefix.length - 1);
        e[k] = sign(m_after) * prefix.t[own] * x[k];
        if (j > 0)
            e[k] += sign(m_before) * prefix.s[before] * x_before;
        if constexpr (with_derivative) {
            e_dot[k] = sign(m_after) * prefix.t_dot[own] * x[k];
            if (j > 0)
                e_dot[k] += sign(m_before) * prefix.s_dot[before] * x_before;
        }
    };
    edge(0, neighbours.mean_before, neighbours.noise_before, n == 1 ? neighbours.mean_after : m[1]);
    if (n == 1)
        return;
    // Interior: weights within the stored prefix, then those beyond it, where the coefficients are
    // constant.
    const std::size_t stored = std::clamp<std::size_t>(prefix.length > j0 ? prefix.length - j0 : 0, 1, n - 1);
    const T *t = prefix.t + j0, *s = prefix.s + j0, *t_dot = prefix.t_dot + j0, *s_dot = prefix.s_dot + j0;
#pragma omp simd
    for (std::size_t k = 1; k < stored; ++k) {
        const T left = sign(m[k - 1]) * x[k - 1], right = sign(m[k + 1]) * x[k];
        e[k] = left * s[k - 1] + right * t[k];
        if constexpr (with_derivative)
            e_dot[k] = left * s_dot[k - 1] + right * t_dot[k];
    }
    const std::size_t end = prefix.length - 1;
    const T t_end = prefix.t[end], s_end = prefix.s[end], t_dot_end = prefix.t_dot[end], s_dot_end = prefix.s_dot[end];
#pragma omp simd
    for (std::size_t k = stored; k < n - 1; ++k) {
        const T left = sign(m[k - 1]) * x[k - 1], right = sign(m[k + 1]) * x[k];
        e[k] = left * s_end + right * t_end;
        if constexpr (with_derivative)
            e_dot[k] = left * s_dot_end + right * t_dot_end;
    }
    edge(n - 1, m[n - 2], x[n - 2], neighbours.mean_after);
}

/// -1/m_i + (τ²/ζ²) m_i + (m_i - μ_i)/ζ² added to the data term; sums for δ and γ.
/// @param gradient  out
template <bool correlated, class T, class Sums, class MeanAt>
void closed_pullback(std::size_t n, const T* m, const T* g, const T* e, const T* e_dot, T tau, T precision, T weight,
                     Limit<T> limit, std::size_t begin, MeanAt mean_at, T* gradient, Sums& sums)
{
    const T spread = tau * tau * precision;
    T delta = 0, gamma = 0, square = 0;
#pragma omp simd reduction(+ : delta, gamma, square)
    for (std::size_t k = 0; k < n; ++k) {
        const T complexity = limit(spread * m[k] + (m[k] - mean_at(begin + k)) * precision - 1 / m[k]);
        gradient[k]        = g[k] * (1 + tau * e[k]) + weight * complexity;
        const T gm         = g[k] * m[k];
        delta += gm * e[k];
        if constexpr (correlated)
            gamma += gm * e_dot[k];
        square += m[k] * m[k];
    }
    sums = {static_cast<double>(delta), static_cast<double>(gamma), static_cast<double>(square), 0};
}

template <bool correlated, class T, class Sums>
void sampled_pullback(std::size_t n, const T* m, const T* g, const T* e, const T* e_dot, T tau, const T* pull, T weight,
                      Limit<T> limit, T* gradient, Sums& sums)
{
    T delta = 0, gamma = 0, complexity_delta = 0, complexity_gamma = 0;
#pragma omp simd reduction(+ : delta, gamma, complexity_delta, complexity_gamma)
    for (std::size_t k = 0; k < n; ++k) {
        const T factor     = 1 + tau * e[k];
        const T complexity = limit(pull[k] * factor - 1 / m[k]);
        gradient[k]        = g[k] * factor + weight * complexity;
        const T gm = g[k] * m[k], hm = pull[k] * m[k];
        delta += gm * e[k];
        complexity_delta += hm * e[k];
        if constexpr (correlated) {
            gamma += gm * e_dot[k];
            complexity_gamma += hm * e_dot[k];
        }
    }
    sums = {static_cast<double>(delta), static_cast<double>(gamma), static_cast<double>(complexity_delta),
            static_cast<double>(complexity_gamma)};
}

template <bool correlated, class T, class Sums>
void plain_pullback(std::size_t n, const T* m, const T* g, const T* e, const T* e_dot, T tau, T* gradient, Sums& sums)
{
    T delta = 0, gamma = 0;
#pragma omp simd reduction(+ : delta, gamma)
    for (std::size_t k = 0; k < n; ++k) {
        gradient[k] = g[k] * (1 + tau * e[k]);
        const T gm  = g[k] * m[k];
        delta += gm * e[k];
        if constexpr (correlated)
            gamma += gm * e_dot[k];
    }
    sums = {static_cast<double>(delta), static_cast<double>(gamma), 0, 0};
}

}   // namespace scaled_means_loops

using namespace scaled_means_loops;

template <class T, bool correlated>
ScaledMeans<T, correlated>::ScaledMeans(const ParameterLayout& layout, const PosteriorOptions& options,
                                        std::span<const float> means)
    : VariationalFamily<T>(layout, means), tiles_(layout), guard_gamma_(options.guard_gamma),
      guard_spread_(options.guard_spread), smallest_delta_(static_cast<T>(options.guard_delta)),
      smallest_mean_(static_cast<T>(options.guard_mean))
{
    require_initial_tau(options, layout);
    if constexpr (correlated)
        require_initial_rho(options, layout);
    auto& parameters = this->parameters_;
    parameters.resize(n() + (correlated ? 2 : 1) * n_blocks());
    for (std::size_t i = 0; i < n(); ++i)
        parameters[i] = guarded_mean(static_cast<T>(means[i]), sign(static_cast<T>(means[i])));
    for (std::size_t b = 0; b < n_blocks(); ++b) {
        parameters[n() + b] = static_cast<T>(inverse_softplus(initial_tau(options, b)));
        if constexpr (correlated)
            parameters[n() + n_blocks() + b] = static_cast<T>(2 * std::atanh(2 * initial_rho(options, b)));
    }
}

template <class T, bool correlated>
std::vector<ParameterGroup> ScaledMeans<T, correlated>::groups() const
{
    std::vector<ParameterGroup> groups{{ParameterGroup::Kind::mean, 0, n(), -1}};
    for (std::size_t b = 0; b < n_blocks(); ++b)
        groups.push_back({ParameterGroup::Kind::delta, n() + b, 1, static_cast<int>(b)});
    for (std::size_t b = 0; correlated && b < n_blocks(); ++b)
        groups.push_back({ParameterGroup::Kind::gamma, n() + n_blocks() + b, 1, static_cast<int>(b)});
    return groups;
}

template <class T, bool correlated>
double ScaledMeans<T, correlated>::tau(std::size_t block) const
{
    return softplus(static_cast<double>(this->parameters_[n() + block]));
}

template <class T, bool correlated>
double ScaledMeans<T, correlated>::rho(std::size_t block) const
{
    if constexpr (correlated)
        return 0.5 * std::tanh(0.5 * static_cast<double>(this->parameters_[n() + n_blocks() + block]));
    else
        return 0;
}

template <class T, bool correlated>
std::size_t ScaledMeans<T, correlated>::prefix_capacity(std::size_t block) const
{
    return correlated ? correlation_prefix_capacity(rho(block), this->layout_.blocks[block].size) : 0;
}

template <class T, bool correlated>
ScaledMeans<T, correlated>::Terms::Terms(const ScaledMeans& self, std::size_t more_bytes)
    : scratch([&] {
          std::size_t bytes = more_bytes + Scratch::bytes_for<BlockTerms>(self.n_blocks());
          for (std::size_t b = 0; b < self.n_blocks(); ++b)
              bytes += 4 * Scratch::bytes_for<T>(self.prefix_capacity(b));
          return bytes;
      }()),
      blocks(scratch.template take<BlockTerms>(self.n_blocks()))
{
    for (std::size_t b = 0; b < self.n_blocks(); ++b) {
        const double delta = self.parameters_[self.n() + b];
        blocks[b]          = {self.tau(b), sigmoid(delta), 0, 0, 0, {}};
        if constexpr (correlated) {
            const double gamma         = self.parameters_[self.n() + self.n_blocks() + b];
            blocks[b].rho              = self.rho(b);
            blocks[b].w_gamma          = sigmoid(gamma) * sigmoid(-gamma);
            const std::size_t capacity = self.prefix_capacity(b);
            const auto array           = [&] { return scratch.template take<T>(capacity).data(); };
            blocks[b].prefix           = {array(), array(), array(), array()};
            fill_correlation_prefix(blocks[b].rho, self.layout_.blocks[b].size, blocks[b].prefix);
        }
    }
}

template <class T, bool correlated>
void ScaledMeans<T, correlated>::draw(NoiseKey key, Draw<T>& out) const
{
    out.key = key;
    const Terms terms(*this, 0);
    tiles_.for_each_chunk([&](std::size_t first, std::size_t last) {
        const std::size_t begin = tiles_[first].begin, end = tiles_[last - 1].end;
        standard_normals(key, begin, std::span<T>(out.noise).subspan(begin, end - begin));
        T noise_before = 0;   // generated again: another thread can be processing the previous chunk
        if (correlated && begin > this->layout_.blocks[tiles_[first].block].begin)
            standard_normals(key, begin - 1, std::span<T>(&noise_before, 1));
        transform_chunk(terms, first, last, noise_before, out);
    });
}

template <class T, bool correlated>
void ScaledMeans<T, correlated>::transform(Draw<T>& out) const
{
    const Terms terms(*this, 0);
    tiles_.for_each_chunk([&](std::size_t first, std::size_t last) {
        const std::size_t begin = tiles_[first].begin;
        transform_chunk(terms, first, last, begin > 0 ? out.noise[begin - 1] : T(0), out);
    });
}

template <class T, bool correlated>
void ScaledMeans<T, correlated>::transform_chunk(const Terms& terms, std::size_t first, std::size_t last,
                                                 T noise_before, Draw<T>& out) const
{
    for (std::size_t p = first; p < last; ++p) {
        const WeightTile& tile = tiles_[p];
        const Block& block     = this->layout_.blocks[tile.block];
        const BlockTerms& term = terms.blocks[tile.block];
        const T* const m       = this->parameters_.data() + tile.begin;
        const T* const x       = out.noise.data() + tile.begin;
        T* const w             = out.weights.data() + tile.begin;
        const T tau            = static_cast<T>(term.tau);
        const T* e             = x;
        if constexpr (correlated) {
            const bool at_start = tile.begin == block.begin, at_end = tile.end == block.end();
            const Neighbours<T> neighbours{at_start ? T(0) : m[-1], p == first ? noise_before : x[-1],
                                           at_end ? m[tile.size() - 1] : m[tile.size()]};
            neighbour_noise<false, T>(term.prefix, tile.begin - block.begin, tile.size(), m, x, neighbours, w, nullptr);
            e = w;
        }
#pragma omp simd
        for (std::size_t k = 0; k < tile.size(); ++k)
            w[k] = m[k] * (1 + tau * e[k]);
    }
}

template <class T, bool correlated>
void ScaledMeans<T, correlated>::store_chunk_borders(std::span<T> mean_before, std::span<T> mean_after) const
{
    const T* const means = this->parameters_.data();
    for (std::size_t c = 0; c < mean_before.size(); ++c) {
        const std::size_t begin = c * tiles_.chunk(), end = std::min(n(), begin + tiles_.chunk());
        mean_before[c] = begin > 0 ? means[begin - 1] : T(0);
        mean_after[c]  = end < n() ? means[end] : T(0);
    }
}

template <class T, bool correlated>
void ScaledMeans<T, correlated>::pullback(const Draw<T>& draw, std::span<const T> loss_gradient,
                                          const Complexity& complexity, GradientSink<T> sink) const
{
    const bool with_complexity = complexity.has_kl(), closed = complexity.kind == Complexity::Kind::closed;
    const auto chunks = tiles_.n_chunks();
    Terms terms(*this, 2 * Scratch::bytes_for<T>(chunks) + Scratch::bytes_for<TileSums>(tiles_.count())
                           + 2 * Scratch::bytes_for<T>(n_blocks()));
    const auto mean_before    = terms.scratch.template take<T>(chunks),
               mean_after     = terms.scratch.template take<T>(chunks);
    const auto sums           = terms.scratch.template take<TileSums>(tiles_.count());
    const auto delta_gradient = terms.scratch.template take<T>(n_blocks()),
               gamma_gradient = terms.scratch.template take<T>(n_blocks());
    if (with_complexity && closed)
        for (std::size_t b = 0; b < n_blocks(); ++b) {
            const double zeta               = gaussian_of(*complexity.prior, this->layout_, b).sd;
            terms.blocks[b].prior_precision = 1 / (zeta * zeta);
        }

    store_chunk_borders(mean_before, mean_after);
    const T* const means = this->parameters_.data();
    const Limit<T> limit(complexity.limit);
    const T weight = static_cast<T>(complexity.weight);
    tiles_.for_each_chunk([&](std::size_t first, std::size_t last) {
        alignas(64) T gradient[WeightTile::longest], pull[WeightTile::longest];
        alignas(64) T e_own[correlated ? WeightTile::longest : 1], e_dot[correlated ? WeightTile::longest : 1];
        const std::size_t chunk = tiles_[first].begin / tiles_.chunk();
        T before                = mean_before[chunk];
        for (std::size_t p = first; p < last; ++p) {
            const WeightTile& tile = tiles_[p];
            const Block& block     = this->layout_.blocks[tile.block];
            const BlockTerms& term = terms.blocks[tile.block];
            const std::size_t size = tile.size();
            const T* const m       = means + tile.begin;
            const T* const g       = loss_gradient.data() + tile.begin;
            const T* e             = draw.noise.data() + tile.begin;
            const T tau            = static_cast<T>(term.tau);
            if constexpr (correlated) {
                const T after = tile.end == block.end() ? m[size - 1] : p + 1 == last ? mean_after[chunk] : m[size];
                const Neighbours<T> neighbours{before, tile.begin > block.begin ? e[-1] : T(0), after};
                neighbour_noise<true, T>(term.prefix, tile.begin - block.begin, size, m, e, neighbours, e_own, e_dot);
                before = m[size - 1];
                e      = e_own;
            }
            if (!with_complexity) {
                plain_pullback<correlated>(size, m, g, e, e_dot, tau, gradient, sums[p]);
            } else if (closed) {
                with_prior_mean<T>(*complexity.prior, gaussian_of(*complexity.prior, this->layout_, tile.block),
                                   [&](auto mean_at) {
                    closed_pullback<correlated>(size, m, g, e, e_dot, tau, static_cast<T>(term.prior_precision), weight,
                                                limit, tile.begin, mean_at, gradient, sums[p]);
                });
            } else {
                prior_pull(*complexity.prior, tile.block, tile.begin, draw.weights.data() + tile.begin, size, pull);
                sampled_pullback<correlated>(size, m, g, e, e_dot, tau, pull, weight, limit, gradient, sums[p]);
            }
            sink(tile.begin, std::span<const T>(gradient, size));
        }
    });

    block_gradients(terms, sums, complexity, delta_gradient, gamma_gradient);
    sink(n(), std::span<const T>(delta_gradient));
    if constexpr (correlated)
        sink(n() + n_blocks(), std::span<const T>(gamma_gradient));
}

template <class T, bool correlated>
void ScaledMeans<T, correlated>::block_gradients(const Terms& terms, std::span<const TileSums> sums,
                                                 const Complexity& complexity, std::span<T> delta_gradient,
                                                 std::span<T> gamma_gradient) const
{
    std::size_t p = 0;
    for (std::size_t b = 0; b < n_blocks(); ++b) {
        const BlockTerms& term = terms.blocks[b];
        const double K         = static_cast<double>(this->layout_.blocks[b].size);
        TileSums sum{0, 0, 0, 0};
        for (; p < tiles_.count() && tiles_[p].block == b; ++p) {
            sum.delta += sums[p].delta;
            sum.gamma += sums[p].gamma;
            sum.complexity_delta += sums[p].complexity_delta;
            sum.complexity_gamma += sums[p].complexity_gamma;
        }
        double delta = term.w_delta * sum.delta, gamma = term.w_gamma * term.tau * sum.gamma;
        if (complexity.has_kl()) {
            const Limit<double> clip(complexity.limit);
            const bool closed   = complexity.kind == Complexity::Kind::closed;
            const double spread = closed ? term.tau * term.prior_precision * sum.complexity_delta
                                         : sum.complexity_delta;
            delta += complexity.weight * clip(term.w_delta * (spread - K / term.tau));
            if constexpr (correlated)
                gamma += complexity.weight
                         * clip(term.w_gamma * (term.tau * sum.complexity_gamma - 0.5 * term.prefix.d_log_det));
        }
        delta_gradient[b] = static_cast<T>(delta);
        gamma_gradient[b] = static_cast<T>(complexity.kappa * gamma);
    }
}

template <class T, bool correlated>
std::optional<double> ScaledMeans<T, correlated>::kl(const Prior& prior) const
{
    assert(prior.blocks.size() == n_blocks());
    if (!all_gaussian(prior))
        return std::nullopt;
    double total = 0;
    for (std::size_t b = 0; b < n_blocks(); ++b) {
        const Block& block            = this->layout_.blocks[b];
        const GaussianPrior& gaussian = std::get<GaussianPrior>(prior.blocks[b]);
        const T* const m              = this->parameters_.data() + block.begin;
        const double K = static_cast<double>(block.size), t = tau(b), precision = 1 / (gaussian.sd * gaussian.sd);
        // ½ [-2 ln|m_i| + (τ²/ζ²) m_i² + (m_i - μ_i)²/ζ²] summed over the block
        total += parallel_sum(block.size, elementwise_chunk, [&](std::size_t begin, std::size_t end) {
            double squares = 0, distances = 0;
            with_prior_mean<double>(prior, gaussian, [&](auto mean_at) {
#pragma omp simd reduction(+ : squares, distances)
                for (std::size_t k = begin; k < end; ++k) {
                    const double mean = m[k], distance = mean - mean_at(block.begin + k);
                    squares += mean * mean;
                    distances += distance * distance;
                }
            });
            return 0.5 * precision * (t * t * squares + distances) - sum_of_logs(m + begin, end - begin);
        });
        total += K * (std::log(gaussian.sd) - std::log(t) - 0.5);
        if constexpr (correlated)
            total -= 0.5 * log_det_correlation(rho(b), block.size);
    }
    return total;
}

template <class T, bool correlated>
std::optional<double> ScaledMeans<T, correlated>::sampled_complexity(const Draw<T>& draw, const Prior& prior) const
{
    assert(prior.blocks.size() == n_blocks());
    double total = 0;   // ln q(w) = -½ Σ x² - ½ ln det(2πΣ), det Σ = τ^{2K} Π m_i² D_K
    for (std::size_t b = 0; b < n_blocks(); ++b) {
        const Block& block = this->layout_.blocks[b];
        const T* const m   = this->parameters_.data() + block.begin;
        total += parallel_sum(block.size, elementwise_chunk, [&](std::size_t begin, std::size_t end) {
            const T* const x = draw.noise.data() + block.begin;
            double squares   = 0;
#pragma omp simd reduction(+ : squares)
            for (std::size_t k = begin; k < end; ++k)
                squares += static_cast<double>(x[k]) * static_cast<double>(x[k]);
            return -0.5 * squares - sum_of_logs(m + begin, end - begin)
                   - prior_log_density(prior, b, block.begin + begin, draw.weights.data() + block.begin + begin,
                                       end - begin);
        });
        total -= static_cast<double>(block.size) * (std::log(tau(b)) + 0.5 * std::log(2 * std::numbers::pi));
        if constexpr (correlated)
            total -= 0.5 * log_det_correlation(rho(b), block.size);
    }
    return total;
}

template <class T, bool correlated>
void ScaledMeans<T, correlated>::apply_guards(NoiseKey coins)
{
    auto& parameters = this->parameters_;
    if (guard_spread_) {
        tiles_.for_each_chunk([&](std::size_t first, std::size_t last) {
            const std::size_t begin = tiles_[first].begin, end = tiles_[last - 1].end;
            T* const means   = parameters.data();
            const T smallest = smallest_mean_;
            int small        = 0;   // most chunks have no mean near zero, and then need no coins
#pragma omp simd reduction(+ : small)
            for (std::size_t i = begin; i < end; ++i)
                small += std::fabs(means[i]) < smallest ? 1 : 0;
            if (small == 0)
                return;
            for (std::size_t i = begin; i < end; ++i)
                if (std::fabs(means[i]) < smallest)
                    means[i] = guarded_mean(means[i], coin_of<T>(coins, i), smallest);
        });
        for (std::size_t b = 0; b < n_blocks(); ++b)
            parameters[n() + b] = guarded_delta(parameters[n() + b], smallest_delta_);
    }
    if constexpr (correlated)
        for (std::size_t i = n() + n_blocks(); i < n() + 2 * n_blocks(); ++i) {
            if (guard_gamma_)
                parameters[i] = guarded_gamma(parameters[i], coin_of<T>(coins, i));
            if (guard_spread_)
                parameters[i] = limited_gamma(parameters[i]);
        }
}

template <class T, bool correlated>
void ScaledMeans<T, correlated>::moments(std::span<float> mean, std::span<float> sd) const
{
    tiles_.for_each_chunk([&](std::size_t first, std::size_t last) {
        for (std::size_t p = first; p < last; ++p) {
            const T scale = static_cast<T>(tau(tiles_[p].block));
            for (std::size_t i = tiles_[p].begin; i < tiles_[p].end; ++i) {
                mean[i] = static_cast<float>(this->parameters_[i]);
                sd[i]   = static_cast<float>(scale * std::fabs(this->parameters_[i]));
            }
        }
    });
}

template <class T, bool correlated>
std::optional<std::vector<double>> ScaledMeans<T, correlated>::neighbour_correlations() const
{
    std::vector<double> correlations;
    for (std::size_t b = 0; b < n_blocks(); ++b)
        correlations.push_back(rho(b));
    return correlations;
}

template <class T, bool correlated>
LayerUncertainty ScaledMeans<T, correlated>::describe() const
{
    LayerUncertainty layers;
    for (std::size_t b = 0; b < n_blocks(); ++b) {
        const Block& block = this->layout_.blocks[b];
        const T* const m   = this->parameters_.data() + block.begin;
        BlockUncertainty entry{.block = block.name, .kind = block.kind, .tau = tau(b), .rho = {}, .dropout_rate = {}};
        if constexpr (correlated)
            entry.rho = rho(b);
        entry.mean_abs           = mean_of_absolute(m, block.size);
        entry.median_sd          = tau(b) * median_over_block(block.size, [&](std::size_t k) {
                              return static_cast<float>(std::fabs(m[k]));
                          });
        entry.median_relative_sd = tau(b);
        layers.push_back(std::move(entry));
    }
    return layers;
}

template class ScaledMeans<float, false>;
template class ScaledMeans<double, false>;
template class ScaledMeans<float, true>;
template class ScaledMeans<double, true>;

template class LayerScale<float>;
template class LayerScale<double>;

template <class T>
NeighbourFactor Tridiagonal<T>::neighbour_factor(std::size_t b) const
{
    const Block& block = this->layout_.blocks[b];
    const T* const m   = this->parameters_.data() + block.begin;
    const double tau = this->tau(b), rho = this->rho(b);
    const auto r_squared = squared_correlations(rho, block.size);
    NeighbourFactor factor;
    for (std::size_t i = 0; i < block.size; ++i) {
        const bool last = i + 1 == block.size;
        const double t = std::sqrt(1 - r_squared[i]), own = m[i], next = last ? own : static_cast<double>(m[i + 1]);
        factor.diagonal.push_back(tau * own * sign(next) * t);
        if (!last)
            factor.subdiagonal.push_back(tau * rho / t * sign(own) * next);
    }
    return factor;
}

template <class T>
NeighbourCovariance Tridiagonal<T>::neighbour_covariance(std::size_t b) const
{
    const NeighbourFactor factor = neighbour_factor(b);
    const std::size_t K          = factor.diagonal.size();
    NeighbourCovariance covariance;
    for (std::size_t i = 0; i < K; ++i) {
        const double a = factor.diagonal[i], c_before = i > 0 ? factor.subdiagonal[i - 1] : 0;
        covariance.diagonal.push_back(a * a + c_before * c_before);
        if (i + 1 < K)
            covariance.off_diagonal.push_back(a * factor.subdiagonal[i]);
        covariance.log_determinant += 2 * std::log(std::fabs(a));
    }
    covariance.log_det_correlation = log_det_correlation(this->rho(b), K);
    return covariance;
}

template <class T>
Covariance Tridiagonal<T>::covariance() const
{
    NeighbourCovariances all;
    for (std::size_t b = 0; b < this->layout_.blocks.size(); ++b)
        all.blocks.push_back(neighbour_covariance(b));
    return all;
}

template <class T>
std::vector<double> Tridiagonal<T>::relative_noise(std::size_t b, std::span<const T> noise) const
{
    const Block& block = this->layout_.blocks[b];
    assert(noise.size() == block.size);
    const NeighbourFactor factor = neighbour_factor(b);
    const T* const m             = this->parameters_.data() + block.begin;
    std::vector<double> e;
    for (std::size_t i = 0; i < block.size; ++i) {
        const double before = i > 0 ? factor.subdiagonal[i - 1] * static_cast<double>(noise[i - 1]) : 0;
        e.push_back((factor.diagonal[i] * static_cast<double>(noise[i]) + before)
                    / (this->tau(b) * static_cast<double>(m[i])));
    }
    return e;
}

template class Tridiagonal<float>;
template class Tridiagonal<double>;

}   // namespace credence
