// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/files.h"
#include "foundation/state_bytes.h"
#include "runs/experiment.h"
#include "runs/provenance.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// The score by which lists compare runs: at the last step, with the Study's number of samples, on
/// the rows of the view Scores.
struct FinalScore {
    enum class Metric {
        accuracy,        ///< share of correct classes
        rmse,            ///< root mean square error, in units of the target
        relative_rmse,   ///< several targets: mean of RMSE/(standard deviation of the target)
    };
    Metric metric = Metric::accuracy;
    double value  = 0;

    bool operator==(const FinalScore&) const = default;
};

/// A finished or stopped run as saved. It contains everything needed to draw each view again
/// without training.
struct SavedRun {
    std::string name;      ///< can be changed by the user
    std::string started;   ///< ISO 8601, local time; empty: unknown, and not in the file
    Study study;
    TrainingReport report;
    TrainingHistory history;
    std::vector<std::shared_ptr<const Snapshot>> snapshots;   ///< recorded steps, the last one last
    std::string table =
        {};   ///< state of the table's file when training started, see table_state; empty: unknown, or no file
    std::optional<FinalScore> score      = {};   ///< empty: not computed yet, or there are no true values
    std::optional<Provenance> provenance = {};   ///< empty: older file, or imported predictions
    /// The part of the data that predictions at new rows need, see runs/prediction_data.h; null:
    /// older file, or no table.
    std::shared_ptr<const SplitData> data = {};
};

std::string score_text(const FinalScore& score);   ///< "75.0 %", "RMSE 2.52", "mean RMSE/SD 0.312"

const char* name_of(StopReason reason);   ///< "steps_done", …, as used in files

/// Callbacks while a run is written, called on the writer's thread.
struct SavingEvents {
    std::stop_token stop{};                         ///< checked at each mebibyte of draws
    std::function<void(double share)> progress{};   ///< share of the numbers written, (0, 1]
};

/// Writes one run into one SQLite file, in one transaction into a temporary file that is then
/// renamed, so that a killed program leaves no partial file.
/// Draws shared by several snapshots are written once, and numbers that hardly shrink are not
/// compressed.
/// @throws Error    that names the file
/// @throws Stopped  if `events.stop` was requested: the file is unchanged
void save_run(const SavedRun& run, const std::filesystem::path& file, const SavingEvents& events = {});
/// Adds the score to a run saved without it, or replaces it; rewrites the file atomically. @throws
/// Error that names the file
void add_score(const std::filesystem::path& file, const FinalScore& score);
/// Which snapshots of a saved run are read; reading fewer saves memory.
enum class WhichSnapshots {
    all,
    last,   ///< only the last
    none,   ///< only name, Study, report and history
};
/// Reads a run of this format or an older one. Sets of draws that were written once share their
/// memory.
/// @throws Error that names the file and the problem
SavedRun load_run(const std::filesystem::path& file, WhichSnapshots which = WhichSnapshots::all);

/// An entry of the list of runs.
struct RunSummary {
    std::string name, started;
    Study study;
    TrainingReport report;   ///< without the last snapshot
    std::optional<FinalScore> score = {};
};
/// Reads the head of a saved run, without history and weights. @throws Error as load_run
RunSummary load_run_summary(const std::filesystem::path& file);

/// Thins the recorded snapshots of a training: at most `limit`, evenly spaced over the steps,
/// always including the last.
class SnapshotRecorder {
public:
    explicit SnapshotRecorder(std::size_t limit_bytes = std::size_t{128} << 20, std::size_t limit_count = 200);
    void add(std::shared_ptr<const Snapshot> snapshot);
    void replace_newest(std::shared_ptr<const Snapshot> snapshot);   ///< there must be one
    const std::vector<std::shared_ptr<const Snapshot>>& snapshots() const { return snapshots_; }
    /// Reads or writes the selected snapshots and the state of thinning.
    /// @param family  of the snapshots' parameters
    void serialise(StateBytes& state, const VariationalFamily<float>& family);

private:
    std::size_t limit_bytes_, limit_count_;
    std::size_t stride_ = 1, seen_ = 0;
    std::vector<std::shared_ptr<const Snapshot>> snapshots_;
};

/// Returns snapshot `index` of the run with its history up to that step. Loads the data again.
/// @throws Error as `prepare`
RunSnapshot snapshot_of(const SavedRun& run, std::size_t index);
/// Returns the snapshot for loaded data.
/// @param experiment  of the run's Study
RunSnapshot snapshot_of(const SavedRun& run, std::size_t index, std::shared_ptr<const Experiment> experiment);
RunSnapshot last_snapshot_of(const SavedRun& run);   ///< @throws Error if the run has no snapshot

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
