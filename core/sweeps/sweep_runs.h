// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sweeps/run_sweep.h"
#include "sweeps/sweep_results.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace credence {

/// A snapshot of a sweep for display.
struct SweepSnapshot {
    SweepResults results;
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

    /// Creates the cells and reads existing results. @throws Error  for an invalid
    /// combination, see cells_of
    SweepRuns(const Sweep& sweep, std::filesystem::path folder);

    /// Runs the missing cells and writes the tables. After a stop, the results so far remain
    /// available.
    /// @param mix_builds  adds cells to those of another build of the program
    /// @throws OtherBuild without it
    SweepReport run(const std::stop_token& stop, const Events& events, bool mix_builds);
    std::shared_ptr<const SweepSnapshot> snapshot() const;
    /// Returns the snapshot while the sweep is not running.
    std::shared_ptr<const SweepSnapshot> at_rest() const;
    const SweepFolder& folder() const { return folder_; }

private:
    void take(const SweepCell& cell, const CellStatus& status);
    double share() const;   // the caller holds the mutex

    const SweepFolder folder_;
    mutable std::mutex mutex_;   // guards the members below
    SweepSnapshot snapshot_;
    std::vector<std::size_t> wanted_;   // cells not done when the run began
};

/// A default sweep: three learning rates around that of the Study (numbers of steps if it has
/// none), with three seeds.
Sweep usual_sweep(const Study& study);

/// Speed of a saved run.
struct SweepPace {
    Study study;
    double seconds_per_step = 0;
};
/// Estimates the duration of the missing cells. Uses the mean of the finished cells, in parallel on
/// all cores; otherwise saved runs with the same data, network, method and minibatches, one after
/// the other. Empty: unknown.
std::optional<double> seconds_of_sweep(const SweepSnapshot& snapshot, const std::vector<SweepPace>& kept);

}   // namespace credence
