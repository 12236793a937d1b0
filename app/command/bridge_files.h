// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/beta_marginals.h"
#include "foundation/write_whole.h"
#include "outputs/bridge_of_file.h"

#include <filesystem>

/// What `credence bridge` writes: alpha.npy [N × K] of float64, top_k.csv, results.json. Each is whole or not there: what is not finished is removed.
class BridgeFiles {
public:
    BridgeFiles(std::filesystem::path folder, const credence::LogitsFile& file);

    void add(const credence::BridgedBlock& block);
    /// Gives the files their names and writes the results.
    void finish(const credence::BridgeOrder& order, const credence::BridgeTotals& totals, std::size_t row,
                const credence::BetaMarginals& ofRow);
    std::filesystem::path figures() const;   ///< the folder for them, made

private:
    const credence::LogitsFile& m_file;
    std::filesystem::path m_folder;
    credence::WholeFile m_alpha, m_lists;
};
