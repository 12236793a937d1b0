// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>

/// Wall times are stored in times.json only, so that results.json and data/ of two runs of one
/// Study have the same bytes.
namespace credence {

nlohmann::ordered_json cell_to_json(const Cell& cell);   ///< null: not finite
/// One object per row; its keys are the column names in lower case, with units.
nlohmann::ordered_json table_to_json(const Table& table);

/// The table of a view without its wall-time columns.
Table without_wall_times(const std::string& view_id, const Table& table);

/// Writes times.json: the start of the run, its training time in seconds, and the wall times in the
/// tables of views.
/// @param started  ISO 8601, local time; empty: unknown. @param seconds  empty: nothing was trained
/// @param tables   by the ids of their views. @throws Error that names the file
void write_times(const std::string& started, std::optional<double> seconds,
                 std::span<const std::pair<std::string, Table>> tables, const std::filesystem::path& folder);

/// Start and training time of a run.
struct WallTimes {
    std::string started;             ///< empty: not known
    std::optional<double> seconds;   ///< empty: not known
};
/// Reads times.json of a folder, or results.json from an older version. Both values are empty if
/// neither can be read.
WallTimes read_times(const std::filesystem::path& folder);

}   // namespace credence
