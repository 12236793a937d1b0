// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/likelihoods/in_both_precisions.h"

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

/// −w_y ln softmax(z)_y: each row of class y counts w_y times. Predictions are those of a softmax.
class WeightedCategorical final : public likelihood_parts::InBothPrecisions<WeightedCategorical> {
public:
    explicit WeightedCategorical(std::vector<double> weights) : weights_(std::move(weights)) {}

    std::vector<double> parameters() const override { return weights_; }
    bool has_labels() const override { return true; }
    bool is_exact() const override { return false; }
    int n_outputs(int n_classes) const override { return plain_->n_outputs(n_classes); }

    template <class T>
    double value_of(std::span<const T> outputs, int n, int k, const Targets& targets, std::span<T> gradient, T scale,
                    int* correct) const
    {
        double total = 0;
        int right = 0, sum = 0;
        for (int i = 0; i < n; ++i) {
            const auto row = [&](auto values) {
                return values.empty() ? values
                                      : values.subspan(static_cast<std::size_t>(i) * k, static_cast<std::size_t>(k));
            };
            const double weight = weight_of(targets.labels[i]);
            total += weight
                     * plain_->value(row(outputs), 1, k, {targets.labels.subspan(i, 1), {}}, row(gradient),
                                     scale * static_cast<T>(weight), correct ? &right : nullptr);
            sum += right;
        }
        if (correct)
            *correct = sum;
        return total;
    }

    double log_density(const UnitRows& at, const double* targets, double* scratch) const override
    {
        double total = 0;
        for (int j = 0; j < at.rows; ++j) {
            const double weight = weight_of(static_cast<int>(targets[j]));
            total += weight * plain_->log_density({at.outputs + j, at.stride, at.units, 1, 1}, targets + j, scratch);
            for (int k = 0; k < at.units; ++k)
                at.outputs[k * at.stride + j] *= weight;
        }
        return total;
    }

    /// The mean of the second derivative under the model: (Σ p_k w_k) (diag p − p pᵀ).
    int curvature_columns(int n_outputs) const override { return plain_->curvature_columns(n_outputs); }
    bool curvature_is_exact() const override { return false; }
    template <class T>
    void roots_of(std::span<const T> outputs, int k, T* roots, std::size_t next) const
    {
        plain_->curvature_roots(outputs, k, roots, next);
        const int columns = curvature_columns(k);
        for (std::size_t first = 0; first < outputs.size(); first += static_cast<std::size_t>(k)) {
            const auto row   = outputs.subspan(first, static_cast<std::size_t>(k));
            const double top = static_cast<double>(*std::max_element(row.begin(), row.end()));
            double sum = 0, weighted = 0;
            for (int c = 0; c < k; ++c) {
                const double e = std::exp(static_cast<double>(row[c]) - top);
                sum += e;
                weighted += e * weight_of(c);
            }
            const T factor = static_cast<T>(std::sqrt(weighted / sum));
            for (int c = 0; c < columns; ++c)
                for (int i = 0; i < k; ++i)
                    roots[static_cast<std::size_t>(c) * next + first + static_cast<std::size_t>(i)] *= factor;
        }
    }

    void hessian(std::span<const double> outputs, double target, std::span<double> hessian) const override
    {
        plain_->hessian(outputs, target, hessian);
        for (double& value : hessian)
            value *= weight_of(static_cast<int>(target));
    }

    int n_predicted(int n_outputs) const override { return plain_->n_predicted(n_outputs); }
    void predict(std::span<const float> outputs, int k, float* predicted, float* entropy) const override
    {
        plain_->predict(outputs, k, predicted, entropy);
    }

private:
    double weight_of(int label) const { return weights_[static_cast<std::size_t>(label)]; }

    std::vector<double> weights_;
    Likelihood plain_ = Likelihood::categorical();
};

}   // namespace

Likelihood Likelihood::weighted_categorical(std::vector<double> weights)
{
    return Likelihood(std::make_shared<const WeightedCategorical>(std::move(weights)));
}

}   // namespace credence
