// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/uncertainty_gradients.h"

#include "foundation/error.h"
#include "foundation/lazily_made.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "foundation/softmax.h"
#include "network/network.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace credence {
namespace {

constexpr int samples_held = 16;   // number of gradients in memory at the same time

/// Working memory of one thread for one weight sample.
struct SamplePasses {
    Draw<float> draw;
    aligned_vector<double> weights;
    Network<double>::Workspace workspace;
    std::optional<DropoutNoise> masks;
    std::vector<double> output_gradient;

    SamplePasses(const Network<double>& network, const Posterior& posterior)
        : draw(posterior.make_draw()), weights(posterior.layout().size()), workspace(network, 1),
          output_gradient(static_cast<std::size_t>(network.architecture().outputs()))
    {}

    void draw_weights(const Model& model, const Posterior& posterior, std::uint64_t seed, std::uint32_t sample)
    {
        posterior.draw({seed, Stream::prediction, sample}, draw);
        std::copy(draw.weights.begin(), draw.weights.end(), weights.begin());
        if (model.dropout_at_prediction)
            masks = DropoutNoise{{seed, Stream::prediction_dropout, sample}, 0};
    }
};

/// p ⊙ (v − ⟨v, p⟩)/S for v = −ln q; a probability of 0 contributes nothing.
void gradient_by_logits(std::span<const double> log_p, std::span<const double> log_q, double S, std::span<double> out)
{
    double mean = 0;
    for (std::size_t k = 0; k < log_p.size(); ++k)
        if (const double p = std::exp(log_p[k]); p > 0)
            mean -= p * log_q[k];
    for (std::size_t k = 0; k < log_p.size(); ++k) {
        const double p = std::exp(log_p[k]);
        out[k]         = p > 0 ? p * (-log_q[k] - mean) / S : 0;
    }
}

double entropy_of(std::span<const double> log_p)
{
    double sum = 0;
    for (const double each : log_p)
        if (const double p = std::exp(each); p > 0)
            sum -= p * each;
    return sum;
}

/// ln p̄ from ln p_s [S × K], by log-sum-exp.
std::vector<double> log_mean_of(std::span<const double> log_p, std::size_t S, std::size_t K)
{
    std::vector<double> log_mean(K);
    for (std::size_t k = 0; k < K; ++k) {
        double largest = log_p[k], sum = 0;
        for (std::size_t s = 1; s < S; ++s)
            largest = std::max(largest, log_p[s * K + k]);
        for (std::size_t s = 0; s < S; ++s)
            sum += std::exp(log_p[s * K + k] - largest);
        log_mean[k] = largest + std::log(sum) - std::log(static_cast<double>(S));
    }
    return log_mean;
}

/// @param both  of the total and of the aleatoric uncertainty of one sample [2 × d]
void add_gradients(std::span<const double> both, UncertaintyGradients& out)
{
    const std::size_t d = both.size() / 2;
    for (std::size_t j = 0; j < d; ++j) {
        out.total_gradient[j] += both[j];
        out.aleatoric_gradient[j] += both[d + j];
    }
}

}   // namespace

std::vector<double> UncertaintyGradients::epistemic_gradient() const
{
    std::vector<double> out(total_gradient.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = total_gradient[i] - aleatoric_gradient[i];
    return out;
}

std::optional<UncertaintyGradients> uncertainty_gradients(const Model& model, const Posterior& posterior,
                                                          std::uint64_t seed, int n_samples,
                                                          std::span<const double> input, const std::stop_token& stop)
{
    if (!model.likelihood->has_labels())
        throw Error("Gradients of the uncertainty need classes.");
    const Network<double> network(model.architecture);
    const auto K = static_cast<std::size_t>(model.architecture.outputs()), d = input.size();
    const auto S = static_cast<std::size_t>(std::max(1, n_samples));
    ObjectPool<SamplePasses> pool([&] { return std::make_unique<SamplePasses>(network, posterior); });

    const auto forward = [&](SamplePasses& passes, std::size_t s) {
        passes.draw_weights(model, posterior, seed, static_cast<std::uint32_t>(s));
        return network.forward(passes.weights, input.data(), 1, passes.workspace, passes.masks);
    };

    std::vector<double> log_p(S * K);   // ln p_s [S × K]
    parallel_for(S, [&](std::size_t s) {
        if (stop.stop_requested())
            return;
        pool.borrow([&](SamplePasses& passes) {
            const auto logits = forward(passes, s);
            const auto own    = std::span(log_p).subspan(s * K, K);
            std::copy(logits.begin(), logits.end(), own.begin());
            to_log_softmax(own);
        });
    });
    if (stop.stop_requested())
        return {};
    report_share(0.3);

    const auto log_mean = log_mean_of(log_p, S, K);
    UncertaintyGradients out{.total              = entropy_of(log_mean),
                             .total_gradient     = std::vector<double>(d),
                             .aleatoric_gradient = std::vector<double>(d)};
    std::vector<double> parts(2 * samples_held * d);   // of total and aleatoric, sample by sample
    for (std::size_t first = 0; first < S; first += samples_held) {
        const std::size_t group = std::min<std::size_t>(samples_held, S - first);
        parallel_for(group, [&](std::size_t i) {
            if (stop.stop_requested())
                return;
            pool.borrow([&](SamplePasses& passes) {
                const auto own = std::span<const double>(log_p).subspan((first + i) * K, K);
                for (const std::size_t part : {0, 1}) {
                    // Repeated, because a backward pass overwrites the memory of its forward pass
                    forward(passes, first + i);
                    gradient_by_logits(own, part == 0 ? std::span<const double>(log_mean) : own, static_cast<double>(S),
                                       passes.output_gradient);
                    network.backward(passes.weights, passes.output_gradient, passes.workspace, {},
                                     std::span(parts).subspan((2 * i + part) * d, d));
                }
            });
        });
        if (stop.stop_requested())
            return {};
        for (std::size_t i = 0; i < group; ++i) {   // in order, so that the bits do not depend on the threads
            out.aleatoric += entropy_of(std::span<const double>(log_p).subspan((first + i) * K, K))
                             / static_cast<double>(S);
            add_gradients(std::span<const double>(parts).subspan(2 * i * d, 2 * d), out);
        }
        report_share(0.3 + 0.7 * static_cast<double>(first + group) / static_cast<double>(S));
    }
    return out;
}

}   // namespace credence
