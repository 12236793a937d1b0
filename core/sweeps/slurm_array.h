// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sweeps/sweep_folder.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// How the cells of a sweep become a job array of Slurm: texts and numbers alone, no program is called here. Task t of n, t from 1, runs the cells whose index
// leaves t - 1 when divided by n: `credence sweep FOLDER --cells t/n`.
namespace credence {

/// Writes `text` as one word of a POSIX shell, whatever is in it: plain words as they are, it's as 'it'\''s'.
std::string shell_word(std::string_view text);

/// Returns how many tasks there are: one for each cell where `most` allows it, else as few cells a task as possible, as evenly as possible.
/// @param most  at least 1
std::size_t slurm_task_count(std::size_t n_cells, std::size_t most);

/// Returns what `--array` takes: "1-3,7" or, where at most four are to run at once, "1-3,7%4".
/// @param tasks    ascending
/// @param at_once  0: as many as the cluster likes
std::string slurm_array_text(const std::vector<std::size_t>& tasks, int at_once = 0);

/// Returns the largest number that a task of an array may have, of the text of `scontrol show config`: one less than its MaxArraySize; 1000, as Slurm has it, where that is not named.
std::size_t most_slurm_tasks(std::string_view config);

/// A task that waits or runs in Slurm's queue.
struct SlurmTask {
    std::string job;                               ///< number of its array
    std::size_t task                        = 0;   ///< from 1
    std::size_t tasks                       = 0;   ///< of how many
    bool operator==(const SlurmTask&) const = default;
};

/// Finds the tasks of one script in the queue.
/// @param listing  a line "JOB TASK SCRIPT TASKS" for each, as `squeue --noheader --array --format="%F %K %o"` prints; others are passed over
std::vector<SlurmTask> slurm_tasks_in(std::string_view listing, const std::filesystem::path& script);

/// Which cells need a task.
struct SlurmPlan {
    std::size_t tasks = 0;             ///< the n of t/n
    std::vector<std::size_t> submit;   ///< the tasks with a cell that is neither done nor with somebody, ascending
    std::vector<std::string> jobs;     ///< arrays that are in the queue already, each once
    std::size_t done = 0, queued = 0, running = 0, to_run = 0;   ///< cells; each is counted once
};

/// Plans the tasks for what is missing. Failed cells are tried again.
/// @param states  of all cells, in their order
/// @param most    tasks at most, at least 1
SlurmPlan slurm_plan(const std::vector<CellState>& states, const std::vector<SlurmTask>& queue, std::size_t most);

/// Returns the script of the tasks and of the job that comes after them: `slurm.sh n` runs the task SLURM_ARRAY_TASK_ID of n, `slurm.sh collect` makes the tables.
/// @param program  absolute, of credence
/// @param folder   absolute, of the sweep, which lies there already
/// @param collect  further options of the last step, as words; `tasks` of the tasks
std::string slurm_script(const std::filesystem::path& program, const std::filesystem::path& folder,
                         const std::vector<std::string>& collect = {}, const std::vector<std::string>& tasks = {});

}   // namespace credence
