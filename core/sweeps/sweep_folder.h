// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/provenance.h"
#include "sweeps/sweep.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

enum class CellState {
    waiting,
    running,   ///< here or in another process
    done,
    failed,   ///< retried when the sweep is run again
};
struct CellStatus {
    CellState state                      = CellState::waiting;
    std::string sentence                 = {};   ///< failed: the error
    std::optional<Provenance> provenance = {};   ///< done: program that computed it
};
const char* name_of(CellState state);   ///< "waiting", "running", "done", "failed"

/// The exclusive right to run one cell, across processes and jobs, for the lifetime of the object.
/// Released whenever the process ends.
class CellClaim {
public:
    ~CellClaim();
    CellClaim(const CellClaim&)            = delete;
    CellClaim& operator=(const CellClaim&) = delete;

private:
    friend class SweepFolder;
    CellClaim(std::filesystem::path file, int handle);
    std::filesystem::path file_;
    int handle_;
};

/// Storage of a sweep's cells: OUT/sweep.json and for each cell OUT/cells/HASH/ with study.json,
/// run.credence (if saved), data/<view>.csv of the selected views and, finally, results.json. A
/// cell is done when results.json is complete and its provenance has the hash of the cell's Study.
/// Any number of processes can share a folder.
class SweepFolder {
public:
    /// Opens a folder, which need not exist yet. Writes nothing.
    explicit SweepFolder(std::filesystem::path folder);
    /// Creates it and writes sweep.json. @throws Error "out/a: the folder cannot be created (…)."
    void begin(const Sweep& sweep) const;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path cell(const std::string& hash) const;   ///< OUT/cells/HASH
    /// Reads the state of a cell: one or two small files.
    CellStatus status(const std::string& hash) const;
    /// Claims a cell and creates its folder. Returns empty if another process or job runs it. The
    /// state may have changed since it was read: check it again.
    std::unique_ptr<CellClaim> claim(const std::string& hash) const;
    /// Stores the error of a failed cell, until results.json exists.
    void fail(const std::string& hash, const std::string& sentence) const;
    void forget_failure(const std::string& hash) const;

private:
    std::filesystem::path path_;
};

// Turns the cells of a sweep into a Slurm job array: texts and numbers only, no program is called
// here. Task t of n, t from 1, runs the cells with index mod n = t - 1: `credence sweep FOLDER
// --cells t/n`.

/// Quotes `text` as one word of a POSIX shell: plain words unchanged, it's as 'it'\''s'.
std::string shell_word(std::string_view text);

/// Returns the number of tasks: one per cell if `most` allows it, otherwise as few cells per task
/// as possible, evenly distributed.
/// @param most  at least 1
std::size_t slurm_task_count(std::size_t n_cells, std::size_t most);

/// Returns the argument of `--array`: "1-3,7" or, if at most four can run at once, "1-3,7%4".
/// @param tasks    ascending
/// @param at_once  0: no limit
std::string slurm_array_text(const std::vector<std::size_t>& tasks, int at_once = 0);

/// Returns the largest task number of an array from the output of `scontrol show config`:
/// MaxArraySize minus one; 1000, Slurm's default, if it is missing.
std::size_t most_slurm_tasks(std::string_view config);

/// A waiting or running task in Slurm's queue.
struct SlurmTask {
    std::string job;                               ///< number of its array
    std::size_t task                        = 0;   ///< from 1
    std::size_t tasks                       = 0;   ///< total number
    bool operator==(const SlurmTask&) const = default;
};

/// Finds the tasks of one script in the queue.
/// @param listing  a line "JOB TASK SCRIPT TASKS" for each, as `squeue --noheader --array
/// --format="%F %K %o"` prints; others are ignored
std::vector<SlurmTask> slurm_tasks_in(std::string_view listing, const std::filesystem::path& script);

/// Which cells need a task.
struct SlurmPlan {
    std::size_t tasks = 0;             ///< the n of t/n
    std::vector<std::size_t> submit;   ///< tasks with a cell that is neither done, queued nor running, ascending
    std::vector<std::string> jobs;     ///< arrays already in the queue, each once
    std::size_t done = 0, queued = 0, running = 0, to_run = 0;   ///< numbers of cells, each counted once
};

/// Plans the tasks for the missing cells. Failed cells are retried.
/// @param states  of all cells, in their order
/// @param most    largest number of tasks, at least 1
SlurmPlan slurm_plan(const std::vector<CellState>& states, const std::vector<SlurmTask>& queue, std::size_t most);

/// The first lines of the script, by which it is recognised before it is replaced.
inline constexpr const char* slurm_script_begin =
    "#!/bin/sh\n# The tasks of a sweep for Slurm. Rewritten by each call of credence sweep --slurm.\n";
/// Returns the script for the tasks and for the final job: `slurm.sh n` runs the task
/// SLURM_ARRAY_TASK_ID of n, `slurm.sh collect` makes the tables.
/// @param program  absolute path of credence
/// @param folder   absolute path of the sweep's existing folder
/// @param collect  further options of the final step, as words; `tasks` for the tasks
std::string slurm_script(const std::filesystem::path& program, const std::filesystem::path& folder,
                         const std::vector<std::string>& collect = {}, const std::vector<std::string>& tasks = {});

}   // namespace credence
