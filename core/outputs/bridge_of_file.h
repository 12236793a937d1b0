// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputs/logits_file.h"
#include "simplex/laplace_bridge.h"
#include "simplex/top_k.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace credence {

struct BridgeOrder {
    BridgeVariant variant = BridgeVariant::plain;
    double threshold      = 0.05;   ///< T of the uncertainty-aware top-k
    int longest           = 0;      ///< largest number of classes in a list; 0: all
};

/// Result of the bridge for one row.
struct BridgedRow {
    int predicted    = 0;       ///< class of the largest alpha
    int label        = -1;      ///< -1: unknown
    float confidence = 0;       ///< largest mean alpha_k/alpha_0
    float log_total  = 0;       ///< ln alpha_0
    int list_length  = 1;       ///< classes of the uncertainty-aware top-k
    bool listed      = false;   ///< the label is in the list
};

/// Totals of a whole file (Hobbhahn 2020, section 5.5). Shares are empty without labels.
struct BridgeTotals {
    std::size_t n = 0;
    std::optional<double> top_1;   ///< share of rows whose label has the largest bridge mean
    std::optional<double> top_k;   ///< share of rows whose list contains the label
    double mean_length = 0;        ///< classes per list
    double mmc         = 0;        ///< mean of the largest bridge mean
    std::vector<long> lengths;     ///< lists of each length, 0 … longest
    double reading_seconds = 0, bridge_seconds = 0, list_seconds = 0;   ///< wall times, measured
};

/// A finished block of rows, for writers. Row i of the block is row first + i of the file.
struct BridgedBlock {
    std::size_t first = 0, n = 0;
    std::vector<double> alpha;             ///< [n × K]
    std::vector<std::vector<int>> lists;   ///< [n] classes of each list, largest α first
    std::vector<BridgedRow> rows;          ///< [n]
};

/// Processes the file from start to end, block by block: Dirichlet by the bridge, uncertainty-aware
/// top-k and totals. All threads; memory does not depend on N.
/// @param use       called for each block in order; may be empty
/// @param progress  share of finished rows; may be empty
/// @return empty if stopped. @throws Error that names file and row, also where alpha overflows
std::optional<BridgeTotals> bridge_of_file(const std::shared_ptr<const LogitsFile>& file, const BridgeOrder& order,
                                           std::stop_token stop                                = {},
                                           const std::function<void(const BridgedBlock&)>& use = {},
                                           const std::function<void(double)>& progress         = {});

/// The Dirichlet of one Gaussian. @throws Error "Laplace bridge: ln alpha of class …" if alpha
/// overflows
Dirichlet bridged(const LogitGaussian& logits, BridgeVariant variant);

/// "plain" → BridgeVariant::plain. @throws Error that lists the names
BridgeVariant bridge_variant_named(const std::string& name);
/// One line per variant: when to choose it.
const char* hint(BridgeVariant variant);

}   // namespace credence
