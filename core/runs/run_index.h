// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/archive.h"

#include <cstdint>

namespace credence {

/// A saved run of a folder, as a list shows it.
struct ListedRun {
    std::filesystem::path file;
    std::uintmax_t bytes = 0;
    RunSummary summary;
};

struct ListingEvents {
    std::stop_token stop{};
    std::function<void(std::vector<ListedRun>)> found{};   ///< some hundred runs at a time, the newest names first
    std::function<void(const std::string& sentence)> unreadable{};   ///< of a file that is no run
};

/// Lists the runs "*.credence" of a folder. Summaries are read from `index`, a SQLite file that is no more than a cache: what is missing in it or has changed since is read from the runs
/// and added. Where the index cannot be read or written, all is read from the runs.
void list_runs(const std::filesystem::path& folder, const std::filesystem::path& index, const ListingEvents& events);

}   // namespace credence
