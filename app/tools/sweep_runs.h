// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sweeps/run_sweep.h"
#include "sweeps/sweep_results.h"

#include <QString>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

/// A snapshot of a sweep for display.
struct SweepSnapshot {
    credence::SweepResults results;
    std::vector<double> shares;   ///< fraction of training done, for each cell, 0 to 1
};

/// The cells of one sweep as found in its folder, and a run of the missing ones. Thread-safe.
class SweepRuns {
public:
    struct Events {
        std::function<void(std::shared_ptr<const SweepSnapshot>)>
            shown;                                    ///< a few times a second; on one thread at a time
        std::function<void(double share)> progress;   ///< of the cells that were not done; likewise
    };

    /// Creates the cells and reads existing results. @throws credence::Error  for an invalid
    /// combination, see cells_of
    SweepRuns(const credence::Sweep& sweep, std::filesystem::path folder);

    /// Runs the missing cells and writes tables. Results up to a stop remain available.
    /// @param mixBuilds  adds cells to those of another build of the program @throws
    ///        credence::OtherBuild without it
    credence::SweepReport run(const std::stop_token& stop, const Events& events, bool mixBuilds);
    std::shared_ptr<const SweepSnapshot> snapshot() const;
    /// The same when the sweep is not running.
    std::shared_ptr<const SweepSnapshot> atRest() const;
    const credence::SweepFolder& folder() const { return m_folder; }

private:
    void take(const credence::SweepCell& cell, const credence::CellStatus& status);
    double share() const;   // the caller holds the mutex

    const credence::SweepFolder m_folder;
    mutable std::mutex m_mutex;   // guards the members below
    SweepSnapshot m_snapshot;
    std::vector<std::size_t> m_wanted;   // cells not done when the run began
};

// Text and estimates about a sweep before it runs.

/// Folder of the cells of the window's sweeps: one per base, independent of the varied settings, so
/// that cells are reused when a value or seed is added.
std::filesystem::path folderOfSweep(const credence::Sweep& sweep);

/// A default sweep: three learning rates around that of the Study (numbers of steps if it has
/// none), with three seeds.
credence::Sweep usualSweep(const credence::Study& study);

/// Speed of a saved run.
struct SweepPace {
    credence::Study study;
    double secondsPerStep = 0;
};
/// Estimates the duration of the missing cells: from the mean of the finished ones, in parallel on
/// all cores; otherwise from saved runs with the same data, network, method and minibatches, one
/// after the other. Empty: unknown.
std::optional<double> secondsOfSweep(const SweepSnapshot& snapshot, const std::vector<SweepPace>& kept);

/// "9 cells (3 × 3 seeds), 3 done; about 1:20 for the others"
QString sweepPlanWords(const SweepSnapshot& snapshot, std::optional<double> seconds);
