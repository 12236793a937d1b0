// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "foundation/function_ref.h"
#include "posterior/posterior.h"
#include "posterior/prior.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace credence {

/// How the complexity term (KL to the prior, or L2) enters the gradient.
struct Complexity {
    enum class Kind {
        closed,    ///< KL(q‖p) in closed form; Gaussian priors only
        sampled,   ///< ln q(w) - ln p(w) at the sample (Blundell et al. 2015, (2)); any prior
    };
    const Prior* prior = nullptr;
    Kind kind          = Kind::closed;
    double weight =
        0;   ///< ν, or β_i over the minibatch size: weight of the KL relative to the mean minibatch loss; 0: no term
    /// Steinbrener et al. 2020, section 3.2: each KL derivative is clipped to ±limit before
    /// weighting; 0: no limit
    double limit                     = 0;
    double kappa                     = 1;    ///< Posch and Pilz 2021: multiplies the whole gradient of γ
    double l2                        = 0;    ///< point_estimate and bernoulli_dropout: λ, adds λw to the gradient
    std::span<const double> block_l2 = {};   ///< the same, λ per block instead of l2; empty: l2 for all

    bool has_kl() const { return prior != nullptr && weight != 0; }
};

/// Receives a finished tile of the gradient: `gradient[j]` belongs to parameter first + j. Called
/// from several threads at once with disjoint tiles. Does not own the objects it refers to.
template <class T>
class GradientSink {
public:
    /// State that the receiver reads and writes for parameter i: element i of each.
    using State = std::array<std::span<T>, 2>;

    template <class Take>
    requires(!std::is_same_v<std::remove_cvref_t<Take>, GradientSink>) GradientSink(Take&& take, State state = {})
        : take_(std::forward<Take>(take)), state_(state)
    {}

    void operator()(std::size_t first, std::span<const T> gradient) const { take_(first, gradient); }
    /// Announces that the gradients of parameters begin..end-1 follow.
    void expect(std::size_t begin, std::size_t end) const
    {
        for (const std::span<T> numbers : state_)
            read_ahead<true>(numbers, begin, end);
    }

private:
    function_ref<void(std::size_t first, std::span<const T> gradient)> take_;
    State state_;
};

/// Consecutive parameters of one kind: "mean", "pre-softplus σ", "δ", "γ".
struct ParameterGroup {
    enum class Kind { mean, pre_softplus_sd, delta, gamma };
    Kind kind;
    std::size_t begin = 0, size = 0;   ///< in the flat parameter vector
    int block = -1;                    ///< -1: the group covers all blocks, parameter i belongs to weight i
};

/// A trainable posterior, defined by a flat vector of free parameters.
template <class T>
class VariationalFamily : public BasicPosterior<T> {
public:
    virtual std::unique_ptr<VariationalFamily> clone() const = 0;

    std::span<T> parameters() { return parameters_; }
    std::span<const T> parameters() const { return parameters_; }
    std::span<const T> numbers() const final { return parameters_; }
    /// Also learns the parameters of this prior, see posterior/prior.h: they follow the
    /// family's own parameters, and are copied and stored with these.
    void learn_prior(const Prior& prior);
    /// The learned prior parameters, which belong to no group.
    std::span<const T> prior_parameters() const final { return parameters().last(n_prior_); }
    /// The means come first: parameter i of group 0 belongs to weight i.
    virtual std::vector<ParameterGroup> groups() const = 0;
    std::span<const T> means() const final { return parameters().first(this->layout_.size()); }

    /// Computes out.weights from the current out.noise: the deterministic part of `draw`, for tests
    /// and reference values.
    virtual void transform(Draw<T>& out) const = 0;

    /// Gradient of  L(w) + complexity  with respect to the free parameters, tile by tile into
    /// `sink`.
    /// @param loss_gradient  dL/dw at draw.weights [layout.size()]
    virtual void pullback(const Draw<T>& draw, std::span<const T> loss_gradient, const Complexity& complexity,
                          GradientSink<T> sink) const = 0;

    /// KL(q ‖ prior), nats: closed form for Gaussian priors; empty for a point estimate, whose -ln
    /// p(w) is not a KL.
    virtual std::optional<double> kl(const Prior& prior) const = 0;
    /// ln q(w) - ln p(w) at a sample, nats (Blundell et al. 2015, (2)). Empty if the family has no
    /// density.
    virtual std::optional<double> sampled_complexity(const Draw<T>& draw, const Prior& prior) const = 0;

    /// The guards of docs/maths.md, section 10, applied after each update. `coins`: key of the fair
    /// coins for signs.
    virtual void apply_guards(NoiseKey /*coins*/) {}

protected:
    /// @param means  initial weights: the first parameters. @throws Error unless there is one per
    /// weight of the layout
    VariationalFamily(const ParameterLayout& layout, std::span<const float> means);

    aligned_vector<T> parameters_;

private:
    std::size_t n_prior_ = 0;
};

extern template class VariationalFamily<float>;
extern template class VariationalFamily<double>;

}   // namespace credence
