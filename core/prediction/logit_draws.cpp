// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/logit_draws.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "network/network.h"

#include <algorithm>

namespace credence {

OutputSamples sample_logits(const Model& model, const WeightDistribution<float>& posterior, std::span<const float> inputs, int n, int n_samples, std::uint64_t seed,
                            std::stop_token stop)
{
    constexpr int         rows_at_once = 64;
    constexpr std::size_t draws_of_task = 8;   // share one workspace
    const Network<float>  network(model.architecture);
    const int d = model.architecture.inputs, k = model.architecture.outputs();
    OutputSamples out{n_samples, n, k, std::vector<float>(static_cast<std::size_t>(n_samples) * n * k)};
    parallel_chunks(static_cast<std::size_t>(n_samples), draws_of_task, [&](std::size_t begin, std::size_t end) {
        Network<float>::Workspace workspace(network, std::min(rows_at_once, std::max(1, n)));
        auto draw = posterior.make_draw();
        for (std::size_t s = begin; s < end; ++s) {
            const auto number = static_cast<std::uint32_t>(s);
            posterior.sample({seed, Stream::prediction, number}, draw);
            for (int first = 0; first < n && !stop.stop_requested(); first += rows_at_once) {
                const int rows = std::min(rows_at_once, n - first);
                std::optional<DropoutNoise> masks;
                if (model.dropout_at_prediction)
                    masks = DropoutNoise{{seed, Stream::prediction_dropout, number}, static_cast<std::uint64_t>(first)};
                const auto z = network.forward(draw.weights, inputs.data() + static_cast<std::size_t>(first) * d, rows, workspace, masks);
                std::copy(z.begin(), z.end(), out.values.begin() + static_cast<std::ptrdiff_t>((s * n + first) * k));
            }
        }
    });
    if (stop.stop_requested())
        return {};
    return out;
}

std::vector<LogitGaussian> logits_by_moments(const OutputSamples& draws)
{
    const int S = draws.n_samples, K = draws.n_outputs;
    if (S < 2 || K < 2)
        throw Error("The Gaussian over logits was asked of " + std::to_string(S) + " draws of " + std::to_string(K) + " logits, expected at least 2 of both.");
    std::vector<LogitGaussian> out;
    for (int i = 0; i < draws.n_inputs; ++i) {
        std::vector<double> mean(static_cast<std::size_t>(K)), covariance(static_cast<std::size_t>(K) * K), deviation(static_cast<std::size_t>(K));
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
        out.push_back(LogitGaussian::from_covariance(std::move(mean), std::move(covariance)));
    }
    return out;
}

}  // namespace credence
