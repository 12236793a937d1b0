// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/files.h"
#include "outputs/bridge_of_file.h"
#include "views/beta_marginals.h"

#include <filesystem>

/// The output of `credence bridge`: alpha.npy [N × K] of float64, top_k.csv, results.json.
/// Unfinished files are removed.
class BridgeFiles {
public:
    BridgeFiles(std::filesystem::path folder, const credence::LogitsFile& file);

    void add(const credence::BridgedBlock& block);
    /// Renames the files to their final names and writes the results.
    void finish(const credence::BridgeOrder& order, const credence::BridgeTotals& totals, std::size_t row,
                const credence::BetaMarginals& ofRow);
    std::filesystem::path figures() const;   ///< creates the folder for figures

private:
    const credence::LogitsFile& m_file;
    std::filesystem::path m_folder;
    credence::WholeFile m_alpha, m_lists;
};
