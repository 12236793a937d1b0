// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "network/architecture.h"
#include "posterior/curvature.h"
#include "random/noise.h"

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace credence {

/// No noise in the weights: Σ = 0.
struct NoCovariance {};

/// Independent weights.
struct IndependentCovariance {
    std::vector<double> variances;   ///< [layout.size()], 0 for fixed weights
};

/// The covariance matrix of one block whose neighbouring weights are correlated; all entries beyond
/// the first off-diagonal are 0.
struct NeighbourCovariance {
    std::vector<double> diagonal;       ///< τ² m_i² [K]
    std::vector<double> off_diagonal;   ///< ρ τ² |m_i m_{i+1}| [K - 1]
    double log_determinant     = 0;     ///< K ln τ² + Σ ln m_i² + ln D_K
    double log_det_correlation = 0;     ///< ln D_K
};
struct NeighbourCovariances {
    std::vector<NeighbourCovariance> blocks;   ///< one per block of the layout
};

/// Correlations within a layer: the weights of a factor are independent along the products of its
/// eigenvectors.
struct KroneckerCovariance {
    std::span<const KroneckerFactor> factors;
    std::span<const std::vector<double>> variances;   ///< for factor f along eigenvector (o, i) [out × in]
};

/// Σ⁻¹ = Uᵀ diag(p) U + λ (I − Uᵀ U) over the uncertain weights: a separate precision along each of
/// r orthonormal directions, and one precision for all others.
struct LowRankCovariance {
    std::span<const double> directions;        ///< U by rows [r × uncertain weights]; empty if it would be large
    std::span<const float> directions_float;   ///< U, if `directions` is empty
    std::vector<double> precisions;            ///< p [r]
    std::optional<double> rest;                ///< λ; empty if U has all directions
};

/// The sample covariance of M draws: Σ = 1/(M − 1) Σ_s (w_s − w̄)(w_s − w̄)ᵀ, M >= 2.
struct SampleCovariance {
    std::span<const float> draws;   ///< [M × layout.size()]
    std::span<const float> mean;    ///< w̄ [layout.size()]
};

/// Covariance of the weights of a posterior. Spans point into the posterior.
using Covariance = std::variant<NoCovariance, IndependentCovariance, NeighbourCovariances, KroneckerCovariance,
                                LowRankCovariance, SampleCovariance>;

/// What varies between the samples of a posterior.
enum class NoiseIn {
    nothing,       ///< every sample is the same network
    activations,   ///< one weight vector with random masks on the activations (dropout)
    weights,       ///< each sample has its own weights
};

/// One weight sample, with the data that `VariationalFamily::pullback` needs.
template <class T>
struct Draw {
    NoiseKey key;                ///< dropout layers use the same seed and index for their masks, stream `dropout`
    aligned_vector<T> weights;   ///< [layout.size()]
    aligned_vector<T> noise;     ///< standard normal [layout.size()]; empty for samples made without it
};

/// Data of one block in the *Layers* view.
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

/// A distribution over the flat weight vector of a network, used by everything after training. Its
/// const members can be called from many threads at once. T is float in the program; in double,
/// finite differences and reference values check the same formulas.
template <class T>
class BasicPosterior {
public:
    virtual ~BasicPosterior() = default;

    const ParameterLayout& layout() const { return layout_; }

    virtual NoiseIn noise_in() const = 0;
    bool has_weight_noise() const { return noise_in() == NoiseIn::weights; }

    /// Number of different samples: 1 without noise in the weights, M for a set; empty: unlimited.
    virtual std::optional<std::size_t> different_draws() const
    {
        return has_weight_noise() ? std::optional<std::size_t>() : 1;
    }

    /// Allocates a buffer for `draw`, which does not allocate.
    virtual Draw<T> make_draw() const;
    /// Writes the weight sample of `key` to out.weights: a pure function of the key.
    virtual void draw(NoiseKey key, Draw<T>& out) const = 0;

    /// The mean weights [layout.size()], at which a network is linearised.
    virtual std::span<const T> means() const = 0;
    /// Marginal mean and standard deviation of every weight.
    virtual void moments(std::span<float> mean, std::span<float> sd) const = 0;
    /// Index of the first uncertain weight; all weights before it are fixed, with standard
    /// deviation 0.
    virtual std::size_t first_uncertain_weight() const { return 0; }
    /// The correlation ρ of neighbouring weights for each block [blocks], if it and `moments`
    /// determine the distribution: the weights are Gaussian, the blocks independent, and only
    /// neighbouring weights of a block correlated. Then the outputs of a dense layer can be sampled
    /// instead of its weights (docs/maths.md, section 8). Otherwise empty.
    virtual std::optional<std::vector<double>> neighbour_correlations() const { return std::nullopt; }
    /// Σ of the weights in its structured form. Spans in it point into this posterior.
    virtual Covariance covariance() const = 0;
    /// False if the covariance has no closed form and can only be estimated from samples.
    virtual bool has_covariance() const { return true; }
    /// Parameters of a prior that was learned with the posterior; empty: the prior is fixed.
    virtual std::span<const T> prior_parameters() const { return {}; }

    virtual LayerUncertainty describe() const = 0;

    /// The numbers stored in the archive: parameters of a family, θ_MAP of a Laplace approximation,
    /// the weights of all draws of a set.
    virtual std::span<const T> numbers() const = 0;

protected:
    explicit BasicPosterior(ParameterLayout layout) : layout_(std::move(layout)) {}
    BasicPosterior(const BasicPosterior&)            = default;
    BasicPosterior& operator=(const BasicPosterior&) = default;

    /// Independent weights with the variances from `moments`.
    IndependentCovariance independent_of_moments() const;

    ParameterLayout layout_;
};
using Posterior = BasicPosterior<float>;

extern template class BasicPosterior<float>;
extern template class BasicPosterior<double>;

}   // namespace credence
