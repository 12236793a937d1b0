// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>

/// Wall times stand in times.json alone, so that results.json and data/ of two runs of one Study are the same bytes.
namespace credence {

nlohmann::ordered_json cell_to_json(const Cell& cell);   ///< null: not finite
/// One object a row; its keys are the names of the columns in small letters, with their units.
nlohmann::ordered_json table_to_json(const Table& table);

/// The table of a view without its columns of wall times.
Table without_wall_times(const std::string& view_id, const Table& table);

/// Writes times.json: when the run began, how many seconds it trained, and the wall times in the tables of views.
/// @param started  ISO 8601, local time; empty: not known. @param seconds  empty: nothing was trained
/// @param tables   by the ids of their views. @throws Error that names the file
void write_times(const std::string& started, std::optional<double> seconds,
                 std::span<const std::pair<std::string, Table>> tables, const std::filesystem::path& folder);

/// When a run began and how long it trained.
struct WallTimes {
    std::string started;             ///< empty: not known
    std::optional<double> seconds;   ///< empty: not known
};
/// Reads times.json of a folder, or results.json where an older version wrote them. Nothing is known if neither can be read.
WallTimes read_times(const std::filesystem::path& folder);

}   // namespace credence
