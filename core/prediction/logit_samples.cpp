// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/logit_samples.h"

#include "foundation/error.h"
#include "posterior/outputs_posterior.h"
#include "prediction/draw_loop.h"
#include "prediction/output_sampling.h"

#include <algorithm>

namespace credence {

OutputSamples sample_logits(const Model& model, const Posterior& posterior, std::span<const float> inputs, int n,
                            int n_samples, std::uint64_t seed, std::stop_token stop, DrawsOf of)
{
    if (const auto* imported = outputs_of(posterior))
        return read_stored_samples(*imported, RowOutputs::Kind::logits, inputs.first(static_cast<std::size_t>(n)),
                                   n_samples, stop);
    const int k = model.architecture.outputs();
    OutputSamples out{n_samples, n, k, std::vector<float>(static_cast<std::size_t>(n_samples) * n * k)};
    if (of == DrawsOf::outputs && n == 1 && has_output_distribution(model, posterior)) {
        const bool whole = for_each_output_draw(model, posterior, seed, n_samples, inputs, stop,
                                                [&](int first, std::span<const float> z) {
            std::copy(z.begin(), z.end(), out.values.begin() + std::ptrdiff_t{first} * k);
        });
        return whole ? std::move(out) : OutputSamples{};
    }
    const bool whole = for_each_draw(
        model, posterior, seed, n_samples, inputs, n, stop,
        [&](int draw, int row, std::span<const float> z) {
        std::copy(z.begin(), z.end(), out.values.begin() + (static_cast<std::ptrdiff_t>(draw) * n + row) * k);
        },
        [](int, int, int, int) {});
    if (!whole)
        return {};
    return out;
}

void require_classes_of_a_covariance(int K)
{
    if (K > most_classes_of_a_covariance)
        throw Error("A covariance of the logits of " + std::to_string(K) + " classes has "
                    + std::to_string(static_cast<long>(K) * K) + " numbers, expected at most "
                    + std::to_string(most_classes_of_a_covariance) + " classes.");
}

std::vector<LogitGaussian> logits_by_moments(const OutputSamples& draws, double added_variance)
{
    const int S = draws.n_samples, K = draws.n_outputs;
    if (S < 2 || K < 2)
        throw Error("The Gaussian over logits was requested from " + std::to_string(S) + " samples of "
                    + std::to_string(K) + " logits, expected at least 2 of both.");
    require_classes_of_a_covariance(K);
    std::vector<LogitGaussian> out;
    for (int i = 0; i < draws.n_inputs; ++i) {
        std::vector<double> mean(static_cast<std::size_t>(K)), covariance(static_cast<std::size_t>(K) * K),
            deviation(static_cast<std::size_t>(K));
        for (int s = 0; s < S; ++s)
            for (int k = 0; k < K; ++k)
                mean[static_cast<std::size_t>(k)] += draws.at(s, i, k) / static_cast<double>(S);
        for (int s = 0; s < S; ++s) {
            for (int k = 0; k < K; ++k)
                deviation[static_cast<std::size_t>(k)] = draws.at(s, i, k) - mean[static_cast<std::size_t>(k)];
            for (std::size_t k = 0; k < deviation.size(); ++k)
                for (std::size_t l = 0; l < deviation.size(); ++l)
                    covariance[k * deviation.size() + l] += deviation[k] * deviation[l] / (S - 1);
        }
        for (std::size_t k = 0; k < deviation.size(); ++k)
            covariance[k * deviation.size() + k] += added_variance;
        out.push_back(LogitGaussian::from_covariance(std::move(mean), std::move(covariance)));
    }
    return out;
}

LogitSpread spread_of_samples(const OutputSamples& draws, int i, double added_variance)
{
    const int S  = draws.n_samples;
    const auto K = static_cast<std::size_t>(draws.n_outputs);
    if (S < 2)
        throw Error("The Gaussian over logits was requested from " + std::to_string(S)
                    + " sample, expected at least 2.");
    LogitSpread out{std::vector<double>(K), std::vector<double>(K, added_variance),
                    std::vector<double>(K, added_variance)};
    for (int s = 0; s < S; ++s)
        for (std::size_t k = 0; k < K; ++k)
            out.mu[k] += draws.at(s, i, static_cast<int>(k)) / static_cast<double>(S);
    for (int s = 0; s < S; ++s) {
        double sum = 0;   // of all deviations of this sample
        for (std::size_t k = 0; k < K; ++k)
            sum += draws.at(s, i, static_cast<int>(k)) - out.mu[k];
        for (std::size_t k = 0; k < K; ++k) {
            const double deviation = draws.at(s, i, static_cast<int>(k)) - out.mu[k];
            out.variance[k] += deviation * deviation / (S - 1);
            out.row_sums[k] += deviation * sum / (S - 1);
        }
    }
    return out;
}

}   // namespace credence
