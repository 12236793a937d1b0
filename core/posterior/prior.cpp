// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/prior.h"

#include "foundation/elementary.h"
#include "foundation/parallel.h"
#include "posterior/prior_terms.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace credence {
namespace {

/// ln N(w; 0, sd²)
double log_normal(double w, double sd)
{
    static const double half_log_two_pi = 0.5 * std::log(2 * std::numbers::pi);
    const double z                      = w / sd;
    return -0.5 * z * z - std::log(sd) - half_log_two_pi;
}

double log_wide(const ScaleMixturePrior& prior, double w)
{
    return std::log(prior.pi) + log_normal(w, prior.sigma_wide);
}
double log_narrow(const ScaleMixturePrior& prior, double w)
{
    return std::log1p(-prior.pi) + log_normal(w, prior.sigma_narrow);
}

}   // namespace

GaussianPrior GaussianPrior::from_precision(double precision, double mean) { return {mean, 1 / std::sqrt(precision)}; }

Prior Prior::same(const ParameterLayout& layout, BlockPrior prior) { return weights_and_biases(layout, prior, prior); }

Prior Prior::weights_and_biases(const ParameterLayout& layout, BlockPrior weights, BlockPrior biases)
{
    Prior prior;
    prior.blocks.reserve(layout.blocks.size());
    for (const Block& block : layout.blocks)
        prior.blocks.push_back(block.kind == BlockKind::biases ? biases : weights);
    return prior;
}

double wide_responsibility(const ScaleMixturePrior& prior, double w)
{
    return sigmoid(log_wide(prior, w) - log_narrow(prior, w));
}

void draw_from(const Prior& prior, const ParameterLayout& layout, NoiseKey key, std::span<float> weights)
{
    std::vector<float> coins(layout.size());
    standard_normals(key, 0, weights.first(layout.size()));
    uniforms(key, 0, std::span<float>(coins));
    for (std::size_t b = 0; b < layout.blocks.size(); ++b)
        for (std::size_t i = layout.blocks[b].begin; i < layout.blocks[b].end(); ++i) {
            double mean = 0, sd = 1;
            if (const auto* gaussian = std::get_if<GaussianPrior>(&prior.blocks[b])) {
                mean = prior.means.empty() ? gaussian->mean : prior.means[i];
                sd   = gaussian->sd;
            } else {
                const auto& mixture = std::get<ScaleMixturePrior>(prior.blocks[b]);
                sd = static_cast<double>(coins[i]) < mixture.pi ? mixture.sigma_wide : mixture.sigma_narrow;
            }
            weights[i] = static_cast<float>(mean + sd * static_cast<double>(weights[i]));
        }
}

double log_density(const BlockPrior& prior, double w)
{
    if (const auto* gaussian = std::get_if<GaussianPrior>(&prior))
        return log_normal(w - gaussian->mean, gaussian->sd);
    const auto& mixture = std::get<ScaleMixturePrior>(prior);
    return log_add_exp(log_wide(mixture, w), log_narrow(mixture, w));
}

double log_density_gradient(const BlockPrior& prior, double w)
{
    if (const auto* gaussian = std::get_if<GaussianPrior>(&prior))
        return -(w - gaussian->mean) / (gaussian->sd * gaussian->sd);
    const auto& mixture = std::get<ScaleMixturePrior>(prior);
    const double gap    = log_wide(mixture, w) - log_narrow(mixture, w);
    const double wide = mixture.sigma_wide * mixture.sigma_wide, narrow = mixture.sigma_narrow * mixture.sigma_narrow;
    return -w * (sigmoid(gap) / wide + sigmoid(-gap) / narrow);   // σ(-gap) = 1 - R without cancellation
}

namespace {

const ScaleMixturePrior* mixture_of_all(const Prior& prior)
{
    return prior.blocks.empty() ? nullptr : std::get_if<ScaleMixturePrior>(&prior.blocks.front());
}

/// n − Σ (spread(i)² + (centre(i) − m_i)²)/s² over a block: the derivative with respect to a
/// Gaussian's ln s.
template <class T>
double pull_of_gaussian(const Prior& prior, const GaussianPrior& gaussian, const Block& block, const T* centre,
                        const T* spread)
{
    const double scale = 1 / (gaussian.sd * gaussian.sd);
    return static_cast<double>(block.size)
           - scale * parallel_sum(block.size, elementwise_chunk, [&](std::size_t begin, std::size_t end) {
                 double sum = 0;
                 with_prior_mean<double>(prior, gaussian, [&](auto mean_at) {
#pragma omp simd reduction(+ : sum)
                     for (std::size_t i = block.begin + begin; i < block.begin + end; ++i) {
                         const double distance = static_cast<double>(centre[i]) - mean_at(i);
                         const double sd       = spread ? static_cast<double>(spread[i]) : 0;
                         sum += distance * distance + sd * sd;
                     }
                 });
                 return sum;
             });
}

/// Sums over all weights of `share` and of `share` w², where share is that of the wide component or
/// of the narrow one.
template <class T>
std::pair<double, double> sums_of_component(const MixtureTerms<T>& terms, std::span<const T> weights, bool wide)
{
    const auto sum_of = [&](auto value_at) {
        return parallel_sum(weights.size(), elementwise_chunk, [&](std::size_t begin, std::size_t end) {
            double sum = 0;
#pragma omp simd reduction(+ : sum)
            for (std::size_t i = begin; i < end; ++i) {
                const auto shares = terms.shares(weights[i]);
                sum += static_cast<double>(value_at(wide ? shares.wide : shares.narrow, weights[i]));
            }
            return sum;
        });
    };
    return {sum_of([](T share, T) { return share; }), sum_of([](T share, T w) { return share * w * w; })};
}

}   // namespace

std::vector<double> learned_values(const Prior& prior)
{
    if (const auto* mixture = mixture_of_all(prior))
        return {mixture->pi, mixture->sigma_wide, mixture->sigma_narrow};
    std::vector<double> sds;
    for (const BlockPrior& block : prior.blocks)
        sds.push_back(std::get<GaussianPrior>(block).sd);
    return sds;
}

std::vector<double> learned_parameters(const Prior& prior)
{
    std::vector<double> parameters = learned_values(prior);
    const bool is_mixture          = mixture_of_all(prior) != nullptr;
    for (std::size_t j = 0; j < parameters.size(); ++j)
        parameters[j] = std::log(parameters[j]) - (is_mixture && j == 0 ? std::log1p(-parameters[j]) : 0);
    return parameters;
}

template <class T>
void set_learned_parameters(Prior& prior, std::span<const T> parameters)
{
    if (mixture_of_all(prior)) {
        assert(parameters.size() == 3);
        const ScaleMixturePrior learned{sigmoid(static_cast<double>(parameters[0])),
                                        std::exp(static_cast<double>(parameters[1])),
                                        std::exp(static_cast<double>(parameters[2]))};
        std::fill(prior.blocks.begin(), prior.blocks.end(), BlockPrior(learned));
        return;
    }
    assert(parameters.size() == prior.blocks.size());
    for (std::size_t b = 0; b < prior.blocks.size(); ++b)
        std::get<GaussianPrior>(prior.blocks[b]).sd = std::exp(static_cast<double>(parameters[b]));
}

template <class T>
void guard_learned_parameters(std::span<T> parameters)
{
    const T most = static_cast<T>(std::log(1e6));
    for (T& parameter : parameters)
        parameter = std::clamp(parameter, -most, most);
}

void closed_prior_gradient(const Prior& prior, const ParameterLayout& layout, std::span<const float> mean,
                           std::span<const float> sd, std::span<double> gradient)
{
    for (std::size_t b = 0; b < layout.blocks.size(); ++b)
        gradient[b] = pull_of_gaussian(prior, gaussian_of(prior, layout, b), layout.blocks[b], mean.data(), sd.data());
}

template <class T>
void sampled_prior_gradient(const Prior& prior, const ParameterLayout& layout, std::span<const T> weights,
                            std::span<double> gradient)
{
    if (const auto* mixture = mixture_of_all(prior)) {
        const MixtureTerms<T> terms(*mixture);
        const auto [wide, wide_squares]     = sums_of_component(terms, weights, true);
        const auto [narrow, narrow_squares] = sums_of_component(terms, weights, false);
        gradient[0]                         = mixture->pi * static_cast<double>(weights.size()) - wide;
        gradient[1]                         = wide - wide_squares / (mixture->sigma_wide * mixture->sigma_wide);
        gradient[2]                         = narrow - narrow_squares / (mixture->sigma_narrow * mixture->sigma_narrow);
        return;
    }
    for (std::size_t b = 0; b < layout.blocks.size(); ++b)
        gradient[b] = pull_of_gaussian<T>(prior, std::get<GaussianPrior>(prior.blocks[b]), layout.blocks[b],
                                          weights.data(), nullptr);
}

std::vector<double> weights_per_learned(const Prior& prior, const ParameterLayout& layout)
{
    if (mixture_of_all(prior))
        return std::vector<double>(3, static_cast<double>(layout.size()));
    std::vector<double> sizes;
    for (const Block& block : layout.blocks)
        sizes.push_back(static_cast<double>(block.size));
    return sizes;
}

template void set_learned_parameters(Prior&, std::span<const float>);
template void set_learned_parameters(Prior&, std::span<const double>);
template void guard_learned_parameters(std::span<float>);
template void guard_learned_parameters(std::span<double>);
template void sampled_prior_gradient(const Prior&, const ParameterLayout&, std::span<const float>, std::span<double>);
template void sampled_prior_gradient(const Prior&, const ParameterLayout&, std::span<const double>, std::span<double>);

}   // namespace credence
