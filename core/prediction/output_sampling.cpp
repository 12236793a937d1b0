// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/output_sampling.h"

#include "foundation/aligned_vector.h"
#include "foundation/lazily_made.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "foundation/simd_vector.h"
#include "foundation/wide_product.h"
#include "network/network.h"
#include "posterior/neighbour_correlation.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <mutex>
#include <type_traits>
#include <vector>

namespace credence {
namespace {

using RowLanes          = Sixteen<float>;
constexpr int row_lanes = DenseOutputDistribution::most_rows;
static_assert(row_lanes == RowLanes::lanes && padded_row<float>(row_lanes) == row_lanes);

}   // namespace

DenseOutputDistribution::DenseOutputDistribution(int in, int out, const Weights& weights, const Weights& biases)
    : in_(in), out_(out), rho_(static_cast<float>(weights.rho)), bias_rho_(static_cast<float>(biases.rho)),
      correlated_(weights.rho != 0 || biases.rho != 0), mean_(weights.mean), spread_(weights.sd),
      bias_mean_(biases.mean), bias_sd_(biases.sd)
{
    assert(weights.mean.size() == static_cast<std::size_t>(in) * static_cast<std::size_t>(out)
           && biases.mean.size() == static_cast<std::size_t>(out));
    if (!correlated_)
        parallel_chunks(weights.sd.size(), elementwise_chunk, [s = weights.sd](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                s[i] *= s[i];
        });
}

void DenseOutputDistribution::moments(const float* x, int rows, Moments& to) const
{
    assert(rows <= most_rows);
    const auto inputs = static_cast<std::size_t>(in_) * row_lanes, outputs = static_cast<std::size_t>(out_) * row_lanes;
    float *lanes = sized(to.inputs, inputs), *mean = sized(to.mean, outputs), *spread = sized(to.spread, outputs);
    for (int i = 0; i < in_; ++i)
        for (int r = 0; r < row_lanes; ++r)
            lanes[i * row_lanes + r] = r < rows ? x[std::ptrdiff_t{r} * in_ + i] : 0.0f;
    wide_product(Strided<float>{mean_.data(), in_}, lanes, row_lanes, mean, row_lanes, out_, in_, row_lanes,
                 Begin::rows, bias_mean_.data());
    if (correlated_) {
        sized(to.covariance, outputs);
        correlated_variances(lanes, to);
        return;
    }
    float* squares = sized(to.squares, inputs);
#pragma omp simd
    for (std::size_t i = 0; i < inputs; ++i)
        squares[i] = lanes[i] * lanes[i];
    wide_product(Strided<float>{spread_.data(), in_}, squares, row_lanes, spread, row_lanes, out_, in_, row_lanes,
                 Begin::zero);
    for (int o = 0; o < out_; ++o) {
        const float bias = bias_sd_[static_cast<std::size_t>(o)] * bias_sd_[static_cast<std::size_t>(o)];
#pragma omp simd
        for (int r = 0; r < row_lanes; ++r)
            spread[o * row_lanes + r] = std::sqrt(spread[o * row_lanes + r] + bias);
    }
}

void DenseOutputDistribution::correlated_variances(const float* x, Moments& to) const
{
    constexpr int at_once = 4;   // units, whose sums are independent
    const float strength = std::fabs(rho_), sign = rho_ < 0 ? -1.0f : 1.0f, alone = 1 - 2 * strength;
    const auto variances = [&]<int units>(std::integral_constant<int, units>, int first) {
        const float* s = spread_.data() + std::ptrdiff_t{first} * in_;
        RowLanes before[units], squares[units], pairs[units];
        for (int i = 0; i < in_; ++i) {
            const RowLanes input = RowLanes::load(x + i * row_lanes);
#pragma GCC unroll 4
            for (int u = 0; u < units; ++u) {
                const RowLanes a = s[std::ptrdiff_t{u} * in_ + i] * input, pair = before[u] + sign * a;
                squares[u] += a * a;
                pairs[u] += pair * pair;   // the first one: a_1²
                before[u] = a;
            }
        }
        for (int u = 0; u < units; ++u) {
            const float bias    = bias_sd_[static_cast<std::size_t>(first + u)];
            const auto variance = [=](auto square, auto pair, auto last) {
                return alone * square + strength * (pair + last * last) + bias * bias;
            };
            squares[u]
                .with(variance, pairs[u], before[u])
                .store(to.spread.data() + std::ptrdiff_t{first + u} * row_lanes);
        }
    };
    int first = 0;
    for (; first + at_once <= out_; first += at_once)
        variances(std::integral_constant<int, at_once>{}, first);
    for (; first < out_; ++first)
        variances(std::integral_constant<int, 1>{}, first);

    const RowLanes ends = rho_ * RowLanes::load(x) * RowLanes::load(x + std::ptrdiff_t{in_ - 1} * row_lanes);
    for (int o = 0; o < out_; ++o) {
        const auto unit = static_cast<std::size_t>(o), width = static_cast<std::size_t>(in_);
        RowLanes covariance;
        if (o + 1 < out_)
            covariance = ends * (spread_[(unit + 1) * width - 1] * spread_[(unit + 1) * width])
                         + bias_rho_ * bias_sd_[unit] * bias_sd_[unit + 1];
        covariance.store(to.covariance.data() + std::ptrdiff_t{o} * row_lanes);
    }
}

void DenseOutputDistribution::draw(const Moments& moments, int row, const float* noise, float* z) const
{
    const float *mean = moments.mean.data() + row, *spread = moments.spread.data() + row;
    if (!correlated_) {
        for (int o = 0; o < out_; ++o)
            z[o] = mean[o * row_lanes] + spread[o * row_lanes] * noise[o];
        return;
    }
    const float* covariance = moments.covariance.data() + row;
    float shared            = 0;   // l_{o-1} = Cov(z_{o-1}, z_o) / d_{o-1}: share of the previous unit's noise
    for (int o = 0; o < out_; ++o) {
        const float d = std::sqrt(std::max(0.0f, spread[o * row_lanes] - shared * shared));
        z[o]          = mean[o * row_lanes] + d * noise[o] + (o > 0 ? shared * noise[o - 1] : 0.0f);
        shared        = d > 0 ? covariance[o * row_lanes] / d : 0.0f;
    }
}

namespace {

constexpr int most_draws_of_task    = DenseOutputDistribution::most_rows;
constexpr std::size_t noise_at_once = 1024;   // generated and used in the L1 cache

struct WeightMoments {
    explicit WeightMoments(const Posterior& posterior)
        : mean(posterior.layout().size()), sd(mean.size()), rho(posterior.neighbour_correlations().value())
    {
        posterior.moments(mean, sd);
    }
    aligned_vector<float> mean, sd;
    std::vector<double> rho;   // per block
};

/// Samples the first weights of a flat vector, those of convolutions: w_i = m_i + s_i u_i, u_i =
/// s'_{i-1} ξ_{i-1} + t_i ξ_i within a block (docs/maths.md, section 1, all signs +).
class FrontWeights {
public:
    FrontWeights(const WeightMoments& all, const ParameterLayout& layout, std::size_t n)
        : mean_(std::span(all.mean).first(n)), sd_(std::span(all.sd).first(n))
    {
        const std::vector<double>& rho = all.rho;
        for (std::size_t b = 0; b < layout.blocks.size() && layout.blocks[b].begin < n; ++b) {
            const Block& block = layout.blocks[b];
            Part part{block.begin, block.end(), {}, {}};
            if (rho[b] != 0) {
                const std::size_t capacity = correlation_prefix_capacity(rho[b], block.size);
                aligned_vector<float> t(capacity), s(capacity), t_dot(capacity), s_dot(capacity);
                CorrelationPrefix<float> prefix{t.data(), s.data(), t_dot.data(), s_dot.data()};
                fill_correlation_prefix(rho[b], block.size, prefix);
                t.resize(prefix.length);
                s.resize(prefix.length);
                part.own    = std::move(t);
                part.before = std::move(s);
            }
            parts_.push_back(std::move(part));
        }
    }

    std::size_t size() const { return mean_.size(); }

    void draw(NoiseKey key, float* weights) const
    {
        alignas(64) float buffer[16 + noise_at_once];
        float* const noise = buffer + 16;   // preceded by the last value of the previous block
        std::size_t p      = 0;
        for (std::size_t begin = 0; begin < size(); begin += noise_at_once) {
            const std::size_t end = std::min(size(), begin + noise_at_once);
            noise[-1]             = begin > 0 ? noise[noise_at_once - 1] : 0.0f;
            standard_normals(key, begin, std::span<float>(noise, end - begin));
            for (std::size_t from = begin; from < end;) {
                while (parts_[p].end <= from)
                    ++p;
                const std::size_t to = std::min(end, parts_[p].end);
                take(parts_[p], from, to, noise + (from - begin), weights);
                from = to;
            }
        }
    }

private:
    struct Part {
        std::size_t begin, end;
        aligned_vector<float> own, before;   // t and s of CorrelationPrefix; empty: independent
    };

    void take(const Part& part, std::size_t from, std::size_t to, const float* noise, float* weights) const
    {
        const float *mean = mean_.data(), *sd = sd_.data();
        if (part.own.empty()) {
#pragma omp simd
            for (std::size_t i = from; i < to; ++i)
                weights[i] = mean[i] + sd[i] * noise[i - from];
            return;
        }
        const std::size_t settled = part.own.size();   // the coefficients are constant from here on
        std::size_t i             = from;
        for (; i < std::min(to, part.begin + settled + 1); ++i) {
            const std::size_t j = i - part.begin;
            const float left    = j > 0 ? part.before[j - 1] * noise[static_cast<std::ptrdiff_t>(i - from) - 1] : 0.0f;
            weights[i]          = mean[i] + sd[i] * (left + part.own[std::min(j, settled - 1)] * noise[i - from]);
        }
        const float own = part.own.back(), before = part.before.back();
        const float* x = noise + (i - from);
        float* w       = weights + i;
        mean += i;
        sd += i;
#pragma omp simd
        for (std::size_t k = 0; k < to - i; ++k)
            w[k] = mean[k] + sd[k] * (before * x[static_cast<std::ptrdiff_t>(k) - 1] + own * x[k]);
    }

    std::span<const float> mean_, sd_;
    std::vector<Part> parts_;
};

/// Data shared by all samples.
struct OutputDistributions {
    OutputDistributions(const Network<float>& network, const Posterior& posterior)
        : weights(posterior), front(weights, network.layout(), network.n_front_weights())
    {
        const auto& blocks = network.layout().blocks;
        for (std::size_t b = 0; b + 1 < blocks.size(); b += 2) {
            if (blocks[b].begin < network.n_front_weights()) {
                ++first_layer;
                continue;
            }
            const auto of = [&](std::size_t block) {
                const Block& one = blocks[block];
                return DenseOutputDistribution::Weights{
                    std::span<const float>(weights.mean).subspan(one.begin, one.size),
                    std::span<float>(weights.sd).subspan(one.begin, one.size), weights.rho[block]};
            };
            const auto units = blocks[b + 1].size;
            dense.emplace_back(static_cast<int>(blocks[b].size / units), static_cast<int>(units), of(b), of(b + 1));
            noise_of.push_back(blocks[b + 1].begin);
        }
    }

    WeightMoments weights;
    FrontWeights front;
    int first_layer = 0;   // the first dense layer
    std::vector<DenseOutputDistribution> dense;
    std::vector<std::size_t> noise_of;   // first index in a sample's key for the noise of the layer's biases
    std::once_flag first_made;
    DenseOutputDistribution::Moments first;   // of a layer with the same input in all samples
};

/// The state of one task.
class OutputTask final : public DrawnDense<float> {
public:
    OutputTask(const Network<float>& network, OutputDistributions& distributions, std::uint64_t seed, int most_draws)
        : network_(network), distributions_(distributions), seed_(seed),
          workspace_(network, most_draws, network.sees_images() ? 1 : 0), weights_(distributions.front.size())
    {}

    std::span<const float> run(int first_draw, int draws, const float* input, std::span<const DropoutNoise> masks)
    {
        first_draw_ = first_draw;
        return network_.forward_drawn(
            draws,
            [&](std::size_t d) {
            distributions_.front.draw(key(static_cast<int>(d)), weights_.data());
            return weights_.data();
            },
            *this, input, workspace_, masks);
    }

    void outputs(int layer, const float* x, bool same_inputs, float* y, int draws) override
    {
        const auto l                                = static_cast<std::size_t>(layer - distributions_.first_layer);
        const DenseOutputDistribution& distribution = distributions_.dense[l];
        if (same_inputs)
            std::call_once(distributions_.first_made, [&] { distribution.moments(x, 1, distributions_.first); });
        else
            distribution.moments(x, draws, moments_);
        const std::size_t units = static_cast<std::size_t>(distribution.out());
        float* noise            = sized(noise_, units);
        for (int d = 0; d < draws; ++d) {
            standard_normals(key(d), distributions_.noise_of[l], std::span<float>(noise, units));
            distribution.draw(same_inputs ? distributions_.first : moments_, same_inputs ? 0 : d, noise,
                              y + static_cast<std::size_t>(d) * units);
        }
    }

private:
    NoiseKey key(int d) const
    {
        return {seed_, Stream::prediction_outputs, static_cast<std::uint32_t>(first_draw_ + d)};
    }

    const Network<float>& network_;
    OutputDistributions& distributions_;
    std::uint64_t seed_;
    Network<float>::Workspace workspace_;
    aligned_vector<float> weights_, noise_;
    DenseOutputDistribution::Moments moments_;
    int first_draw_ = 0;
};

}   // namespace

bool has_output_distribution(const Model& model, const Posterior& posterior)
{
    return posterior.has_weight_noise() && !model.linearised_at_prediction
           && model.likelihood->n_constant_outputs() == 0   // which have no distribution from weights
           && posterior.neighbour_correlations().has_value();
}

bool for_each_output_draw(const Model& model, const Posterior& posterior, std::uint64_t seed, int n_samples,
                          std::span<const float> input, const std::stop_token& stop,
                          function_ref<void(int, std::span<const float>)> read)
{
    assert(has_output_distribution(model, posterior)
           && input.size() >= static_cast<std::size_t>(model.architecture.inputs));
    const Network<float> network(model.architecture);
    OutputDistributions distributions(network, posterior);
    // As many tasks as threads: a sample does not depend on its neighbours.
    const int in_a_round = most_draws_of_task * concurrency(), rounds = (n_samples + in_a_round - 1) / in_a_round,
              n_tasks = std::min(n_samples, rounds * concurrency()), most = (n_samples + n_tasks - 1) / n_tasks;
    const auto begin_of = [&](std::size_t task) {
        return static_cast<int>(std::int64_t{n_samples} * static_cast<std::int64_t>(task) / n_tasks);
    };
    ObjectPool<OutputTask> tasks([&] { return std::make_unique<OutputTask>(network, distributions, seed, most); });
    std::atomic<int> done{0};
    parallel_for(static_cast<std::size_t>(n_tasks), [&](std::size_t t) {
        if (stop.stop_requested())
            return;
        const int first = begin_of(t), draws = begin_of(t + 1) - first;
        std::vector<DropoutNoise> masks;
        if (model.dropout_at_prediction)
            for (int d = 0; d < draws; ++d)
                masks.push_back({{seed, Stream::prediction_dropout, static_cast<std::uint32_t>(first + d)}, 0});
        tasks.borrow([&](OutputTask& task) { read(first, task.run(first, draws, input.data(), masks)); });
        report_share(static_cast<double>(done += draws) / n_samples);
    });
    return !stop.stop_requested();
}

}   // namespace credence
