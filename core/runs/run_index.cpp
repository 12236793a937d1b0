// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/archive.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "runs/archive_json.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

namespace credence {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int index_format      = 1;
constexpr std::size_t at_a_time = 250;

/// Current state of a file.
struct FileState {
    fs::path file;
    std::uintmax_t bytes = 0;
    std::int64_t changed = 0;   // ticks of the file clock
};

std::vector<FileState> run_files(const fs::path& folder)
{
    std::vector<FileState> files;
    std::error_code code;
    for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
        std::error_code gone;
        if (entry->path().extension() != ".credence" || !entry->is_regular_file(gone))
            continue;
        const auto changed = entry->last_write_time(gone).time_since_epoch().count();
        const auto bytes   = entry->file_size(gone);
        if (!gone)
            files.push_back({entry->path(), bytes, static_cast<std::int64_t>(changed)});
    }
    std::ranges::sort(files, std::greater(), &FileState::file);
    return files;
}

std::string summary_text(const RunSummary& run)
{
    json j{{"name", run.name},
           {"started", run.started},
           {"study", to_json(run.study)},
           {"report", report_to_json(run.report)},
           {"seconds", number_to_json(run.report.seconds)}};
    if (run.score)
        j["score"] = score_to_json(*run.score);
    return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

RunSummary summary_from(std::string_view text)
{
    const json j = json::parse(text);
    RunSummary run;
    run.name           = j.at("name").get<std::string>();
    run.started        = j.at("started").get<std::string>();
    run.study          = study_from_json(j.at("study"));
    run.report         = report_from(j.at("report"));
    run.report.seconds = number_from(j.at("seconds"));
    if (const auto score = j.find("score"); score != j.end())
        run.score = score_from(*score);
    return run;
}

/// The index file. Any error is treated as a missing index.
class Index {
public:
    explicit Index(const fs::path& file)
    {
        std::error_code ignored;
        fs::create_directories(file.parent_path(), ignored);
        try {
            base_.emplace(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
            base_->exec("PRAGMA synchronous = OFF");
            if (base_->execAndGet("PRAGMA user_version").getInt() != index_format) {
                base_->exec("DROP TABLE IF EXISTS run");
                base_->exec("CREATE TABLE run(file TEXT PRIMARY KEY, bytes INTEGER, changed INTEGER, summary TEXT)");
                base_->exec("PRAGMA user_version = " + std::to_string(index_format));
            }
            SQLite::Statement rows(*base_, "SELECT file, bytes, changed, summary FROM run");
            while (rows.executeStep())
                known_[rows.getColumn(0).getString()] = {rows.getColumn(1).getInt64(), rows.getColumn(2).getInt64(),
                                                         rows.getColumn(3).getString()};
        } catch (const SQLite::Exception&) {
            base_.reset();
        }
    }

    /// @return  empty: no entry for the current state of the file
    std::optional<RunSummary> find(const FileState& state) const
    {
        const auto found = known_.find(state.file.string());
        if (found == known_.end() || found->second.changed != state.changed
            || found->second.bytes != static_cast<std::int64_t>(state.bytes))
            return {};
        try {
            return summary_from(found->second.summary);
        } catch (const std::exception&) {   // written by another version of the program
            return {};
        }
    }

    void add(const FileState& state, const RunSummary& run) { fresh_.emplace_back(state, summary_text(run)); }

    /// Writes new entries and removes those of deleted files.
    void update(const std::vector<FileState>& files)
    {
        for (const auto& state : files)
            known_.erase(state.file.string());
        if (!base_ || (fresh_.empty() && known_.empty()))
            return;
        try {
            SQLite::Transaction transaction(*base_);
            SQLite::Statement insert(*base_, "INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?)");
            for (const auto& [state, text] : fresh_) {
                insert.bind(1, state.file.string());
                insert.bind(2, static_cast<std::int64_t>(state.bytes));
                insert.bind(3, state.changed);
                insert.bind(4, text);
                insert.exec();
                insert.reset();
            }
            SQLite::Statement remove(*base_, "DELETE FROM run WHERE file = ?");
            for (const auto& [file, row] : known_) {
                remove.bind(1, file);
                remove.exec();
                remove.reset();
            }
            transaction.commit();
        } catch (const SQLite::
                     Exception&) {   // another window writes it, or the disk is full: only the next start is slower
        }
    }

private:
    struct Row {
        std::int64_t bytes = 0, changed = 0;
        std::string summary;
    };
    std::optional<SQLite::Database> base_;
    std::map<std::string, Row> known_;
    std::vector<std::pair<FileState, std::string>> fresh_;
};

/// A summary, read from the index or the file.
struct Reading {
    std::optional<RunSummary> run;
    bool known = false;   // by the index
    std::string mistake;
};

Reading reading_of(const FileState& state, const Index& index)
{
    Reading reading{.run = index.find(state), .known = false, .mistake = {}};
    reading.known = reading.run.has_value();
    try {
        if (!reading.known)
            reading.run = load_run_summary(state.file);
    } catch (const Error& error) {
        reading.mistake = error.what();
    }
    return reading;
}

}   // namespace

void list_runs(const fs::path& folder, const fs::path& index_file, const ListingEvents& events)
{
    const auto files = run_files(folder);
    if (files.empty())
        return;
    Index index(index_file);
    for (std::size_t from = 0; from < files.size() && !events.stop.stop_requested(); from += at_a_time) {
        const std::size_t n = std::min(at_a_time, files.size() - from);
        std::vector<Reading> readings(n);
        parallel_for(n, [&](std::size_t i) { readings[i] = reading_of(files[from + i], index); });
        std::vector<ListedRun> some;
        for (std::size_t i = 0; i < n; ++i) {
            const FileState& state      = files[from + i];
            auto& [run, known, mistake] = readings[i];
            if (!run) {
                if (events.unreadable)
                    events.unreadable(mistake);
                continue;
            }
            if (!known)
                index.add(state, *run);
            some.push_back({state.file, state.bytes, std::move(*run)});
        }
        if (!some.empty() && events.found)
            events.found(std::move(some));
    }
    index.update(files);
}

}   // namespace credence
