// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/architecture.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// By what weights stand in line to be removed.
enum class PruneBy {
    signal_to_noise,   ///< smallest |μ|/σ first: what is small beside its doubt says least (Blundell et al. 2015, section 5.1)
    magnitude,   ///< smallest |μ| first, whatever its doubt: the usual order for nets without a posterior
    spread,      ///< largest σ first, whatever its size
};
/// "|μ|/σ", "|μ|", "σ"
const char* symbol_of(PruneBy by);
/// By "signal_to_noise", "magnitude" or "spread". @throws Error that lists them
PruneBy prune_by_named(const std::string& name);

/// Which weights are set to zero.
struct PruneRule {
    double share   = 0;   ///< of the weights that may go, in [0, 1]
    PruneBy by     = PruneBy::signal_to_noise;
    bool per_layer = false;   ///< the share is taken of each layer by itself; else of all layers together
    bool biases    = true;    ///< biases stand in line with the weights; else they stay

    bool on() const { return share > 0; }
    bool operator==(const PruneRule&) const = default;
};
/// "95 % of weights removed by |μ|/σ, of each layer by itself, biases kept"
std::string words_of(const PruneRule& rule);

/// Which weights a rule removes: of each line, all layers or one, the floor(share · n) first of its n weights. Equally placed weights go in the order of their index;
/// where |μ|/σ is infinite, since σ = 0, the smaller |μ| goes first, so that weights without spread are removed by |μ|.
///
/// @param mean, sd  of every weight [layout.size()]
/// @return          flat indices, ascending
/// @throws Error    if the share is outside [0, 1]
/// Source: Blundell et al. 2015, section 5.1, Table 2
template <class T>
std::vector<std::size_t> pruned_weights(const PruneRule& rule, const ParameterLayout& layout, std::span<const T> mean,
                                        std::span<const T> sd);

/// The same of all weights in one line by |mean|/sd.
/// @param fraction  in [0, 1]
template <class T>
std::vector<std::size_t> prune_by_snr(std::span<const T> mean, std::span<const T> sd, double fraction);

}   // namespace credence
