// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/architecture.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// The criterion by which weights are removed.
enum class PruneBy {
    /// Smallest |μ|/σ first: weights that are small compared with their uncertainty carry least
    /// information (Blundell et al. 2015, section 5.1)
    signal_to_noise,
    magnitude,   ///< smallest |μ| first, ignoring uncertainty: the usual order for networks without a posterior
    spread,      ///< largest σ first, ignoring the size of the weight
};
/// "|μ|/σ", "|μ|", "σ"
const char* symbol_of(PruneBy by);
/// Returns the criterion "signal_to_noise", "magnitude" or "spread". @throws Error that lists them
PruneBy prune_by_named(const std::string& name);

/// Selects the weights that are set to zero.
struct PruneRule {
    double share   = 0;   ///< of the removable weights, in [0, 1]
    PruneBy by     = PruneBy::signal_to_noise;
    bool per_layer = false;   ///< applies the share to each layer separately; otherwise to all layers together
    bool biases    = true;    ///< removes biases as well as weights

    bool on() const { return share > 0; }
    bool operator==(const PruneRule&) const = default;
};
/// "95 % of weights removed by |μ|/σ, separately in each layer, biases kept"
std::string words_of(const PruneRule& rule);

/// Returns the weights that a rule removes: the first floor(share · n) of n weights, over all
/// layers or per layer. Equal weights are removed in the order of their index.
/// If |μ|/σ is infinite because σ = 0, the smaller |μ| is removed first, so that weights without
/// spread are removed by |μ|.
///
/// @param mean, sd  of every weight [layout.size()]
/// @return          flat indices, ascending
/// @throws Error    if the share is outside [0, 1]
/// Source: Blundell et al. 2015, section 5.1, Table 2
template <class T>
std::vector<std::size_t> pruned_weights(const PruneRule& rule, const ParameterLayout& layout, std::span<const T> mean,
                                        std::span<const T> sd);

/// The same for all weights together, by |mean|/sd.
/// @param fraction  in [0, 1]
template <class T>
std::vector<std::size_t> prune_by_snr(std::span<const T> mean, std::span<const T> sd, double fraction);

}   // namespace credence
