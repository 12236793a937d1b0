// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/json.h"
#include "foundation/text.h"
#include "runs/archive.h"
#include "runs/archive_json.h"
#include "runs/archive_parts.h"
#include "runs/experiment.h"
#include "runs/prediction_data.h"
#include "study/method.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <new>
#include <utility>

namespace credence {
namespace {

using nlohmann::json;

std::string_view blob_of(const SQLite::Column& column)
{
    return {static_cast<const char*>(column.getBlob()), static_cast<std::size_t>(std::max(0, column.getBytes()))};
}

json unpack_json(std::int64_t bytes, const SQLite::Column& column)
{
    return parse_json(unpack(bytes, blob_of(column), archive_format::most_text), "a part", "what was written");
}

/// Opens the file and checks that it is a Credence run: the two tables, and no views or triggers.
SQLite::Database open_run(const std::filesystem::path& file)
{
    SQLite::Database base(file.string(), SQLite::OPEN_READONLY);
    base.exec("PRAGMA trusted_schema = OFF");
    if (base.execAndGet("PRAGMA application_id").getInt() != archive_format::application_id)
        throw Error("it is a database of another program");
    if (const int found = base.execAndGet("PRAGMA user_version").getInt(); found < 1 || found > archive_format::format)
        throw Error("it has format " + std::to_string(found) + ", but this program reads formats 1 to "
                    + std::to_string(archive_format::format));
    SQLite::Statement query(base, "SELECT type, sql FROM sqlite_master LIMIT 10");
    int tables = 0;
    while (query.executeStep()) {
        const std::string type = query.getColumn(0).getString(), sql = query.getColumn(1).getString();
        if (type == "table" && (sql == archive_format::part_table || sql == archive_format::snapshot_table))
            ++tables;
        else if (type != "index" || !sql.empty())   // SQLite's own index of the names
            throw Error("it contains a " + one_line(type, 20) + " that Credence does not write");
    }
    if (tables != 2)
        throw Error("its tables are missing");
    return base;
}

bool has_part(const SQLite::Database& base, const char* name)
{
    SQLite::Statement query(base, "SELECT 1 FROM part WHERE name = ?");
    query.bind(1, name);
    return query.executeStep();
}

/// Calls `read` with size and bytes of a part.
template <class Read>
auto from_part(const SQLite::Database& base, const char* name, Read read)
{
    SQLite::Statement query(base, "SELECT bytes, packed FROM part WHERE name = ?");
    query.bind(1, name);
    if (!query.executeStep())
        throw Error(std::string("its part \"") + name + "\" is missing");
    return read(query.getColumn(0).getInt64(), query.getColumn(1));
}

json part_of(const SQLite::Database& base, const char* name) { return from_part(base, name, unpack_json); }

RunTimes times_of(const SQLite::Database& base, const json& head)
{
    if (has_part(base, "times"))
        return times_from(part_of(base, "times"));
    if (!head.contains("started"))
        return {};
    return {head.at("started").get<std::string>(), number_from(head.at("report").at("seconds")), {}, {}};
}

std::optional<FinalScore> score_of(const SQLite::Database& base)
{
    return has_part(base, "score") ? std::optional(score_from(part_of(base, "score"))) : std::nullopt;
}

/// The point with its time, if that is stored separately.
TrainingPoint timed_point(const json& point, const std::vector<double>& times, std::size_t number)
{
    TrainingPoint timed = point_from(point);
    if (number < times.size())
        timed.seconds = times[number];
    return timed;
}

/// The last snapshot with the additional data of its method.
std::shared_ptr<const Snapshot> with_saved_part(const SQLite::Database& base, const SavedPart& saved,
                                                const Snapshot& last)
{
    const auto numbers = [&](std::size_t most) {
        return from_part(base, (saved.name + "_numbers").c_str(),
                         [&](std::int64_t bytes, const SQLite::Column& packed) {
            return unpack(bytes, blob_of(packed), most);
        });
    };
    return std::make_shared<const Snapshot>(
        Snapshot{saved.read(*last.posterior, part_of(base, saved.name.c_str()), numbers), last.point});
}

/// Reads name, Study, report and times; returns the head for the rest.
template <class Run>
Run run_from(const json& head, const RunTimes& times)
{
    Run run;
    run.name           = head.at("name").get<std::string>();
    run.started        = times.started;
    run.study          = study_from_json(head.at("study"));
    run.report         = report_from(head.at("report"));
    run.report.seconds = times.seconds;
    return run;
}

/// One row of the table of snapshots.
struct SnapshotRow {
    std::int64_t number = 0;
    json head;   ///< of its posterior; null: parameters of the family
    std::int64_t bytes = 0;
    SQLite::Column packed;
};

/// @param last  the last snapshot of the run; null: this is it
std::shared_ptr<const Posterior> draws_from(const SQLite::Database& base, const SnapshotRow& row,
                                            const ParameterLayout& layout, const Posterior* last)
{
    SampleOrigin origin = origin_from(row.head);
    if (!row.head.contains("draws")) {   // formats 1 and 2
        const auto packed = blob_of(row.packed);
        require_possible_size(row.bytes, packed.size(), archive_format::most_numbers);
        aligned_vector<float> draws(static_cast<std::size_t>(row.bytes) / sizeof(float));
        if (draws.size() * sizeof(float) != static_cast<std::size_t>(row.bytes))
            throw Error("a set of draws has " + std::to_string(row.bytes) + " bytes, expected a multiple of "
                        + std::to_string(sizeof(float)));
        unpack_into(packed, {reinterpret_cast<char*>(draws.data()), static_cast<std::size_t>(row.bytes)});
        require_finite_numbers(draws);
        return std::make_shared<SampleSet>(layout, std::move(draws), std::move(origin));
    }
    const auto n_draws = static_cast<std::size_t>(
        whole_from(row.head.at("draws"), 1, static_cast<long>(most_bytes_of_draws)));
    if (row.head.value("part_of_last", false)) {
        const auto* whole = last ? sample_set_of(*last) : nullptr;
        if (!whole)
            throw Error("a set of draws refers to a last set that does not exist");
        return whole->first_draws(n_draws, std::move(origin));
    }
    auto draws = read_draws(base, row.number, n_draws, layout.size());
    require_finite_numbers(draws);
    return std::make_shared<SampleSet>(layout, std::move(draws), std::move(origin));
}

/// Refuses a layout unless the snapshots can have a number for each weight, before a network of
/// that size is made.
void require_numbers_for(const ParameterLayout& layout, const SQLite::Database& base)
{
    SQLite::Statement query(
        base,
        "SELECT (SELECT total(min(bytes, 1032 * (length(packed) + 1))) FROM snapshot) + (SELECT total(min(bytes, 1032 "
        "* (length(packed) + 1))) FROM part WHERE name GLOB 'draws *')");
    const double bytes = query.executeStep() ? query.getColumn(0).getDouble() : 0;
    if (bytes < static_cast<double>(layout.size() * sizeof(float)))
        throw Error("its snapshots have fewer numbers than its network has weights");
}

void read_snapshots(const SQLite::Database& base, const json& head, const RunTimes& times, WhichSnapshots which,
                    SavedRun& run)
{
    const auto n = static_cast<std::size_t>(whole_from(head.at("snapshots"), 0, archive_format::most_snapshots));
    if (which == WhichSnapshots::none)
        return;
    const std::size_t wanted = which == WhichSnapshots::last ? std::min<std::size_t>(n, 1) : n;
    const std::size_t most = which == WhichSnapshots::last ? wanted : n + 1;   // one more, to detect surplus snapshots
    if (n > 0) {
        check(run.study);   // invalid options cannot make a family
        const auto layout = layout_from(head.at("layout"));
        require_numbers_for(layout, base);
        const auto family = start_of(run.study, layout, std::vector<float>(layout.size(), 1.0f));
        // The last one first: earlier ones can be parts of it.
        SQLite::Statement query(base,
                                "SELECT point_bytes, point, bytes, packed, number FROM snapshot ORDER BY number DESC");
        std::shared_ptr<const Posterior> last;
        while (run.snapshots.size() < most && query.executeStep()) {
            const json point = unpack_json(query.getColumn(0).getInt64(), query.getColumn(1));
            const SnapshotRow row{query.getColumn(4).getInt64(), point.value("posterior", json()),
                                  query.getColumn(2).getInt64(), query.getColumn(3)};
            if (row.head.is_null())
                require_parameter_bytes(*family, row.bytes);   // before allocating memory
            auto posterior = row.head.is_null() ? parameters_from(
                                 unpack(row.bytes, blob_of(row.packed), archive_format::most_numbers), *family)
                                                : draws_from(base, row, layout, last.get());
            if (!last)
                last = posterior;
            run.snapshots.push_back(std::make_shared<const Snapshot>(
                Snapshot{std::move(posterior), timed_point(point, times.snapshots, n - 1 - run.snapshots.size())}));
        }
        std::reverse(run.snapshots.begin(), run.snapshots.end());
    }
    if (run.snapshots.size() != wanted)
        throw Error("it contains " + std::to_string(run.snapshots.size()) + " of " + std::to_string(n) + " snapshots");
    if (const auto& saved = method_of(run.study).saved_part; n > 0 && saved && has_part(base, saved->name.c_str()))
        run.snapshots.back() = with_saved_part(base, *saved, *run.snapshots.back());
    if (n > 0)
        run.report.last = run.snapshots.back();
}

SavedRun read_database(const std::filesystem::path& file, WhichSnapshots which)
{
    const auto base      = open_run(file);
    const json head      = part_of(base, "run");
    const RunTimes times = times_of(base, head);
    auto run             = run_from<SavedRun>(head, times);
    run.table            = head.value("table", std::string());
    if (has_part(base, "provenance"))
        run.provenance = provenance_from(part_of(base, "provenance"));
    for (const auto& point : part_of(base, "history"))
        run.history.push_back(timed_point(point, times.history, run.history.size()));
    run.score = score_of(base);
    if (has_part(base, "prediction"))
        run.data = prediction_data_from(part_of(base, "prediction"), [&](std::size_t bytes) {
            return from_part(base, "prediction_numbers", [&](std::int64_t stated, const SQLite::Column& packed) {
                return unpack(stated, blob_of(packed), bytes);
            });
        });
    read_snapshots(base, head, times, which, run);
    return run;
}

RunSummary read_summary(const std::filesystem::path& file)
{
    const auto base      = open_run(file);
    const json head      = part_of(base, "run");
    const RunTimes times = times_of(base, head);
    auto run             = run_from<RunSummary>(head, times);
    run.score            = score_of(base);
    return run;
}

/// Reads by `read` and turns any failure into an error about the file.
template <class Read>
auto read_run(const std::filesystem::path& file, Read read)
{
    const auto refusal = [&](const std::string& why) {
        return Error(file.string() + ": expected a saved Credence run, but " + why + ".");
    };
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored))
        throw Error(file.string() + ": no such file; expected a saved Credence run.");
    try {
        return read(file);
    } catch (const SQLite::Exception& e) {
        throw refusal("SQLite reports: " + one_line(e.getErrorStr(), 200));
    } catch (const json::exception&) {
        throw refusal("a part cannot be read");
    } catch (const std::bad_alloc&) {
        throw refusal("there is not enough memory");
    } catch (const Error& e) {
        std::string why = e.what();
        if (why.ends_with('.'))
            why.pop_back();
        throw refusal(why);
    }
}

}   // namespace

SavedRun load_run(const std::filesystem::path& file, WhichSnapshots which)
{
    return read_run(file, [which](const std::filesystem::path& one) { return read_database(one, which); });
}

RunSummary load_run_summary(const std::filesystem::path& file) { return read_run(file, read_summary); }

}   // namespace credence
