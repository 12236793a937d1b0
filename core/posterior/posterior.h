// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "network/architecture.h"
#include "posterior/covariance.h"
#include "random/noise.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// Where the draws of a posterior differ from one another.
enum class NoiseIn {
    nothing,       ///< every draw is the same net
    activations,   ///< the weights are one vector, random masks lie over the activations (dropout)
    weights,       ///< each draw has weights of its own
};

/// One draw of the weights, and what `VariationalFamily::pullback` needs to know of it.
template <class T>
struct Draw {
    NoiseKey key;                ///< dropout layers take their masks from the same seed and index, stream `dropout`
    aligned_vector<T> weights;   ///< [layout.size()]
    aligned_vector<T> noise;     ///< standard normal [layout.size()]; empty where a draw is made without it
};

/// What the *Layers* view shows of one block.
struct BlockUncertainty {
    std::string block;
    BlockKind kind = BlockKind::weights;
    std::optional<double> tau;            ///< families with τ
    std::optional<double> rho;            ///< neighbour correlation, tridiagonal only
    std::optional<double> dropout_rate;   ///< bernoulli_dropout only
    double mean_abs           = 0;        ///< mean of |mean| over the block
    double median_sd          = 0;        ///< median standard deviation
    double median_relative_sd = 0;        ///< median of σ/|μ|
};
using LayerUncertainty = std::vector<BlockUncertainty>;

/// What is known of the flat weight vector of a network: what everything after training reads. Its const members may be called from many threads at once.
/// T is float in the program; in double, finite differences and reference values check the same formulas.
template <class T>
class BasicPosterior {
public:
    virtual ~BasicPosterior() = default;

    const ParameterLayout& layout() const { return layout_; }

    virtual NoiseIn noise_in() const = 0;
    bool has_weight_noise() const { return noise_in() == NoiseIn::weights; }

    /// How many draws differ from one another: 1 without noise in the weights, M of a set; empty: there is no end of them.
    virtual std::optional<std::size_t> different_draws() const
    {
        return has_weight_noise() ? std::optional<std::size_t>() : 1;
    }

    /// A buffer of the right sizes for `draw`. Made once: `draw` allocates nothing.
    virtual Draw<T> make_draw() const;
    /// out.weights = the draw that `key` names: a pure function of the key.
    virtual void draw(NoiseKey key, Draw<T>& out) const = 0;

    /// The mean weights [layout.size()], where a net is linearised.
    virtual std::span<const T> means() const = 0;
    /// Marginal mean and standard deviation of every weight.
    virtual void moments(std::span<float> mean, std::span<float> sd) const = 0;
    /// The weights before this one are fixed: their standard deviation is 0.
    virtual std::size_t first_uncertain_weight() const { return 0; }
    /// The correlation ρ of weights that are neighbours in a block, for each block [blocks], where `moments` and these say all: the weights are Gaussian, the blocks independent,
    /// weights of a block that are no neighbours uncorrelated. Then the outputs of a dense layer can be drawn in place of its weights (docs/maths.md, section 8). Else empty.
    virtual std::optional<std::vector<double>> neighbour_correlations() const { return std::nullopt; }
    /// Σ of the weights in the form that it has. Spans in it point into this posterior.
    virtual Covariance covariance() const = 0;

    virtual LayerUncertainty describe() const = 0;

    /// The numbers that make it up, as the archive stores them: parameters of a family, θ_MAP of a Laplace approximation, the weights of all draws of a set.
    virtual std::span<const T> numbers() const = 0;

protected:
    explicit BasicPosterior(ParameterLayout layout) : layout_(std::move(layout)) {}
    BasicPosterior(const BasicPosterior&)            = default;
    BasicPosterior& operator=(const BasicPosterior&) = default;

    /// Independent weights with the squares of the standard deviations that `moments` gives.
    IndependentCovariance independent_of_moments() const;

    ParameterLayout layout_;
};
using Posterior = BasicPosterior<float>;

extern template class BasicPosterior<float>;
extern template class BasicPosterior<double>;

}   // namespace credence
