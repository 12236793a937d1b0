// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/class_predictions.h"

#include "foundation/error.h"
#include "foundation/finite.h"
#include "foundation/number_text.h"

#include <algorithm>
#include <cassert>
#include <cmath>

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
    return static_cast<int>(std::max_element(values.begin(), values.end()) - values.begin());   // the first of equals
}

namespace {

void require_finite(const PredictiveSummary& summary)
{
    const std::vector<double>& mean = summary.mean;
    if (all_finite(std::span(mean)))
        return;
    const auto bad = std::find_if(mean.begin(), mean.end(), [](double value) { return !std::isfinite(value); });
    const auto at = static_cast<std::size_t>(bad - mean.begin()), K = static_cast<std::size_t>(summary.n_outputs);
    throw Error("Predictions: the mean over the draws is " + shortest_text(*bad) + " for output "
                + std::to_string(at % K) + " of input " + std::to_string(at / K) + ", expected finite numbers.");
}

/// Fills everything that follows from `mean` and `expected_entropy`.
void complete(ClassPredictions& out)
{
    for (int i = 0; i < out.n_inputs; ++i) {
        const auto p = out.mean_of(i);
        out.predicted.push_back(argmax(p));
        out.confidence.push_back(p[out.predicted.back()]);
        out.entropy.push_back(entropy(p));
        // Concavity makes it >= 0; rounding may not.
        out.mutual_information.push_back(std::max(0.0, out.entropy.back() - out.expected_entropy[i]));
    }
}

}   // namespace

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
    return out;
}

template ClassPredictions class_predictions(const SampleView<float>&);
template ClassPredictions class_predictions(const SampleView<double>&);

void append(ClassPredictions& to, const ClassPredictions& more)
{
    assert(to.n_classes == more.n_classes);
    const auto add = [](auto& end, const auto& values) { end.insert(end.end(), values.begin(), values.end()); };
    add(to.mean, more.mean);
    add(to.predicted, more.predicted);
    add(to.confidence, more.confidence);
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
