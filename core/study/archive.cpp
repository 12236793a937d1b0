// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/archive.h"

#include "foundation/error.h"
#include "posterior/laplace_gaussian.h"
#include "study/curvature_bytes.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

// The file: application id "Cred", user version 1, and two tables. Every value is packed by zlib, whose checksum finds a damaged byte.
//   part(name, bytes, packed)              "run": JSON with name, start, study, report and layout; "history": JSON
//                                          "curvature", "curvature_numbers": of the last snapshot, where that is a Laplace approximation
//   snapshot(number, point, bytes, packed) point: JSON of the TrainingPoint; packed: the float parameters, little endian
namespace credence {
namespace {

using nlohmann::json;

constexpr int application_id = 0x43726564;
constexpr int format         = 1;

// ---- packing

struct Packed {
    std::size_t bytes = 0;   ///< before packing
    std::string data;
};

Packed pack(const void* data, std::size_t bytes)
{
    uLongf      length = compressBound(static_cast<uLong>(bytes));
    std::string packed(length, '\0');
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &length, static_cast<const Bytef*>(data), static_cast<uLong>(bytes), 1) != Z_OK)
        throw Error("The run could not be packed: not enough memory.");
    packed.resize(length);
    return {bytes, std::move(packed)};
}
Packed pack(const json& value)
{
    const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    return pack(text.data(), text.size());
}

std::string unpack(std::int64_t bytes, const SQLite::Column& column)
{
    if (bytes < 0 || bytes > (std::int64_t{1} << 33))
        throw Error("a part has an impossible size");
    std::string plain(static_cast<std::size_t>(bytes), '\0');
    uLongf      length = static_cast<uLongf>(bytes);
    const int   size   = column.getBytes();
    // An empty part still has zlib's header; zlib wants a place to write to.
    char  nothing = 0;
    auto* target  = reinterpret_cast<Bytef*>(plain.empty() ? &nothing : plain.data());
    if (uncompress(target, &length, static_cast<const Bytef*>(column.getBlob()), static_cast<uLong>(size)) != Z_OK || length != static_cast<uLongf>(bytes))
        throw Error("a part is damaged");
    return plain;
}

// ---- JSON of what a run consists of; empty optionals are left out, numbers that are not finite are null

json number(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }
void put(json& to, const char* key, const std::optional<double>& value)
{
    if (value)
        to[key] = number(*value);
}
double get_number(const json& from) { return from.is_null() ? std::numeric_limits<double>::quiet_NaN() : from.get<double>(); }
std::optional<double> get(const json& from, const char* key)
{
    const auto found = from.find(key);
    return found == from.end() ? std::nullopt : std::optional<double>(get_number(*found));
}

json to_json(const BlockUncertainty& b)
{
    json j{{"block", b.block}, {"biases", b.kind == BlockKind::biases}, {"mean_abs", number(b.mean_abs)}, {"median_sd", number(b.median_sd)},
           {"median_relative_sd", number(b.median_relative_sd)}};
    put(j, "tau", b.tau);
    put(j, "rho", b.rho);
    put(j, "dropout_rate", b.dropout_rate);
    return j;
}
BlockUncertainty block_from(const json& j)
{
    BlockUncertainty b;
    b.block              = j.at("block").get<std::string>();
    b.kind               = j.at("biases").get<bool>() ? BlockKind::biases : BlockKind::weights;
    b.mean_abs           = get_number(j.at("mean_abs"));
    b.median_sd          = get_number(j.at("median_sd"));
    b.median_relative_sd = get_number(j.at("median_relative_sd"));
    b.tau                = get(j, "tau");
    b.rho                = get(j, "rho");
    b.dropout_rate       = get(j, "dropout_rate");
    return b;
}

json to_json(const TrainingPoint& p)
{
    json j{{"step", p.step}, {"epoch", number(p.epoch)}, {"seconds", number(p.seconds)}, {"learning_rate", number(p.learning_rate)}, {"kl_weight", number(p.kl_weight)}};
    put(j, "data_loss", p.data_loss);
    put(j, "kl", p.kl);
    put(j, "training_error", p.training_error);
    put(j, "test_error", p.test_error);
    for (const auto& block : p.layers)
        j["layers"].push_back(to_json(block));
    return j;
}
TrainingPoint point_from(const json& j)
{
    TrainingPoint p;
    p.step           = j.at("step").get<long>();
    p.epoch          = get_number(j.at("epoch"));
    p.seconds        = get_number(j.at("seconds"));
    p.learning_rate  = get_number(j.at("learning_rate"));
    p.kl_weight      = get_number(j.at("kl_weight"));
    p.data_loss      = get(j, "data_loss");
    p.kl             = get(j, "kl");
    p.training_error = get(j, "training_error");
    p.test_error     = get(j, "test_error");
    if (const auto layers = j.find("layers"); layers != j.end())
        for (const auto& block : *layers)
            p.layers.push_back(block_from(block));
    return p;
}

json to_json(const ParameterLayout& layout)
{
    json j = json::array();
    for (const auto& b : layout.blocks)
        j.push_back({b.name, b.kind == BlockKind::biases, b.layer, b.begin, b.size, b.fan_in, b.fan_out});
    return j;
}
ParameterLayout layout_from(const json& j)
{
    ParameterLayout layout;
    for (const auto& item : j) {
        Block b;
        b.name    = item.at(0).get<std::string>();
        b.kind    = item.at(1).get<bool>() ? BlockKind::biases : BlockKind::weights;
        b.layer   = item.at(2).get<int>();
        b.begin   = item.at(3).get<std::size_t>();
        b.size    = item.at(4).get<std::size_t>();
        b.fan_in  = item.at(5).get<int>();
        b.fan_out = item.at(6).get<int>();
        if (b.begin != layout.size() || b.size > (std::size_t{1} << 32))
            throw Error("its blocks do not fit together");
        layout.blocks.push_back(std::move(b));
    }
    return layout;
}

constexpr std::pair<StopReason, const char*> stop_names[] = {
    {StopReason::not_started, "not_started"}, {StopReason::steps_done, "steps_done"}, {StopReason::time_limit, "time_limit"},
    {StopReason::no_progress, "no_progress"}, {StopReason::cancelled, "cancelled"},   {StopReason::not_finite, "not_finite"},
};

json to_json(const TrainingReport& r)
{
    return {{"stop", name_of(r.stop)}, {"message", r.message}, {"steps", r.steps}, {"seconds", number(r.seconds)}, {"bad_step", r.bad_step}, {"bad_block", r.bad_block}};
}
TrainingReport report_from(const json& j)
{
    TrainingReport r;
    const auto name = j.at("stop").get<std::string>();
    const auto found = std::find_if(std::begin(stop_names), std::end(stop_names), [&](const auto& pair) { return name == pair.second; });
    if (found == std::end(stop_names))
        throw Error("its end \"" + name + "\" is unknown");
    r.stop      = found->first;
    r.message   = j.at("message").get<std::string>();
    r.steps     = j.at("steps").get<long>();
    r.seconds   = get_number(j.at("seconds"));
    r.bad_step  = j.at("bad_step").get<long>();
    r.bad_block = j.at("bad_block").get<std::string>();
    return r;
}

/// The last snapshot's, if it is one.
std::shared_ptr<const LaplaceGaussian<float>> fitted_end(const KeptRun& run)
{
    return run.snapshots.empty() ? nullptr : std::dynamic_pointer_cast<const LaplaceGaussian<float>>(run.snapshots.back()->posterior);
}

// ---- the file

void write_database(const KeptRun& run, const std::filesystem::path& file)
{
    SQLite::Database base(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    base.exec("PRAGMA journal_mode = OFF");   // the file has another name until it is finished
    base.exec("PRAGMA application_id = " + std::to_string(application_id));
    base.exec("PRAGMA user_version = " + std::to_string(format));
    SQLite::Transaction transaction(base);
    base.exec("CREATE TABLE part(name TEXT PRIMARY KEY, bytes INTEGER NOT NULL, packed BLOB NOT NULL)");
    base.exec("CREATE TABLE snapshot(number INTEGER PRIMARY KEY, point_bytes INTEGER NOT NULL, point BLOB NOT NULL, bytes INTEGER NOT NULL, packed BLOB NOT NULL)");

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
    json head{{"name", run.name}, {"started", run.started}, {"study", to_json(run.study)}, {"report", to_json(run.report)}, {"snapshots", run.snapshots.size()}};
    head["layout"] = run.snapshots.empty() ? json::array() : to_json(run.snapshots.front()->posterior->layout());
    put_part("run", head);
    json history = json::array();
    for (const auto& point : run.history)
        history.push_back(to_json(point));
    put_part("history", history);
    if (const auto fitted = fitted_end(run)) {
        const auto& curvature = fitted->curvature()->data();
        json        about     = curvature_head(curvature);
        about["precision"]    = fitted->precision();
        put_part("curvature", about);
        const auto numbers = curvature_numbers(curvature);
        put_packed("curvature_numbers", pack(numbers.data(), numbers.size()));
    }

    SQLite::Statement insert(base, "INSERT INTO snapshot VALUES (?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < run.snapshots.size(); ++i) {
        const auto   parameters = run.snapshots[i]->posterior->parameters();
        const Packed point      = pack(to_json(run.snapshots[i]->point));
        const Packed packed     = pack(parameters.data(), parameters.size_bytes());
        insert.bind(1, static_cast<std::int64_t>(i));
        bind_packed(insert, 2, point);
        bind_packed(insert, 4, packed);
        insert.exec();
        insert.reset();
    }
    transaction.commit();
}

std::shared_ptr<const Snapshot> snapshot_from(const WeightDistribution<float>& family, const json& point, const std::string& bytes)
{
    std::shared_ptr<WeightDistribution<float>> posterior = family.clone();
    if (bytes.size() != posterior->parameters().size_bytes())
        throw Error("a snapshot has " + std::to_string(bytes.size()) + " bytes, expected " + std::to_string(posterior->parameters().size_bytes()));
    std::memcpy(posterior->parameters().data(), bytes.data(), bytes.size());
    return std::make_shared<const Snapshot>(Snapshot{std::move(posterior), point_from(point)});
}

/// Opens the file and makes sure that it is one of ours.
SQLite::Database open_run(const std::filesystem::path& file)
{
    SQLite::Database base(file.string(), SQLite::OPEN_READONLY);
    if (base.execAndGet("PRAGMA application_id").getInt() != application_id)
        throw Error("it is a database of another program");
    if (const int found = base.execAndGet("PRAGMA user_version").getInt(); found != format)
        throw Error("it has format " + std::to_string(found) + ", but this program reads format " + std::to_string(format));
    return base;
}

bool has_part(const SQLite::Database& base, const char* name)
{
    SQLite::Statement query(base, "SELECT 1 FROM part WHERE name = ?");
    query.bind(1, name);
    return query.executeStep();
}

std::string bytes_of_part(const SQLite::Database& base, const char* name)
{
    SQLite::Statement query(base, "SELECT bytes, packed FROM part WHERE name = ?");
    query.bind(1, name);
    if (!query.executeStep())
        throw Error(std::string("its part \"") + name + "\" is missing");
    return unpack(query.getColumn(0).getInt64(), query.getColumn(1));
}

json part_of(const SQLite::Database& base, const char* name) { return json::parse(bytes_of_part(base, name)); }

/// The point estimate with the curvature that was kept beside it.
std::shared_ptr<const Snapshot> with_curvature(const SQLite::Database& base, const Snapshot& estimate)
{
    const json about     = part_of(base, "curvature");
    auto       curvature = std::make_shared<const Curvature>(curvature_from(about, bytes_of_part(base, "curvature_numbers"), estimate.posterior->layout()));
    return std::make_shared<const Snapshot>(Snapshot{std::make_shared<LaplaceGaussian<float>>(std::move(curvature), about.at("precision").get<double>()), estimate.point});
}

KeptRun read_database(const std::filesystem::path& file)
{
    const auto base = open_run(file);
    const json head = part_of(base, "run");
    KeptRun run;
    run.name    = head.at("name").get<std::string>();
    run.started = head.at("started").get<std::string>();
    run.study   = study_from_json(head.at("study"));
    run.report  = report_from(head.at("report"));
    for (const auto& point : part_of(base, "history"))
        run.history.push_back(point_from(point));

    const auto n = head.at("snapshots").get<std::size_t>();
    if (n > 0) {
        const auto layout = layout_from(head.at("layout"));
        const auto family = make_posterior<float>(layout, run.study.posterior, std::vector<float>(layout.size(), 1.0f));
        SQLite::Statement query(base, "SELECT point_bytes, point, bytes, packed FROM snapshot ORDER BY number");
        while (query.executeStep())
            run.snapshots.push_back(snapshot_from(*family, json::parse(unpack(query.getColumn(0).getInt64(), query.getColumn(1))),
                                                  unpack(query.getColumn(2).getInt64(), query.getColumn(3))));
    }
    if (run.snapshots.size() != n)
        throw Error("it holds " + std::to_string(run.snapshots.size()) + " of " + std::to_string(n) + " snapshots");
    if (n > 0 && has_part(base, "curvature"))
        run.snapshots.back() = with_curvature(base, *run.snapshots.back());
    if (n > 0)
        run.report.last = run.snapshots.back();
    return run;
}

RunSummary read_summary(const std::filesystem::path& file)
{
    const auto base = open_run(file);
    const json head = part_of(base, "run");
    RunSummary run{head.at("name").get<std::string>(), head.at("started").get<std::string>(), study_from_json(head.at("study")), report_from(head.at("report")), {}};
    SQLite::Statement query(base, "SELECT point_bytes, point FROM snapshot ORDER BY number DESC LIMIT 1");
    if (query.executeStep())
        run.last = point_from(json::parse(unpack(query.getColumn(0).getInt64(), query.getColumn(1))));
    return run;
}

/// Reads by `read`; whatever goes wrong becomes one sentence about the file.
template <class Read>
auto read_run(const std::filesystem::path& file, Read read)
{
    const auto refusal = [&](const std::string& why) { return Error(file.string() + ": expected a run kept by Credence, but " + why + "."); };
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored))
        throw Error(file.string() + ": there is no such file, expected a run kept by Credence.");
    try {
        return read(file);
    } catch (const SQLite::Exception& e) {
        throw refusal(std::string("SQLite says: ") + e.getErrorStr());
    } catch (const json::exception&) {
        throw refusal("a part does not read as it was written");
    } catch (const Error& e) {
        throw refusal(e.what());
    }
}

}  // namespace

const char* name_of(StopReason reason)
{
    for (const auto& [value, name] : stop_names)
        if (value == reason)
            return name;
    return "not_started";
}

void save_run(const KeptRun& run, const std::filesystem::path& file)
{
    const auto      temporary = temporary_beside(file);
    std::error_code ignored;
    try {
        write_database(run, temporary);
    } catch (const SQLite::Exception& e) {
        std::filesystem::remove(temporary, ignored);
        throw Error(file.string() + ": the run cannot be written (" + e.getErrorStr() + ").");
    } catch (...) {
        std::filesystem::remove(temporary, ignored);
        throw;
    }
    replace_whole(temporary, file);
}

KeptRun    load_run(const std::filesystem::path& file) { return read_run(file, read_database); }
RunSummary load_run_summary(const std::filesystem::path& file) { return read_run(file, read_summary); }

}  // namespace credence
