// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/command_line.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

class ProgressLine;
namespace CLI {
class App;
}
namespace credence {
struct Experiment;
struct SavedRun;
struct Sweep;
struct SweepCell;
class SweepFolder;
}   // namespace credence

/// Runs a command when its options have been read. @return  exit status
using Action = std::function<int()>;

/// Adds the options of a command to its App. @return  what runs it; `tools` must outlive it
using AddOptions = Action(CLI::App& app, const CommandTools& tools);

/// The commands: each has a file NAME_command.cpp with its options and its work, and a line in the
/// table in command_line.cpp.
AddOptions addRun, addList, addCompare, addFigure, addFilm, addOpen, addBridge, addDoubleWell, addReproduce, addPapers,
    addLinter, addCompletion, addBandit, addActive, addSweep, addData, addPredict;

// What `reproduce` calls of other commands.

/// credence run
struct RunCommand {
    std::string study;                      ///< file, or id or name of a preset
    std::string out;                        ///< folder; empty: out/<name of the study>
    long seed   = -1;                       ///< -1: that of the study
    int threads = 0;                        ///< 0: all
    std::vector<std::string> assignments;   ///< "path=value"
    bool noFigures         = false;
    bool saveOutputs       = false;   ///< also write outputs.npz
    bool saveWeights       = false;   ///< weights.npz
    bool fresh             = false;   ///< start over instead of continuing an interrupted run
    bool mixBuilds         = false;   ///< continue a run started by another build of the program
    bool overwrite         = false;   ///< replace files that the program did not write
    double checkpointEvery = 60;      ///< seconds; 0: none
};
int execute(const RunCommand& command, const DrawFigure& draw);

/// credence compare
struct CompareCommand {
    std::string comparison;                 ///< id
    std::string out;                        ///< folder; empty: out/<id>
    std::vector<std::string> methods;       ///< ids; empty: all. The reference posterior is always included
    std::vector<std::string> assignments;   ///< "path=value", applied to every run
    int threads    = 0;
    bool noFigures = false;
    bool overwrite = false;   ///< replace files that Credence did not write
};
int execute(const CompareCommand& command, const DrawFigure& draw);

/// credence sweep
struct SweepCommand {
    std::string sweep;                      ///< file, or id of a built-in sweep
    std::string out;                        ///< folder; empty: out/<id>
    std::vector<std::string> assignments;   ///< "path=value", applied to every cell
    std::vector<std::string> after;         ///< see set_after_axes
    std::string part;                       ///< "i/n"; empty: all cells
    int jobs       = 0;                     ///< 0: one per thread
    int threads    = 0;                     ///< 0: all
    bool quick     = false;
    bool collect   = false;
    bool mixBuilds = false;   ///< add cells to those of another build of the program
    bool overwrite = false;   ///< replace files that the program did not write
    bool noFigures = false;
    bool slurm     = false;                  ///< submit the cells to Slurm instead of running them
    bool writeOnly = false;                  ///< with slurm: write the script only
    int slurmTasks = 0;                      ///< maximum tasks; 0: one per cell, as far as the cluster allows
    std::vector<std::string> slurmOptions;   ///< additional sbatch options, one word each
};
int execute(const SweepCommand& command, const DrawPlainFigure& draw);
/// Implements credence sweep --slurm: creates the sweep folder, writes slurm.sh there, submits
/// tasks for the cells that are neither done nor queued, and then the job that makes the tables.
/// With --write-only, prints how to submit instead. Returns the exit status.
/// @throws credence::Error     if sbatch is missing, or an option or the folder name does not suit
///        it
/// @throws std::runtime_error  if sbatch fails
int submitToSlurm(const credence::Sweep& sweep, const std::vector<credence::SweepCell>& cells,
                  const credence::SweepFolder& folder, const SweepCommand& command);

/// credence bandit
struct BanditCommand {
    std::vector<std::string> bandits;       ///< files, or ids of presets
    std::string out;                        ///< folder; empty: out/bandit
    std::vector<std::string> assignments;   ///< "path=value", applied to each
    long steps     = 0;                     ///< 0: as in the bandit
    int seeds      = 0;                     ///< 0: as in the bandit
    int threads    = 0;
    bool noFigures = false;
    bool overwrite = false;   ///< replace files that the program did not write
    bool list      = false;   ///< list the presets instead
};
int execute(const BanditCommand& command, const DrawPlainFigure& draw);

// What several commands share.

/// Loads a Study from a file, or the preset of this id or name. @throws credence::Error
credence::Study findStudy(const std::string& name);

/// Trains a Study and returns the run as saved: the same recorded steps in every run of one Study,
/// plus the last step if cancelled between two of them. Uses the threads of the enclosing
/// Threads::run.
credence::SavedRun trainedRun(const credence::Experiment& experiment, std::stop_token stop, ProgressLine& line);

/// "Two moons, τ and correlation ρ" → "two-moons-tau-and-correlation-rho"
std::string folderName(const std::string& title);
