// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/double_well.h"
#include "charts/chart.h"

#include <array>
#include <vector>

/// Pictures of two chains on the double well, adapted from the functional-BNN submission, Fig. 1.
namespace credence::double_well {

/// Left: U(θ) with the state of the plain chain on it, and the Gaussian as a bell at its expected
/// potential E U, each with its last ten states. Right: the free energy F(μ, s) = E U − entropy, on
/// which the Gaussian moves, with the contour at its saddle and the last states.
Chart chain_pair_chart(const ChainPair& pair);

/// θ of the plain chain, and μ with μ ± s of the functional chain, against the step; at most 1,000
/// equally spaced states.
Chart trace_chart(const ChainPair& pair);

/// On one scale: exp(−U)/∫exp(−U) by quadrature, histograms of the long chain and of the plain
/// chain so far, and the mixture of all functional states so far, as bin probabilities divided by
/// bin width. The mixture is exact: it needs no draws.
Chart density_chart(const ChainPair& pair, const LongChain& reference);

/// Mean, variance, share on the right, crossings and barrier of each as a table; unknown values are
/// "–".
Chart numbers_chart(const ChainPair& pair, const LongChain& reference);

/// The part of a running pair of chains that density_ratios needs.
struct RatioSamples {
    std::vector<double> reference, plain, functional;                  ///< draws
    std::vector<double> reference_bins, plain_bins, functional_bins;   ///< probabilities [Bins::n]
    long steps = 0;
};
/// At most 1,000 draws of the long chain and 4,000 of each chain; for the functional chain 100 from
/// each Gaussian, fewer if it has more than 40.
RatioSamples ratio_samples(const ChainPair& pair, const LongChain& reference);

/// The density ratio p(θ)/q(θ), with the target p and the distribution q of the chain's states.
struct ChainRatio {
    std::string why_not{};   ///< not empty: why KLIEP has too few draws
    double reached = 0;      ///< share of the long chain's draws with a draw of the chain within one bin's width;
                             ///< elsewhere p/q is unbounded
    double width = 0;        ///< σ of KLIEP's kernels
    /// KLIEP between the reached draws of the long chain and those of the chain, times `reached`;
    /// NaN if no draw of the chain is near
    std::vector<double> theta{}, kliep{};
    std::vector<double> by_long_chain{},
        by_exact{};   ///< probability of each bin divided by the chain's [Bins::n]; NaN if either
                      ///< is 0
};
struct DensityRatios {
    ChainRatio plain, functional;
    long steps = 0;
};
/// Runs for some tenths of a second. @throws Stopped at a stop_point
/// Source: the functional-BNN submission, section 5.1 and Fig. 1; KLIEP: Sugiyama et al. 2008
DensityRatios density_ratios(const RatioSamples& samples);

/// One panel per chain, on one logarithmic scale: 1 is correct.
Chart to_chart(const DensityRatios& ratios);

/// Results of the chains of several seeds; a pair that diverges is only counted.
struct ChainsOverSeeds {
    struct OfChain {
        std::array<std::vector<double>, 3> kliep;   ///< at −√5, 0 and √5, from the chains that came near
        std::vector<double> larger_share;           ///< of the states on one side of 0 [chains], ½ to 1
        std::vector<double> crossings;              ///< [chains]
    };
    OfChain plain, functional;
    ChainPairOptions options;   ///< of the first seed
    long steps = 0;
    int seeds = 0, diverged = 0;
};
/// Pairs of chains with the seeds options.seed, options.seed + 1, …, each compared with a long chain
/// of its own seed. @throws Error for invalid options; Stopped at a stop_point
ChainsOverSeeds chains_over_seeds(const ChainPairOptions& options, long steps, int seeds,
                                  LongChainOptions reference = {});
/// Median and quartiles over the seeds, one row per chain and quantity.
Chart numbers_chart(const ChainsOverSeeds& over_seeds);

}   // namespace credence::double_well
