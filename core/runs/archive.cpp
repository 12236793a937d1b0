// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/archive.h"

#include "foundation/error.h"
#include "foundation/progress.h"
#include "runs/archive_json.h"
#include "runs/archive_parts.h"
#include "runs/prediction_data.h"
#include "study/method.h"
#include "training/checkpoint.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace credence {
namespace {

using nlohmann::json;

Packed pack_json(const json& value) { return pack(value.dump(-1, ' ', false, json::error_handler_t::replace)); }

json to_json(const Snapshot& snapshot, bool part_of_last)
{
    json j = point_to_json(snapshot.point);
    if (json head = posterior_head(*snapshot.posterior); !head.is_null()) {
        if (part_of_last)
            head["part_of_last"] = true;
        j["posterior"] = std::move(head);
    }
    return j;
}

/// Progress of writing, and its listeners.
class Writing {
public:
    Writing(const SavedRun& run, const std::vector<bool>& parts, const SavingEvents& events) : events_(events)
    {
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (!parts[i])
                all_ += run.snapshots[i]->posterior->numbers().size_bytes();
    }
    std::size_t bytes() const { return all_; }
    void stop_point() const
    {
        if (events_.stop.stop_requested())
            throw Stopped{};
    }
    void wrote(std::size_t bytes)
    {
        done_ += bytes;
        if (events_.progress)
            events_.progress(static_cast<double>(done_) / static_cast<double>(all_));
        stop_point();
    }

private:
    const SavingEvents& events_;
    std::size_t all_ = 0, done_ = 0;
};

void bind_packed(SQLite::Statement& statement, int bytes_at, const Packed& packed)
{
    constexpr std::size_t most = 1'000'000'000;   // SQLite's limit for a value
    if (packed.data.size() > most)
        throw Error("a part of it has " + std::to_string(packed.data.size()) + " bytes, expected at most "
                    + std::to_string(most));
    statement.bind(bytes_at, static_cast<std::int64_t>(packed.bytes));
    statement.bind(bytes_at + 1, packed.data.data(), static_cast<int>(packed.data.size()));
}

void write_snapshots(SQLite::Database& base, const SavedRun& run, const std::vector<bool>& parts, Writing& writing)
{
    SQLite::Statement insert(base, "INSERT INTO snapshot VALUES (?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < run.snapshots.size(); ++i) {
        writing.stop_point();
        const auto number  = static_cast<std::int64_t>(i);
        const auto numbers = run.snapshots[i]->posterior->numbers();
        const bool draws   = sample_set_of(*run.snapshots[i]->posterior) != nullptr;
        insert.bind(1, number);
        bind_packed(insert, 2, pack_json(to_json(*run.snapshots[i], parts[i])));
        bind_packed(insert, 4, draws ? pack("") : pack_numbers(bytes_of(numbers)));
        insert.exec();
        insert.reset();
        if (draws && !parts[i])
            write_draws(base, number, numbers, [&](std::size_t bytes) { writing.wrote(bytes); });
        else if (!draws)
            writing.wrote(numbers.size_bytes());
    }
}

void write_database(const SavedRun& run, const std::filesystem::path& file, const SavingEvents& events)
{
    const auto parts = parts_of_last(run);
    Writing writing(run, parts, events);
    SQLite::Database base(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    if (writing.bytes() > archive_format::many_numbers)
        base.exec("PRAGMA page_size = 65536");
    base.exec("PRAGMA journal_mode = OFF");   // the file is renamed when finished
    base.exec("PRAGMA application_id = " + std::to_string(archive_format::application_id));
    base.exec("PRAGMA user_version = " + std::to_string(archive_format::format));
    SQLite::Transaction transaction(base);
    base.exec(std::string(archive_format::part_table));
    base.exec(std::string(archive_format::snapshot_table));

    const auto put_packed = [&](const char* name, const Packed& packed) {
        SQLite::Statement insert(base, "INSERT INTO part VALUES (?, ?, ?)");
        insert.bind(1, name);
        bind_packed(insert, 2, packed);
        insert.exec();
    };
    const auto put_part = [&](const char* name, const json& value) { put_packed(name, pack_json(value)); };
    json head{{"name", run.name},
              {"study", to_json(run.study)},
              {"report", report_to_json(run.report)},
              {"snapshots", run.snapshots.size()}};
    if (!run.table.empty())
        head["table"] = run.table;
    head["layout"] = run.snapshots.empty() ? json::array() : layout_to_json(run.snapshots.front()->posterior->layout());
    put_part("run", head);
    if (run.provenance)
        put_part("provenance", provenance_to_json(*run.provenance));
    json history = json::array();
    for (const auto& point : run.history)
        history.push_back(point_to_json(point));
    put_part("history", history);
    if (const auto& saved = method_of(run.study).saved_part; saved && !run.snapshots.empty()) {
        json about;
        std::string numbers;
        if (saved->write(*run.snapshots.back()->posterior, about, numbers)) {
            put_part(saved->name.c_str(), about);
            put_packed((saved->name + "_numbers").c_str(), pack_numbers(numbers));
        }
    }

    if (run.data) {
        put_part("prediction", prediction_data_head(*run.data));
        if (run.data->calibration.n_rows > 0)
            put_packed("prediction_numbers", pack_numbers(prediction_data_numbers(*run.data)));
    }

    write_snapshots(base, run, parts, writing);
    if (run.score)
        put_part("score", score_to_json(*run.score));
    if (!run.started.empty())
        // Written last, so that its length does not shift the pages of the other parts
        put_part("times", times_to_json(run));
    transaction.commit();
}

/// Calls `write` with the name of a temporary file, which then replaces `file`.
template <class Write>
void write_run_file(const std::filesystem::path& file, Write write)
{
    const auto temporary = begin_replacement(file);
    std::error_code ignored;
    try {
        write(temporary);
    } catch (const SQLite::Exception& e) {
        std::filesystem::remove(temporary, ignored);
        const std::string sentence = file.string() + ": the run cannot be written (" + e.getErrorStr() + ").";
        constexpr int full = 13, input_output = 10;   // SQLITE_FULL, SQLITE_IOERR
        if (e.getErrorCode() == full || e.getErrorCode() == input_output)
            throw DiskError(sentence);
        throw Error(sentence);
    } catch (const std::filesystem::filesystem_error& e) {
        std::filesystem::remove(temporary, ignored);
        throw DiskError(file.string() + ": the run cannot be written (" + e.code().message() + ").");
    } catch (const Error& e) {
        std::filesystem::remove(temporary, ignored);
        throw Error(file.string() + ": the run cannot be written (" + e.what() + ").");
    } catch (...) {
        std::filesystem::remove(temporary, ignored);
        throw;
    }
    finish_replacement(temporary, file);
}

}   // namespace

void save_run(const SavedRun& run, const std::filesystem::path& file, const SavingEvents& events)
{
    write_run_file(file, [&](const std::filesystem::path& temporary) { write_database(run, temporary, events); });
}

void add_score(const std::filesystem::path& file, const FinalScore& score)
{
    write_run_file(file, [&](const std::filesystem::path& temporary) {
        std::filesystem::copy_file(file, temporary);
        SQLite::Database base(temporary.string(), SQLite::OPEN_READWRITE);
        base.exec("PRAGMA journal_mode = OFF");
        SQLite::Statement insert(base, "INSERT OR REPLACE INTO part VALUES (?, ?, ?)");
        insert.bind(1, "score");
        bind_packed(insert, 2, pack_json(score_to_json(score)));
        insert.exec();
    });
}

RunSnapshot::RunSnapshot(std::shared_ptr<const Experiment> made_ready, std::shared_ptr<const Snapshot> at,
                         std::shared_ptr<const TrainingHistory> until)
    : experiment(std::move(made_ready)), snapshot(std::move(at)), history(std::move(until))
{
    if (snapshot && snapshot->posterior->layout() != experiment->start->layout())
        throw Error("data", "The data of the run \"" + experiment->study.name
                                + "\" have changed since: its network no longer matches them.");
}

RunSnapshot snapshot_of(const SavedRun& run, std::size_t index)
{
    if (index >= run.snapshots.size())
        throw Error("The run \"" + run.name + "\" has " + std::to_string(run.snapshots.size())
                    + " recorded steps, expected more than " + std::to_string(index) + ".");
    return snapshot_of(run, index, prepare(run.study));
}

RunSnapshot snapshot_of(const SavedRun& run, std::size_t index, std::shared_ptr<const Experiment> experiment)
{
    const auto& snapshot = run.snapshots.at(index);
    auto history         = std::make_shared<TrainingHistory>();
    std::copy_if(run.history.begin(), run.history.end(), std::back_inserter(*history),
                 [&](const TrainingPoint& point) { return point.step <= snapshot->point.step; });
    RunSnapshot out{std::move(experiment), snapshot, history};
    out.recorded.assign(run.snapshots.begin(), run.snapshots.begin() + static_cast<std::ptrdiff_t>(index) + 1);
    return out;
}

RunSnapshot last_snapshot_of(const SavedRun& run)
{
    return snapshot_of(run, run.snapshots.empty() ? 0 : run.snapshots.size() - 1);
}

SnapshotRecorder::SnapshotRecorder(std::size_t limit_bytes, std::size_t limit_count)
    : limit_bytes_(limit_bytes), limit_count_(std::max<std::size_t>(limit_count, 3))
{}

/// Numbers the snapshots 0, 1, 2, … in order of arrival and keeps the newest one and those whose
/// number is a multiple of a stride. When there are too many, the stride doubles.
void SnapshotRecorder::add(std::shared_ptr<const Snapshot> snapshot)
{
    const std::size_t bytes = std::max<std::size_t>(1, snapshot->posterior->numbers().size_bytes());
    const std::size_t limit = std::max<std::size_t>(3, std::min(limit_count_, limit_bytes_ / bytes));

    const bool newest_is_regular = seen_ == 0 || (seen_ - 1) % stride_ == 0;
    if (!newest_is_regular)
        snapshots_.pop_back();
    snapshots_.push_back(std::move(snapshot));
    ++seen_;
    while (snapshots_.size() > limit) {
        // Regular snapshots have the numbers 0, stride, 2 stride, …; the newest one, last in the
        // list, may be additional.
        auto newest        = snapshots_.back();
        const bool regular = (seen_ - 1) % stride_ == 0;
        if (!regular)
            snapshots_.pop_back();
        std::size_t kept = 0;
        for (std::size_t i = 0; i < snapshots_.size(); i += 2)
            snapshots_[kept++] = snapshots_[i];
        snapshots_.resize(kept);
        stride_ *= 2;
        if ((seen_ - 1) % stride_ != 0)
            snapshots_.push_back(std::move(newest));
    }
}

void SnapshotRecorder::serialise(StateBytes& state, const VariationalFamily<float>& family)
{
    state.section("recorded snapshots");
    state.value(stride_);
    state.value(seen_);
    credence::serialise(state, snapshots_, family);
    if (stride_ < 1 || (seen_ > 0) == snapshots_.empty()
        || std::find(snapshots_.begin(), snapshots_.end(), nullptr) != snapshots_.end())
        throw Error("The saved state has snapshots that do not match its recorder.");
}

void SnapshotRecorder::replace_newest(std::shared_ptr<const Snapshot> snapshot)
{
    snapshots_.back() = std::move(snapshot);
}

}   // namespace credence
