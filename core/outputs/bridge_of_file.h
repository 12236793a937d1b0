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
    int longest           = 0;      ///< classes that a list may have; 0: all
};

/// What the bridge says of one row.
struct BridgedRow {
    int predicted    = 0;       ///< class of the largest alpha
    int label        = -1;      ///< -1: not known
    float confidence = 0;       ///< largest mean alpha_k/alpha_0
    float log_total  = 0;       ///< ln alpha_0
    int list_length  = 1;       ///< classes of the uncertainty-aware top-k
    bool listed      = false;   ///< the label is among them
};

/// Of a whole file (Hobbhahn 2020, section 5.5). Shares are empty where there are no labels.
struct BridgeTotals {
    std::size_t n = 0;
    std::optional<double> top_1;   ///< share of rows whose class of largest bridge mean is the label
    std::optional<double> top_k;   ///< share of rows whose list holds the label
    double mean_length = 0;        ///< classes a list
    double mmc         = 0;        ///< mean of the largest bridge mean
    std::vector<long> lengths;     ///< lists of each length, 0 … longest
    double reading_seconds = 0, bridge_seconds = 0, list_seconds = 0;   ///< wall times, measured
};

/// A block of rows as it is ready: for writers. Row i of it is row first + i of the file.
struct BridgedBlock {
    std::size_t first = 0, n = 0;
    std::vector<double> alpha;             ///< [n × K]
    std::vector<std::vector<int>> lists;   ///< [n] classes of each list, largest α first
    std::vector<BridgedRow> rows;          ///< [n]
};

/// Reads the file from front to back, block by block: Dirichlet by the bridge, uncertainty-aware top-k and totals. All threads; memory does not depend on N.
/// @param use       called for each block in order; may be empty
/// @param progress  the share of the rows that is done; may be empty
/// @return empty if stopped. @throws Error that names file and row, also where alpha overflows
std::optional<BridgeTotals> bridge_of_file(const std::shared_ptr<const LogitsFile>& file, const BridgeOrder& order,
                                           std::stop_token stop                                = {},
                                           const std::function<void(const BridgedBlock&)>& use = {},
                                           const std::function<void(double)>& progress         = {});

/// The Dirichlet of one Gaussian. @throws Error "Laplace bridge: ln alpha of class …" if alpha overflows
Dirichlet bridged(const LogitGaussian& logits, BridgeVariant variant);

/// "plain" → BridgeVariant::plain. @throws Error that lists the names
BridgeVariant bridge_variant_named(const std::string& name);
/// One line for each variant: when to pick it.
const char* hint(BridgeVariant variant);

}   // namespace credence
