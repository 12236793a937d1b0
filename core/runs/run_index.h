// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/archive.h"

#include <cstdint>

namespace credence {

/// A saved run in a folder, as shown in a list.
struct ListedRun {
    std::filesystem::path file;
    std::uintmax_t bytes = 0;
    RunSummary summary;
};

struct ListingEvents {
    std::stop_token stop{};
    std::function<void(std::vector<ListedRun>)> found{};   ///< a few hundred runs at a time, the newest names first
    std::function<void(const std::string& sentence)> unreadable{};   ///< for a file that is not a run
};

/// Lists the runs "*.credence" of a folder. Summaries are read from `index`, a SQLite file that
/// serves only as a cache: missing or outdated entries are read from the runs and added. If the
/// index cannot be read or written, everything is read from the runs.
void list_runs(const std::filesystem::path& folder, const std::filesystem::path& index, const ListingEvents& events);

}   // namespace credence
