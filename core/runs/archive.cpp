// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/archive.h"

#include "foundation/error.h"
#include "foundation/json_text.h"
#include "foundation/one_line.h"
#include "runs/archive_json.h"
#include "runs/posterior_head.h"
#include "study/method.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include <algorithm>
#include <new>
#include <utility>

// The file: application id "Cred", user version 2, and two tables. Every value is packed by zlib, whose checksum finds a damaged byte.
//   part(name, bytes, packed)              "run": JSON with name, study, report and layout; "history": JSON
//                                          "times": JSON of every wall time, if the run knows when it began; all else is the same in each run of one Study
//                                          of the last snapshot, what its method keeps beside the numbers: "curvature", "curvature_numbers"
//   snapshot(number, point, bytes, packed) point: JSON of the TrainingPoint, and "posterior", its head, where the Study does not say it; packed: the posterior's numbers, float, little endian
// Version 1 had the times in the other parts and no part of their own.
namespace credence {
namespace {

using nlohmann::json;

constexpr int application_id = 0x43726564;
constexpr int format         = 2;

// As SQLite keeps them: a file with any other table, view or trigger is none of ours.
constexpr std::string_view part_table =
    "CREATE TABLE part(name TEXT PRIMARY KEY, bytes INTEGER NOT NULL, packed BLOB NOT NULL)";
constexpr std::string_view snapshot_table =
    "CREATE TABLE snapshot(number INTEGER PRIMARY KEY, point_bytes INTEGER NOT NULL, point BLOB NOT NULL, bytes INTEGER NOT NULL, packed BLOB NOT NULL)";
constexpr std::size_t most_text      = std::size_t{64} << 20;   // bytes of a JSON part
constexpr std::size_t most_numbers   = std::size_t{1} << 30;    // bytes of a posterior's numbers, of all its draws
constexpr std::size_t most_snapshots = 100'000;

// ---- packing

struct Packed {
    std::size_t bytes = 0;   ///< before packing
    std::string data;
};

Packed pack(const void* data, std::size_t bytes)
{
    uLongf length = compressBound(static_cast<uLong>(bytes));
    std::string packed(length, '\0');
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &length, static_cast<const Bytef*>(data),
                  static_cast<uLong>(bytes), 1)
        != Z_OK)
        throw Error("The run could not be packed: not enough memory.");
    packed.resize(length);
    return {bytes, std::move(packed)};
}
Packed pack(const json& value)
{
    const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    return pack(text.data(), text.size());
}

/// What `column` unpacks to. The claimed size is looked at before any memory is taken: zlib makes at most 1032 bytes of one.
std::string unpack(std::int64_t bytes, const SQLite::Column& column, std::size_t most)
{
    const auto packed = static_cast<std::uint64_t>(std::max(0, column.getBytes()));
    if (bytes < 0 || static_cast<std::uint64_t>(bytes) > most || static_cast<std::uint64_t>(bytes) > 1032 * packed + 64)
        throw Error("a part has an impossible size");
    std::string plain(static_cast<std::size_t>(bytes), '\0');
    uLongf length = static_cast<uLongf>(bytes);
    // An empty part still has zlib's header; zlib wants a place to write to.
    char nothing = 0;
    auto* target = reinterpret_cast<Bytef*>(plain.empty() ? &nothing : plain.data());
    if (uncompress(target, &length, static_cast<const Bytef*>(column.getBlob()), static_cast<uLong>(packed)) != Z_OK
        || length != static_cast<uLongf>(bytes))
        throw Error("a part is damaged");
    return plain;
}

json unpack_json(std::int64_t bytes, const SQLite::Column& column)
{
    return parse_json(unpack(bytes, column, most_text), "a part", "what was written");
}

json to_json(const Snapshot& snapshot)
{
    json j = point_to_json(snapshot.point);
    if (json head = posterior_head(*snapshot.posterior); !head.is_null())
        j["posterior"] = std::move(head);
    return j;
}

// ---- the file

void write_database(const KeptRun& run, const std::filesystem::path& file)
{
    SQLite::Database base(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    base.exec("PRAGMA journal_mode = OFF");   // the file has another name until it is finished
    base.exec("PRAGMA application_id = " + std::to_string(application_id));
    base.exec("PRAGMA user_version = " + std::to_string(format));
    SQLite::Transaction transaction(base);
    base.exec(std::string(part_table));
    base.exec(std::string(snapshot_table));

    const auto bind_packed = [](SQLite::Statement& statement, int bytes_at, const Packed& packed) {
        statement.bind(bytes_at, static_cast<std::int64_t>(packed.bytes));
        statement.bind(bytes_at + 1, packed.data.data(), static_cast<int>(packed.data.size()));
    };
    const auto put_packed = [&](const char* name, const Packed& packed) {
        SQLite::Statement insert(base, "INSERT INTO part VALUES (?, ?, ?)");
        insert.bind(1, name);
        bind_packed(insert, 2, packed);
        insert.exec();
    };
    const auto put_part = [&](const char* name, const json& value) { put_packed(name, pack(value)); };
    json head{{"name", run.name},
              {"study", to_json(run.study)},
              {"report", report_to_json(run.report)},
              {"snapshots", run.snapshots.size()}};
    head["layout"] = run.snapshots.empty() ? json::array() : layout_to_json(run.snapshots.front()->posterior->layout());
    put_part("run", head);
    json history = json::array();
    for (const auto& point : run.history)
        history.push_back(point_to_json(point));
    put_part("history", history);
    if (const auto& kept = method_of(run.study).kept; kept && !run.snapshots.empty()) {
        json about;
        std::string numbers;
        if (kept->write(*run.snapshots.back()->posterior, about, numbers)) {
            put_part(kept->name.c_str(), about);
            put_packed((kept->name + "_numbers").c_str(), pack(numbers.data(), numbers.size()));
        }
    }

    SQLite::Statement insert(base, "INSERT INTO snapshot VALUES (?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < run.snapshots.size(); ++i) {
        const auto numbers  = run.snapshots[i]->posterior->numbers();
        const Packed point  = pack(to_json(*run.snapshots[i]));
        const Packed packed = pack(numbers.data(), numbers.size_bytes());
        insert.bind(1, static_cast<std::int64_t>(i));
        bind_packed(insert, 2, point);
        bind_packed(insert, 4, packed);
        insert.exec();
        insert.reset();
    }
    if (!run.started.empty())
        put_part("times", times_to_json(run));   // last: whatever its length, the pages of the others stay the same
    transaction.commit();
}

std::shared_ptr<const Snapshot> snapshot_from(const VariationalFamily<float>& family, const json& head,
                                              TrainingPoint point, std::int64_t bytes, const SQLite::Column& packed)
{
    if (head.is_null())
        require_parameter_bytes(family, bytes);   // before any memory is taken
    return std::make_shared<const Snapshot>(
        Snapshot{posterior_from(head, unpack(bytes, packed, most_numbers), family), std::move(point)});
}

/// Opens the file and makes sure that it is one of ours: the two tables, and nothing that computes.
SQLite::Database open_run(const std::filesystem::path& file)
{
    SQLite::Database base(file.string(), SQLite::OPEN_READONLY);
    base.exec("PRAGMA trusted_schema = OFF");
    if (base.execAndGet("PRAGMA application_id").getInt() != application_id)
        throw Error("it is a database of another program");
    if (const int found = base.execAndGet("PRAGMA user_version").getInt(); found < 1 || found > format)
        throw Error("it has format " + std::to_string(found) + ", but this program reads formats 1 to "
                    + std::to_string(format));
    SQLite::Statement query(base, "SELECT type, sql FROM sqlite_master LIMIT 10");
    int tables = 0;
    while (query.executeStep()) {
        const std::string type = query.getColumn(0).getString(), sql = query.getColumn(1).getString();
        if (type == "table" && (sql == part_table || sql == snapshot_table))
            ++tables;
        else if (type != "index" || !sql.empty())   // the index of the names is SQLite's own
            throw Error("it holds a " + one_line(type, 20) + " that Credence does not write");
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

/// The point with its time, where that is kept apart.
TrainingPoint timed_point(const json& point, const std::vector<double>& times, std::size_t number)
{
    TrainingPoint timed = point_from(point);
    if (number < times.size())
        timed.seconds = times[number];
    return timed;
}

/// The last snapshot with what its method kept beside the numbers.
std::shared_ptr<const Snapshot> with_kept_part(const SQLite::Database& base, const KeptPart& kept, const Snapshot& last)
{
    const auto numbers = [&](std::size_t most) {
        return from_part(base, (kept.name + "_numbers").c_str(),
                         [&](std::int64_t bytes, const SQLite::Column& packed) { return unpack(bytes, packed, most); });
    };
    return std::make_shared<const Snapshot>(
        Snapshot{kept.read(*last.posterior, part_of(base, kept.name.c_str()), numbers), last.point});
}

/// Name, Study, report and times; the head itself for the rest.
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

void read_snapshots(const SQLite::Database& base, const json& head, const RunTimes& times, KeptRun& run)
{
    const auto n = static_cast<std::size_t>(whole_from(head.at("snapshots"), 0, most_snapshots));
    if (n > 0) {
        check(run.study);   // options of the family that cannot be would not make one
        const auto layout = layout_from(head.at("layout"));
        const auto family = method_of(run.study).start(layout, run.study.posterior,
                                                       std::vector<float>(layout.size(), 1.0f));
        SQLite::Statement query(base, "SELECT point_bytes, point, bytes, packed FROM snapshot ORDER BY number");
        while (query.executeStep() && run.snapshots.size() <= n) {
            const json point = unpack_json(query.getColumn(0).getInt64(), query.getColumn(1));
            run.snapshots.push_back(snapshot_from(*family, point.value("posterior", json()),
                                                  timed_point(point, times.snapshots, run.snapshots.size()),
                                                  query.getColumn(2).getInt64(), query.getColumn(3)));
        }
    }
    if (run.snapshots.size() != n)
        throw Error("it holds " + std::to_string(run.snapshots.size()) + " of " + std::to_string(n) + " snapshots");
    if (const auto& kept = method_of(run.study).kept; n > 0 && kept && has_part(base, kept->name.c_str()))
        run.snapshots.back() = with_kept_part(base, *kept, *run.snapshots.back());
    if (n > 0)
        run.report.last = run.snapshots.back();
}

KeptRun read_database(const std::filesystem::path& file)
{
    const auto base      = open_run(file);
    const json head      = part_of(base, "run");
    const RunTimes times = times_of(base, head);
    auto run             = run_from<KeptRun>(head, times);
    for (const auto& point : part_of(base, "history"))
        run.history.push_back(timed_point(point, times.history, run.history.size()));
    read_snapshots(base, head, times, run);
    return run;
}

RunSummary read_summary(const std::filesystem::path& file)
{
    const auto base      = open_run(file);
    const json head      = part_of(base, "run");
    const RunTimes times = times_of(base, head);
    auto run             = run_from<RunSummary>(head, times);
    SQLite::Statement query(base, "SELECT point_bytes, point FROM snapshot ORDER BY number DESC LIMIT 1");
    if (query.executeStep())
        run.last = timed_point(unpack_json(query.getColumn(0).getInt64(), query.getColumn(1)), times.snapshots,
                               times.snapshots.size() - 1);
    return run;
}

/// Reads by `read`; whatever goes wrong becomes one sentence about the file.
template <class Read>
auto read_run(const std::filesystem::path& file, Read read)
{
    const auto refusal = [&](const std::string& why) {
        return Error(file.string() + ": expected a run kept by Credence, but " + why + ".");
    };
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored))
        throw Error(file.string() + ": there is no such file, expected a run kept by Credence.");
    try {
        return read(file);
    } catch (const SQLite::Exception& e) {
        throw refusal("SQLite says: " + one_line(e.getErrorStr(), 200));
    } catch (const json::exception&) {
        throw refusal("a part does not read as it was written");
    } catch (const std::bad_alloc&) {
        throw refusal("it needs more memory than there is");
    } catch (const Error& e) {
        std::string why = e.what();
        if (why.ends_with('.'))
            why.pop_back();
        throw refusal(why);
    }
}

}   // namespace

void save_run(const KeptRun& run, const std::filesystem::path& file)
{
    const auto temporary = temporary_beside(file);
    std::error_code ignored;
    try {
        write_database(run, temporary);
    } catch (const SQLite::Exception& e) {
        std::filesystem::remove(temporary, ignored);
        const std::string sentence = file.string() + ": the run cannot be written (" + e.getErrorStr() + ").";
        constexpr int full = 13, input_output = 10;   // SQLITE_FULL, SQLITE_IOERR
        if (e.getErrorCode() == full || e.getErrorCode() == input_output)
            throw DiskError(sentence);
        throw Error(sentence);
    } catch (...) {
        std::filesystem::remove(temporary, ignored);
        throw;
    }
    replace_whole(temporary, file);
}

KeptRun load_run(const std::filesystem::path& file) { return read_run(file, read_database); }
RunSummary load_run_summary(const std::filesystem::path& file) { return read_run(file, read_summary); }

}   // namespace credence
