// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/run_sweep.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "foundation/text.h"
#include "results/results.h"
#include "runs/provenance.h"
#include "runs/run_with_checkpoints.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <set>
#include <system_error>
#include <thread>

namespace credence {
namespace {

/// State of a cell in this call.
enum class Place {
    waiting,
    here,        ///< a job of this call has it
    elsewhere,   ///< another process runs it, or did when it was last checked
    finished,    ///< done, or failed in this call
};

/// The state shared by the jobs of one run_sweep call.
class SweepRun {
public:
    SweepRun(const Sweep& sweep, std::span<const SweepCell> cells, const SweepFolder& folder, bool mix_builds,
             const SweepEvents& events, const std::stop_token& stop)
        : sweep_(sweep), cells_(cells), folder_(folder), mix_builds_(mix_builds), events_(events),
          places_(cells.size(), Place::waiting), forward_(stop, [this] { stop_all(); })
    {}

    /// Finds the cells that are done.
    void look_around()
    {
        for (std::size_t i = 0; i < cells_.size() && !stop_.stop_requested(); ++i) {
            const auto status = folder_.status(cells_[i].hash);
            if (status.state == CellState::done) {
                places_[i] = Place::finished;
                ++report_.done_before;
            }
            notify(i, status);
        }
    }

    std::size_t left() const
    {
        return static_cast<std::size_t>(std::count(places_.begin(), places_.end(), Place::waiting));
    }

    /// One job: runs cells one after the other until none is left.
    void work(int threads)
    {
        try {
            Threads own(threads);
            std::shared_ptr<const SplitData> data;   // reused, since the next cell most likely has the same data
            while (const auto i = next())
                place(*i, attempt(*i, own, data));
        } catch (...) {   // nothing can be written: stops the other jobs
            {
                const std::lock_guard lock(mutex_);
                if (!thrown_)
                    thrown_ = std::current_exception();
            }
            stop_all();
        }
    }

    SweepReport report()
    {
        if (thrown_)
            std::rethrow_exception(thrown_);
        const auto unfinished = std::count_if(places_.begin(), places_.end(),
                                              [](Place place) { return place != Place::finished; });
        report_.cancelled     = unfinished > 0;
        std::sort(report_.failed.begin(), report_.failed.end());
        return std::move(report_);
    }

private:
    void stop_all()
    {
        stop_.request_stop();
        changed_.notify_all();
    }

    /// Returns the next cell for a job and marks it `here`; rechecks cells of other processes from
    /// time to time. Empty: none left, or stopped.
    std::optional<std::size_t> next()
    {
        constexpr std::chrono::milliseconds pause(200);
        std::unique_lock lock(mutex_);
        const auto with = [&](Place place) { return std::find(places_.begin(), places_.end(), place); };
        auto found      = with(Place::waiting);
        if (found == places_.end() && with(Place::elsewhere) != places_.end()) {
            changed_.wait_for(lock, stop_.get_token(), pause, [] { return false; });
            found = std::find(places_.begin() + static_cast<std::ptrdiff_t>(looked_at_), places_.end(),
                              Place::elsewhere);
            if (found == places_.end())
                found = with(Place::elsewhere);
        }
        if (found == places_.end() || stop_.stop_requested())
            return {};
        *found           = Place::here;
        const auto index = static_cast<std::size_t>(found - places_.begin());
        looked_at_       = (index + 1) % places_.size();   // the next check concerns another cell
        return index;
    }

    void place(std::size_t i, Place place)
    {
        const std::lock_guard lock(mutex_);
        places_[i] = place;
    }

    void notify(std::size_t i, const CellStatus& status)
    {
        const std::lock_guard lock(reporting_);
        if (events_.changed)
            events_.changed(cells_[i], status);
    }

    Place end_well(std::size_t i)
    {
        {
            const std::lock_guard lock(mutex_);
            ++report_.done;
        }
        notify(i, {CellState::done});
        return Place::finished;
    }

    Place end_badly(std::size_t i, const std::string& sentence)
    {
        {
            const std::lock_guard lock(mutex_);
            report_.failed.emplace_back(cells_[i].index, sentence);
        }
        notify(i, {CellState::failed, sentence});
        return Place::finished;
    }

    Place attempt(std::size_t i, Threads& threads, std::shared_ptr<const SplitData>& data)
    {
        const SweepCell& cell    = cells_[i];
        const auto before        = folder_.status(cell.hash);
        const bool seen_with_one = seen_elsewhere(i);
        if (before.state == CellState::done)
            return end_well(i);
        const auto claim = before.state == CellState::running ? nullptr : folder_.claim(cell.hash);
        if (!claim) {
            if (!seen_with_one)
                notify(i, {CellState::running});
            note_elsewhere(i);
            return Place::elsewhere;
        }
        if (folder_.status(cell.hash).state == CellState::done)   // finished between the check and the claim
            return end_well(i);
        if (seen_with_one && before.state == CellState::failed)   // failed in another process during this call
            return end_badly(i, before.sentence);
        folder_.forget_failure(cell.hash);
        notify(i, {CellState::running});
        std::string sentence;
        try {
            const bool whole = run_cell(cell, folder_.cell(cell.hash), threads, data);
            return whole ? end_well(i) : left_undone(i);
        } catch (const DiskError&) {
            throw;   // the next cell would fail in the same way
        } catch (const Error& error) {
            sentence = error.what();
        } catch (const std::bad_alloc&) {
            sentence = "There is not enough memory for this.";
        } catch (const Stopped&) {
            return left_undone(i);
        } catch (const std::exception& error) {
            sentence = error.what();
        }
        folder_.fail(cell.hash, sentence);
        return end_badly(i, sentence);
    }

    Place left_undone(std::size_t i)
    {
        notify(i, {CellState::waiting});
        return Place::waiting;
    }

    bool seen_elsewhere(std::size_t i)
    {
        const std::lock_guard lock(mutex_);
        return std::find(seen_.begin(), seen_.end(), i) != seen_.end();
    }
    void note_elsewhere(std::size_t i)
    {
        const std::lock_guard lock(mutex_);
        if (std::find(seen_.begin(), seen_.end(), i) == seen_.end())
            seen_.push_back(i);
    }

    /// Runs one cell. Returns false if it was stopped; then there is no results.json.
    bool run_cell(const SweepCell& cell, const std::filesystem::path& place, Threads& threads,
                  std::shared_ptr<const SplitData>& data)
    {
        const auto experiment = prepare(cell.study, stop_.get_token());
        if (!experiment)
            return false;
        data = experiment->data;
        SavedRun run;
        threads.run([&] {
            run = train_cell(*experiment, place, mix_builds_, stop_.get_token(), [&](const TrainingProgress& progress) {
                const std::lock_guard lock(reporting_);
                if (events_.progress)
                    events_.progress(cell, progress);
            });
        });
        if (run.report.stop == StopReason::cancelled || stop_.stop_requested())
            return false;
        const auto last = run.report.last ? run.report.last : run.snapshots.empty() ? nullptr : run.snapshots.back();
        if (run.report.stop == StopReason::not_finite || !last) {
            remove_checkpoint(place);
            throw Error(run.report.message);
        }
        const RunSnapshot end(experiment, last, std::make_shared<const TrainingHistory>(run.history));
        const auto held = events_.hold ? events_.hold() : nullptr;
        if (sweep_.keep.archive)
            keep_run(run, place);
        else
            save_study(run.study, place / "study.json");
        bool whole = false;
        threads.run([&] {
            whole = write_scores(run, end, place, sweep_.keep.views, stop_.get_token(), sweep_.choose.has_value())
                        .whole;
        });
        if (whole)
            remove_checkpoint(place);   // not removed earlier, so that a kill during scoring does not lose the training
        return whole;
    }

    const Sweep& sweep_;
    const std::span<const SweepCell> cells_;
    const SweepFolder& folder_;
    const bool mix_builds_;
    const SweepEvents& events_;
    std::stop_source stop_;
    std::mutex mutex_, reporting_;
    std::condition_variable_any changed_;
    std::vector<Place> places_;
    std::vector<std::size_t> seen_;   ///< cells run by another process
    std::size_t looked_at_ = 0;
    SweepReport report_;
    std::exception_ptr thrown_;
    std::stop_callback<std::function<void()>> forward_;
};

/// The build that computed or started a cell, if it differs from this one.
std::optional<Build> other_build_of(const SweepCell& cell, const CellStatus& status, const SweepFolder& folder)
{
    if (status.provenance)
        return status.provenance->build == this_build() ? std::nullopt : std::optional(status.provenance->build);
    try {
        if (const auto begun = interrupted_run(folder.cell(cell.hash)); begun && begun->build != this_build())
            return begun->build;
    } catch (const Error&) {   // the cell then starts from the beginning
    }
    return {};
}

void require_own_cells(std::span<const SweepCell> cells, const SweepFolder& folder)
{
    std::size_t others = 0, left = 0;
    std::optional<Build> other;
    for (const auto& cell : cells) {
        const auto status = folder.status(cell.hash);
        left += status.state == CellState::done ? 0 : 1;
        if (const auto build = other_build_of(cell, status, folder)) {
            other = build;
            ++others;
        }
    }
    if (other && left > 0)
        throw OtherBuild(*other, folder.path().string() + " contains " + std::to_string(others) + " of "
                                     + std::to_string(cells.size()) + " cells by another build, Credence "
                                     + build_text(*other) + "; this is " + build_text(this_build())
                                     + ". Add the missing cells with --mix-builds, or choose another folder with "
                                       "--out.");
}

/// Refuses the sweep at once if a file that an unfinished cell reads is missing. Otherwise each
/// cell would fail, perhaps after hours.
void require_files_of(std::span<const SweepCell> cells, const SweepFolder& folder)
{
    std::set<std::vector<std::string>> checked;
    for (const auto& cell : cells) {
        const auto& data = cell.study.data;
        std::vector<std::string> files{data.source, data.file, data.images.set, cell.study.split.test_rows};
        if (checked.contains(files) || folder.status(cell.hash).state == CellState::done)
            continue;
        require_data_files(cell.study);
        checked.insert(std::move(files));
    }
}

}   // namespace

SavedRun train_cell(const Experiment& experiment, const std::filesystem::path& folder, bool mix_builds,
                    std::stop_token stop, const std::function<void(const TrainingProgress&)>& progress)
{
    TrainingEvents events;
    events.progress = progress;
    return run_with_checkpoints(experiment, folder, {.mix_builds = mix_builds, .started = local_time_text()},
                                std::move(stop), nullptr, events);
}

SweepReport run_sweep(const Sweep& sweep, std::span<const SweepCell> cells, const SweepFolder& folder,
                      const SweepOptions& options, std::stop_token stop, const SweepEvents& events)
{
    if (!options.mix_builds)
        require_own_cells(cells, folder);
    require_files_of(cells, folder);
    folder.begin(sweep);
    SweepRun run(sweep, cells, folder, options.mix_builds, events, stop);
    run.look_around();
    const int threads = options.threads > 0 ? options.threads : Threads().count();
    const int wanted  = options.jobs > 0 ? options.jobs : threads;
    const int jobs    = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(wanted), run.left()));
    {
        std::vector<std::jthread> workers;
        const int each = std::max(1, threads / std::max(1, jobs));   // jobs is 0 if all cells are done
        try {
            for (int job = 0; job < jobs; ++job)
                workers.emplace_back([&run, each] { run.work(each); });
        } catch (const std::system_error&) {   // the system allows no more threads: the existing ones run all cells
            if (workers.empty())
                throw;
        }
    }
    return run.report();
}

}   // namespace credence
