// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace credence {

class NoiseDistribution;

/// Targets of a minibatch: labels for classification, numbers for regression.
struct Targets {
    std::span<const int> labels;
    std::span<const float> values;   ///< [n × n_targets]
};

/// Outputs of several rows, unit by unit: output k of row j at outputs[k * stride + j].
struct UnitRows {
    double* outputs;
    std::ptrdiff_t stride;
    int units;
    int rows;     ///< the actual rows
    int padded;   ///< rows that are computed: whole vectors
};

/// One kind of likelihood with its parameters: the distribution of a target, given the outputs of
/// the network. Each file in network/likelihoods defines one. Every function handles a block of
/// rows. Numbers are in the units that the network sees.
class LikelihoodFamily {
public:
    virtual ~LikelihoodFamily() = default;

    virtual std::vector<double> parameters() const { return {}; }
    /// True if targets are labels and outputs are logits; otherwise targets are numbers, and the
    /// first output is their mean.
    virtual bool has_labels() const { return false; }
    /// Regression: numbers that a row has as targets.
    virtual int n_targets() const { return 1; }
    /// The likelihood of one of several targets, given all outputs. Null: there is only one target.
    virtual std::shared_ptr<const LikelihoodFamily> of_target(int /*target*/) const { return nullptr; }
    /// Number of outputs of the network.
    virtual int n_outputs(int n_classes) const = 0;
    /// False if gradients are not those of a log density of the target, but of a weighted one:
    /// methods that sample from the posterior, or compute its curvature, need an exact likelihood.
    virtual bool is_exact() const { return true; }
    /// The last outputs that are the same for every input.
    virtual int n_constant_outputs() const { return 0; }
    /// Regression: s in y = f + s e, if it depends neither on the input nor on the weights.
    virtual std::optional<double> constant_scale() const { return {}; }

    /// Returns the sum over the rows of −ln p(y | outputs), nats, and computes its gradient.
    /// @param outputs   [n × k]
    /// @param gradient  [n × k], scaled by `scale`; can be empty
    /// @param[out] correct  classification: number of rows with argmax(outputs) == label, can be null
    virtual double value(std::span<const float> outputs, int n, int k, const Targets& targets,
                         std::span<float> gradient, float scale, int* correct) const   = 0;
    virtual double value(std::span<const double> outputs, int n, int k, const Targets& targets,
                         std::span<double> gradient, double scale, int* correct) const = 0;

    /// The same for Markov chains: returns Σ ln p(y_j | outputs) over `at.rows` and overwrites the
    /// outputs with its gradient; the gradient of padding rows is arbitrary.
    /// @param targets  [padded] labels as numbers, or values
    /// @param scratch  3 * at.stride numbers
    virtual double log_density(const UnitRows& at, const double* targets, double* scratch) const = 0;

    /// Number of columns in a root of the output curvature.
    virtual int curvature_columns(int n_outputs) const = 0;
    /// Computes roots R of the output curvature, Λ = R Rᵀ, for each row. Λ is the curvature of
    /// −ln p(y | outputs) with respect to the outputs that the GGN places between the Jacobians
    /// (Hobbhahn 2020, (3.4)): positive semidefinite, and independent of y. It is the mean of `hessian` over
    /// y from the model (Fisher information).
    /// @param outputs  [n × k]
    /// @param roots    column c of row i at roots + c * next + i * k
    virtual void curvature_roots(std::span<const float> outputs, int k, float* roots, std::size_t next) const   = 0;
    virtual void curvature_roots(std::span<const double> outputs, int k, double* roots, std::size_t next) const = 0;
    /// True if Λ is the exact second derivative of −ln p.
    virtual bool curvature_is_exact() const = 0;
    /// Computes the exact second derivative of −ln p(y | outputs) for one row [k × k].
    virtual void hessian(std::span<const double> outputs, double target, std::span<double> hessian) const = 0;

    /// Number of values per row that `predict` computes.
    virtual int n_predicted(int n_outputs) const = 0;
    /// Computes the prediction of each row: class probabilities and their entropy in nats, or mean
    /// and standard deviation of each target, and 0.
    /// @param outputs    [n × k]
    /// @param predicted  [n × n_predicted(k)]
    /// @param entropy    [n]
    virtual void predict(std::span<const float> outputs, int k, float* predicted, float* entropy) const = 0;
    /// Regression: the distribution of the target around its mean. Null for classification.
    virtual std::shared_ptr<const NoiseDistribution> noise() const { return nullptr; }
};

/// A likelihood as a value.
class Likelihood {
public:
    Likelihood() : Likelihood(categorical()) {}
    explicit Likelihood(std::shared_ptr<const LikelihoodFamily> family) : family_(std::move(family)) {}

    /// p(y | z) = softmax(z)_y
    static Likelihood categorical();
    /// Class labels whose log likelihood is multiplied by the weight of the class.
    /// @param weights  [K], all > 0
    static Likelihood weighted_categorical(std::vector<double> weights);
    /// y | f ~ N(f, sd²)
    static Likelihood gaussian(double sd);
    /// y | f, t ~ N(f, s(t)²) with the outputs f and t.
    /// @param one_level  t is the same for every input
    /// @param beta       of the β-NLL (likelihoods/gaussian_learned.cpp)
    static Likelihood gaussian_with_learned_sd(bool one_level, double beta);

    /// Several numeric targets that are independent given the outputs: output u of target t is
    /// outputs[u * n_targets + t].
    /// @param targets  one for each, of the same kind
    static Likelihood of_several(std::vector<Likelihood> targets);
    /// The likelihood of one of the targets, given all outputs. @param target  from 0
    Likelihood of_target(int target) const
    {
        return family_->n_targets() == 1 ? *this : Likelihood(family_->of_target(target));
    }

    const LikelihoodFamily* operator->() const { return family_.get(); }
    const LikelihoodFamily& operator*() const { return *family_; }
    bool operator==(const Likelihood& other) const;

private:
    std::shared_ptr<const LikelihoodFamily> family_;   // never null
};

/// LikelihoodFamily::value in either precision.
template <class T>
double negative_log_likelihood(const Likelihood& likelihood, std::span<const T> outputs, int n, int k,
                               const Targets& targets, std::span<T> gradient, T scale, int* correct = nullptr)
{
    return likelihood->value(outputs, n, k, targets, gradient, scale, correct);
}

/// LikelihoodFamily::curvature_roots of many examples, in parallel.
/// @param outputs  [n × k]
/// @param roots    [columns × n × k], column by column
template <class T>
void output_curvature_roots(const Likelihood& likelihood, std::span<const T> outputs, int n, int k, std::span<T> roots);

/// The loss of one row of logits as two factors, a direction of order 1 and a magnitude in
/// logarithms, so that neither underflows if the network is confident:
///     L = −ln p_y,   dL/dz = p − e_y = (1 − p_y) v
///     v_k = e^{z_k} / Σ_{j≠y} e^{z_j} for k ≠ y,   v_y = −1
///     ln p_y = −softplus(−t),   ln(1 − p_y) = −softplus(t),   t = z_y − ln Σ_{j≠y} e^{z_j}
/// In single precision, a softmax makes p − e_y exactly 0 from t ≈ 17 upwards and so hides a
/// gradient that exists. Nothing here depends on a constant added to all logits. Everything is
/// relative to the largest of the other logits (log-sum-exp), in double.
struct LossDirection {
    double log_probability = 0;   ///< ln p_y, nats
    double log_rest        = 0;   ///< ln(1 − p_y), nats: the factor before v
};

/// @param logits     z [K], K >= 2
/// @param label      y, 0 … K − 1
/// @param direction  v [K], overwritten
template <class T>
LossDirection loss_direction(std::span<const T> logits, int label, std::span<T> direction);

extern template LossDirection loss_direction(std::span<const float>, int, std::span<float>);
extern template LossDirection loss_direction(std::span<const double>, int, std::span<double>);

}   // namespace credence
