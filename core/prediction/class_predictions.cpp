// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/class_predictions.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/softmax.h"
#include "foundation/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace credence {

double entropy(std::span<const double> probabilities)
{
    double sum = 0;
    for (const double p : probabilities)
        if (p > 0)
            sum -= p * std::log(p);
    return sum;
}

int argmax(std::span<const double> values)
{
    return static_cast<int>(std::max_element(values.begin(), values.end()) - values.begin());   // the first one on ties
}

namespace {

void require_finite(const PredictiveSummary& summary)
{
    const std::vector<double>& mean = summary.mean;
    if (all_finite(std::span(mean)))
        return;
    const auto bad = std::find_if(mean.begin(), mean.end(), [](double value) { return !std::isfinite(value); });
    const auto at = static_cast<std::size_t>(bad - mean.begin()), K = static_cast<std::size_t>(summary.n_outputs);
    throw Error("Predictions: the mean over the samples is " + shortest_text(*bad) + " for output "
                + std::to_string(at % K) + " of input " + std::to_string(at / K) + ", expected finite numbers.");
}

/// Fills all fields derived from `mean` and `expected_entropy`.
void complete(ClassPredictions& out)
{
    const auto n = static_cast<std::size_t>(out.n_inputs);
    out.predicted.resize(n);
    for (auto* column : {&out.confidence, &out.log_rest, &out.entropy, &out.mutual_information})
        column->resize(n);
    for (std::size_t i = 0; i < n; ++i)
        complete_row(
            out, i, [&](std::size_t k) { return std::log(out.mean[i * static_cast<std::size_t>(out.n_classes) + k]); });
}

}   // namespace

void complete_row(ClassPredictions& out, std::size_t input, const std::function<double(std::size_t)>& log_mean)
{
    const auto p   = out.mean_of(static_cast<int>(input));
    const auto top = static_cast<std::size_t>(argmax(p));
    double rest = 0, of_others = 0;   // Σ p and −Σ p ln p over the other classes
    bool rest_tiny = true;
    for (std::size_t k = 0; k < p.size(); ++k)
        if (k != top && p[k] > 0) {
            rest += p[k];
            of_others -= p[k] * std::log(p[k]);
            rest_tiny = rest_tiny && p[k] < smallest_exact_mean;
        }
    if (rest_tiny) {
        std::vector<double> logs;
        for (std::size_t k = 0; k < p.size(); ++k)
            if (k != top)
                logs.push_back(log_mean(k));
        out.log_rest[input] = logs.empty() ? -std::numeric_limits<double>::infinity() : log_sum_exp(logs);
    } else {
        out.log_rest[input] = std::log(rest);
    }
    // Near 1, ln p̄ of the largest is computed from the others to keep precision, if they sum to 1.
    const bool adds_up   = rest < 0.1 && std::fabs(p[top] + rest - 1) < 1e-12;
    const double log_top = adds_up ? std::log1p(-rest) : p[top] > 0 ? std::log(p[top]) : 0;

    out.predicted[input]  = static_cast<int>(top);
    out.confidence[input] = std::min(p[top], 1.0);
    out.entropy[input]    = std::max(0.0, of_others - p[top] * log_top);
    // >= 0 by concavity, except for rounding.
    out.mutual_information[input] = std::max(0.0, out.entropy[input] - out.expected_entropy[input]);
}

double ClassPredictions::log_mean_of(int input, int k) const
{
    const auto place = static_cast<std::size_t>(input) * static_cast<std::size_t>(n_classes)
                       + static_cast<std::size_t>(k);
    if (mean[place] >= smallest_exact_mean)
        return std::log(mean[place]);
    const auto at = std::ranges::lower_bound(tiny, place, {}, &TinyMean::place);
    return at != tiny.end() && at->place == place ? at->log : std::log(mean[place]);
}

double confidence_score(double confidence, double log_rest)
{
    constexpr double nearly_one = 1e-6;   // 1 − confidence has ten digits there
    const double below_one      = 1 - confidence;
    if (std::isnan(below_one))
        return below_one;
    return below_one > nearly_one ? -std::log(below_one) : std::max(-std::log(nearly_one), -log_rest);
}

std::vector<double> confidence_scores(const ClassPredictions& predictions)
{
    std::vector<double> scores;
    scores.reserve(predictions.confidence.size());
    for (std::size_t i = 0; i < predictions.confidence.size(); ++i)
        scores.push_back(confidence_score(predictions.confidence[i], predictions.log_rest[i]));
    return scores;
}

template <class T>
ClassPredictions class_predictions(const SampleView<T>& probabilities)
{
    probabilities.check();
    require_finite(probabilities);
    const int S = probabilities.n_samples, N = probabilities.n_inputs, K = probabilities.n_outputs;
    ClassPredictions out{.n_inputs = N, .n_classes = K};
    out.mean.assign(static_cast<std::size_t>(N) * K, 0);
    out.expected_entropy.assign(N, 0);
    std::vector<double> p(K);
    for (int s = 0; s < S; ++s)
        for (int i = 0; i < N; ++i) {
            for (int k = 0; k < K; ++k) {
                p[k] = probabilities.at(s, i, k);
                out.mean[static_cast<std::size_t>(i) * K + k] += p[k];
            }
            out.expected_entropy[i] += entropy(p);
        }
    for (double& p_mean : out.mean)
        p_mean /= S;
    for (double& h : out.expected_entropy)
        h /= S;
    complete(out);
    if (S == 1) {   // exactly no epistemic part
        out.expected_entropy = out.entropy;
        out.mutual_information.assign(out.entropy.size(), 0);
    }
    return out;
}

template ClassPredictions class_predictions(const SampleView<float>&);
template ClassPredictions class_predictions(const SampleView<double>&);

void append(ClassPredictions& to, const ClassPredictions& more)
{
    assert(to.n_classes == more.n_classes);
    for (const auto& one : more.tiny)
        to.tiny.push_back({to.mean.size() + one.place, one.log});
    const auto add = [](auto& end, const auto& values) { end.insert(end.end(), values.begin(), values.end()); };
    add(to.mean, more.mean);
    add(to.predicted, more.predicted);
    add(to.confidence, more.confidence);
    add(to.log_rest, more.log_rest);
    add(to.entropy, more.entropy);
    add(to.expected_entropy, more.expected_entropy);
    add(to.mutual_information, more.mutual_information);
    to.n_inputs += more.n_inputs;
}

ClassPredictions class_predictions(const PredictiveSummary& summary)
{
    require_finite(summary);
    ClassPredictions out{.n_inputs         = summary.n_inputs,
                         .n_classes        = summary.n_outputs,
                         .mean             = summary.mean,
                         .expected_entropy = summary.expected_entropy};
    complete(out);
    return out;
}

}   // namespace credence
