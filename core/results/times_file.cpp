// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/times_file.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/json.h"
#include "outputs/bridge_scores.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

namespace credence {
namespace {

using nlohmann::ordered_json;

/// Only the view of the bridge's cost measures time.
bool is_wall_time(const std::string& view_id, const Column& column)
{
    return view_id == "bridge_scores"
           && std::find(std::begin(bridge_scores_wall_times), std::end(bridge_scores_wall_times), column.name)
                  != std::end(bridge_scores_wall_times);
}

/// The columns for which `wanted` is true.
template <class Wanted>
Table columns_of(const Table& table, Wanted wanted)
{
    Table part;
    part.rows.resize(table.rows.size());
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (!wanted(c))
            continue;
        part.columns.push_back(table.columns[c]);
        for (std::size_t r = 0; r < table.rows.size(); ++r)
            part.rows[r].push_back(table.rows[r][c]);
    }
    return part;
}

}   // namespace

ordered_json cell_to_json(const Cell& cell)
{
    if (const auto* number = std::get_if<double>(&cell))
        return std::isfinite(*number) ? ordered_json(*number) : ordered_json(nullptr);
    return std::visit([](const auto& value) { return ordered_json(value); }, cell);
}

ordered_json table_to_json(const Table& table)
{
    ordered_json rows = ordered_json::array();
    for (const auto& row : table.rows) {
        ordered_json object;
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const auto& column = table.columns[i];
            std::string key    = column.unit.empty() ? column.name : column.name + ", " + column.unit;
            std::transform(key.begin(), key.end(), key.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
            object[key] = cell_to_json(row[i]);
        }
        rows.push_back(std::move(object));
    }
    return rows;
}

Table without_wall_times(const std::string& view_id, const Table& table)
{
    return columns_of(table, [&](std::size_t c) { return !is_wall_time(view_id, table.columns[c]); });
}

void write_times(const std::string& started, std::optional<double> seconds,
                 std::span<const std::pair<std::string, Table>> tables, const std::filesystem::path& folder)
{
    ordered_json json = ordered_json::object();
    if (!started.empty())
        json["started"] = started;
    if (seconds)
        json["seconds"] = *seconds;
    for (const auto& of_view : tables) {
        const auto times = columns_of(of_view.second, [&](std::size_t c) {   // the first column names the row
            return c == 0 || is_wall_time(of_view.first, of_view.second.columns[c]);
        });
        if (times.columns.size() > 1)
            json["tables"][of_view.first] = table_to_json(times);
    }
    write_whole(folder / "times.json", json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

WallTimes read_times(const std::filesystem::path& folder)
{
    WallTimes times;
    for (const char* name : {"times.json", "results.json"}) {
        std::error_code ignored;
        const auto file = folder / name;
        if (!std::filesystem::is_regular_file(file, ignored))
            continue;
        try {
            const auto json = parse_json(read_file(file, "times of a run"), file.string(), "times of a run");
            if (!json.is_object())
                continue;
            if (const auto found = json.find("started"); found != json.end() && found->is_string())
                times.started = found->get<std::string>();
            if (const auto found = json.find("seconds"); found != json.end() && found->is_number())
                times.seconds = found->get<double>();
            if (!times.started.empty() || times.seconds)
                return times;
        } catch (const Error&) {   // unknown
        }
    }
    return times;
}

}   // namespace credence
