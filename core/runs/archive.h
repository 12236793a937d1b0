// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/write_whole.h"
#include "runs/experiment.h"
#include "runs/provenance.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// The number by which lists compare runs: of the last step, with the samples of the Study, on the rows that the view Scores shows.
struct FinalScore {
    enum class Metric {
        accuracy,   ///< share of correct classes
        rmse,       ///< root mean square error, in units of the target
    };
    Metric metric = Metric::accuracy;
    double value  = 0;

    bool operator==(const FinalScore&) const = default;
};

/// A finished or stopped run as it is kept: enough to draw every view again without training.
struct KeptRun {
    std::string name;      ///< the user may change it
    std::string started;   ///< ISO 8601, local time; empty: no wall time is known, and the file has none
    Study study;
    TrainingReport report;
    TrainingHistory history;
    std::vector<std::shared_ptr<const Snapshot>> snapshots;   ///< recorded steps, the last one last
    std::string table =
        {};   ///< the state of the table's file when the training began, see table_state; empty: not known, or none
    std::optional<FinalScore> score      = {};   ///< empty: not computed yet, or there are no true values
    std::optional<Provenance> provenance = {};   ///< empty: of an older file, or outputs from elsewhere
};

std::string score_text(const FinalScore& score);   ///< "75.0 %", "RMSE 2.52"

const char* name_of(StopReason reason);   ///< "steps_done", …: in files

/// Who listens while a run is written. Called on the writer's thread.
struct SavingEvents {
    std::stop_token stop{};                         ///< asked for at each mebibyte of draws
    std::function<void(double share)> progress{};   ///< of the numbers that are written, (0, 1]
};

/// Writes one run into one SQLite file, in one transaction into a temporary file that is renamed: whole or not at all, whenever the program is killed.
/// Draws that several snapshots share are written once, and numbers that hardly shrink are not deflated.
/// @throws Error    that names the file
/// @throws Stopped  if `events.stop` was requested: the file is as it was
void save_run(const KeptRun& run, const std::filesystem::path& file, const SavingEvents& events = {});
/// Adds the score to a run that was saved without it, or replaces it; the file is written anew, whole or not at all. @throws Error that names the file
void add_score(const std::filesystem::path& file, const FinalScore& score);
/// Which snapshots of a kept run are read: who draws its end or its curves alone spares the memory of the others.
enum class WhichSnapshots {
    all,
    last,   ///< the end alone
    none,   ///< name, Study, report and history
};
/// Reads a run of this format or an older one. Sets of draws that were written once share their memory.
/// @throws Error that names the file and what is wrong with it
KeptRun load_run(const std::filesystem::path& file, WhichSnapshots which = WhichSnapshots::all);

/// What stands in a list of runs.
struct RunSummary {
    std::string name, started;
    Study study;
    TrainingReport report;   ///< without its last snapshot
    std::optional<FinalScore> score = {};
};
/// Reads the head of a saved run, no history and no weights. @throws Error as load_run
RunSummary load_run_summary(const std::filesystem::path& file);

/// A training that thins what it records: at most `limit` snapshots, evenly over the steps, the last always kept.
class SnapshotRecorder {
public:
    explicit SnapshotRecorder(std::size_t limit_bytes = std::size_t{128} << 20, std::size_t limit_count = 200);
    void add(std::shared_ptr<const Snapshot> snapshot);
    void replace_newest(std::shared_ptr<const Snapshot> snapshot);   ///< there must be one
    const std::vector<std::shared_ptr<const Snapshot>>& snapshots() const { return snapshots_; }
    /// Passes what is kept and how it goes on thinning. @param family  of the snapshots' parameters
    void serialise(StateBytes& state, const VariationalFamily<float>& family);

private:
    std::size_t limit_bytes_, limit_count_;
    std::size_t stride_ = 1, seen_ = 0;
    std::vector<std::shared_ptr<const Snapshot>> snapshots_;
};

}   // namespace credence
