// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/bridge_scores.h"

#include "charts/chart.h"
#include "foundation/error.h"
#include "foundation/progress.h"
#include "prediction/class_predictions.h"
#include "simplex/bridge_rows.h"
#include "simplex/logistic_normal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace credence {

namespace {

constexpr int block = 500;   // inputs between two checks of the stop token

/// Runs `work` once, and twice more if that was very fast. @return  the shortest time
template <class Work>
double shortest(Work work)
{
    double best = 0;
    for (int k = 0; k < 3; ++k) {
        const Stopwatch watch;
        work();
        const double seconds = watch.seconds();
        best                 = k == 0 ? seconds : std::min(best, seconds);
        if (best > 0.1)
            break;
    }
    return best;
}

/// Fills confidence, its score and class from rows of probabilities or of numbers proportional to them.
void read_rows(std::span<const float> rows, int K, MethodOnSet& method)
{
    method.confidence.clear();
    method.score.clear();
    method.predicted.clear();
    for (std::size_t i = 0; i < rows.size(); i += static_cast<std::size_t>(K)) {
        const auto row = rows.subspan(i, static_cast<std::size_t>(K));
        const auto top = std::max_element(row.begin(), row.end());
        float total    = 0;
        double others  = 0;
        for (auto v = row.begin(); v != row.end(); ++v) {
            total += *v;
            others += v == top ? 0.0 : static_cast<double>(*v);
        }
        method.confidence.push_back(*top / total);
        method.score.push_back(confidence_score(method.confidence.back(), std::log(others / total)));
        method.predicted.push_back(static_cast<int>(top - row.begin()));
    }
}

std::span<const float> part(const std::vector<float>& values, std::size_t first, std::size_t count)
{
    return std::span<const float>(values).subspan(first, count);
}

/// Row by row from μ and diag Σ.
template <class Row>
MethodOnSet from_rows(const std::string& name, const LogitSet& set, const std::vector<float>& variance, Row row)
{
    const auto K = static_cast<std::size_t>(set.K);
    MethodOnSet method{.name = name};
    std::vector<float> rows(set.mu.size());
    std::vector<double> logits(K);
    method.seconds = shortest([&] {
        for (std::size_t i = 0; i < rows.size(); i += K) {
            for (std::size_t k = 0; k < K; ++k)
                logits[k] = row(static_cast<double>(set.mu[i + k]), static_cast<double>(variance[i + k]));
            const auto p = softmax(logits);
            std::copy(p.begin(), p.end(), rows.begin() + static_cast<std::ptrdiff_t>(i));
        }
        read_rows(rows, set.K, method);
    });
    return method;
}

/// ln α [n × K]; computed in float if that is sufficient.
std::vector<double> log_alphas(const LogitSet& set, const std::vector<float>& variance,
                               const std::vector<float>& row_sum, BridgeVariant variant)
{
    const std::vector<double> mu(set.mu.begin(), set.mu.end()), diagonal(variance.begin(), variance.end()),
        sums(row_sum.begin(), row_sum.end());
    std::vector<double> out(mu.size());
    bridge_rows_log({.n_classes = set.K, .mu = mu, .variance = diagonal, .row_sum = sums}, variant, out);
    return out;
}

MethodOnSet by_bridge(const LogitSet& set, const std::vector<float>& variance, const std::vector<float>& row_sum,
                      BridgeVariant variant)
{
    MethodOnSet method{.name = std::string("Laplace Bridge, ") + name(variant), .bridge = true};
    std::ranges::replace(method.name, '_', ' ');
    std::vector<float> alpha(set.mu.size());
    try {
        method.seconds = shortest([&] {
            bridge_rows({.n_classes = set.K, .mu = set.mu, .variance = variance, .row_sum = row_sum}, variant, alpha);
            read_rows(alpha, set.K, method);
        });
    } catch (const Error&) {
        // α of a row is outside the range of floats: repeats with logarithms, which also report
        // invalid input
        method.seconds = shortest([&] {
            const auto logs = log_alphas(set, variance, row_sum, variant);
            std::vector<double> row(static_cast<std::size_t>(set.K));
            for (std::size_t i = 0; i < logs.size(); i += row.size()) {
                std::copy_n(logs.begin() + static_cast<std::ptrdiff_t>(i), row.size(), row.begin());
                const auto mean = softmax(row);
                std::copy(mean.begin(), mean.end(), alpha.begin() + static_cast<std::ptrdiff_t>(i));
            }
            read_rows(alpha, set.K, method);
        });
    }
    return method;
}

/// Means of samples of the logits. Empty if stopped.
std::optional<MethodOnSet> by_draws(const LogitSet& set, const BridgeScoresOptions& options,
                                    const std::stop_token& stop)
{
    const auto n = static_cast<std::size_t>(set.n), K = static_cast<std::size_t>(set.K);
    MethodOnSet drawn{.name = (options.n_draws >= 1000 && options.n_draws % 1000 == 0
                                   ? std::to_string(options.n_draws / 1000) + ",000"
                                   : std::to_string(options.n_draws))
                              + " " + name_of_logit_samples};
    std::vector<float> mean(n * K);
    const Stopwatch watch;
    for (std::size_t first = 0; first < n; first += block) {
        if (stop.stop_requested())
            return {};
        const std::size_t count = std::min<std::size_t>(block, n - first);
        softmax_mean_by_draws(set.K, part(set.mu, first * K, count * K),
                              part(set.covariance, first * K * K, count * K * K), options.n_draws, options.seed + first,
                              std::span<float>(mean).subspan(first * K, count * K));
    }
    read_rows(mean, set.K, drawn);
    drawn.seconds = watch.seconds();
    return drawn;
}

/// True if the class of the largest α fulfils Proposition 1: α_k > threshold(R), R = α_0 − α_k; the
/// threshold is R/2 for large R.
bool fulfils(std::span<const double> log_alpha, std::size_t top)
{
    double log_rest = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < log_alpha.size(); ++k)
        if (k != top)
            log_rest = std::max(log_rest, log_alpha[k]) + std::log1p(std::exp(-std::abs(log_rest - log_alpha[k])));
    if (log_rest > 300)
        return log_alpha[top] > log_rest - std::log(2.0);
    return log_alpha[top] > std::log(proposition1_threshold(std::exp(log_rest)));
}

}   // namespace

std::optional<SetByMethods> by_methods(const LogitSet& set, const BridgeScoresOptions& options, std::stop_token stop)
{
    const auto n = static_cast<std::size_t>(set.n), K = static_cast<std::size_t>(set.K);
    if (K < 2 || set.mu.size() != n * K || set.covariance.size() != n * K * K
        || (!set.labels.empty() && set.labels.size() != n))
        throw Error("Sampling and bridge: " + set.name + " has " + std::to_string(set.mu.size()) + " mean logits and "
                    + std::to_string(set.covariance.size()) + " covariances, expected " + std::to_string(n * K)
                    + " and " + std::to_string(n * K * K) + ".");
    std::vector<float> variance(n * K), row_sum(n * K);
    for (std::size_t i = 0; i < n * K; ++i) {
        const float* const row = set.covariance.data() + i * K;
        variance[i]            = row[i % K];
        for (std::size_t l = 0; l < K; ++l)
            row_sum[i] += row[l];
    }
    SetByMethods out{.name      = set.name,
                     .n         = set.n,
                     .K         = set.K,
                     .methods   = {},
                     .variance  = {},
                     .predicted = {},
                     .labels    = set.labels,
                     .classes   = set.classes};
    out.methods.push_back(from_rows(options.mean_of, set, variance, [](double mu, double) { return mu; }));

    auto drawn = by_draws(set, options, stop);
    if (!drawn)
        return {};
    out.methods.push_back(std::move(*drawn));

    out.methods.push_back(from_rows("Probit approximation", set, variance,
                                    [](double mu, double v) { return mu / std::sqrt(1 + std::numbers::pi * v / 8); }));
    for (const auto variant : bridge_variants) {
        if (stop.stop_requested())
            return {};
        out.methods.push_back(by_bridge(set, variance, row_sum, variant));
    }

    const auto logs = log_alphas(set, variance, row_sum, options.variant);
    long fulfilled  = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto row = std::span<const double>(logs).subspan(i * K, K);
        const auto top = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
        LogDirichlet distribution{.log_alpha = {row.begin(), row.end()}, .log_total = log_sum_exp(row)};
        out.variance.push_back(static_cast<float>(distribution.variance()[top]));
        out.predicted.push_back(static_cast<int>(top));
        fulfilled += fulfils(row, top);
    }
    out.proposition1 = n > 0 ? static_cast<double>(fulfilled) / static_cast<double>(n) : 0;
    return out;
}

}   // namespace credence
