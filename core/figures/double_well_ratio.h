// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/double_well_walk.h"
#include "charts/chart.h"

namespace credence::double_well {

/// What density_ratios is made of: all that it needs of a walk that goes on.
struct RatioSamples {
    std::vector<double> truth, plain, functional;                  ///< draws
    std::vector<double> truth_bins, plain_bins, functional_bins;   ///< probabilities [Bins::n]
    long steps = 0;
};
/// At most 1,000 draws of the long chain and 4,000 of each chain; of the functional chain 100 from each Gaussian, fewer where it has more than 40.
RatioSamples ratio_samples(const Walk& walk, const LongChain& truth);

/// How many times as often as a chain the truth is at θ: p(θ)/q(θ), p the truth and q the law of the chain's states.
struct ChainRatio {
    std::string why_not{};   ///< not empty: KLIEP has nothing to go by
    double reached =
        0;   ///< share of the long chain's draws with a draw of the chain within one bin's width; beyond, p/q has no bound
    double width = 0;   ///< σ of KLIEP's kernels
    /// KLIEP between the reached draws of the truth and those of the chain, times `reached`; NaN where no draw of the chain is near
    std::vector<double> theta{}, kliep{};
    std::vector<double> by_long_chain{},
        by_exact{};   ///< probability of each bin over the chain's [Bins::n]; NaN where either is none
};
struct DensityRatios {
    ChainRatio plain, functional;
    long steps = 0;
};
/// Takes some tenths of a second. @throws Stopped, see foundation/stopped.h
/// Source: the functional-BNN submission, section 5.1 and Fig. 1; KLIEP: Sugiyama et al. 2008
DensityRatios density_ratios(const RatioSamples& samples);

/// One panel a chain, on one logarithmic scale: 1 is the truth.
Chart to_chart(const DensityRatios& ratios);

}   // namespace credence::double_well
