// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_with_checkpoints.h"

#include "foundation/number_text.h"
#include "foundation/progress.h"
#include "runs/checkpoint_file.h"
#include "runs/experiment.h"
#include "runs/prediction_data.h"
#include "runs/provenance.h"
#include "study/method.h"
#include "training/checkpoint.h"

#include <algorithm>
#include <future>
#include <utility>

namespace credence {
namespace {

/// True if the checkpoint belongs to the same run at that step. Its points may have changed since
/// that step, or may change later.
bool is_same(Study found, const Study& now, long step)
{
    const auto& changes = now.data.changes;
    const std::size_t n = found.data.changes.size();
    if (n < changes.size() && std::equal(found.data.changes.begin(), found.data.changes.end(), changes.begin())
        && changes[n].step >= step)
        found.data.changes = changes;
    found.name       = now.name;
    found.note       = now.note;
    found.prediction = now.prediction;   // does not affect training
    return found == now;
}

/// Saves the state of a run in files of its folder. The state is copied between two steps and
/// written by a thread while the run continues.
class FileCheckpoint final : public Checkpoint {
public:
    FileCheckpoint(std::filesystem::path folder, CheckpointHead head, const CheckpointOptions& options,
                   CheckpointContent* found)
        : Checkpoint(found ? std::exchange(found->parts, {}) : std::vector<State>{}), folder_(std::move(folder)),
          head_(std::move(head)), options_(options), files_(folder_, found)
    {}
    ~FileCheckpoint() override { finish(); }

private:
    bool is_due(long) override
    {
        ++calls_;
        if (options_.every > 0 && calls_ % options_.every == 0) {
            finish();
            return true;
        }
        if (!(options_.seconds > 0) || clock_.seconds() < options_.seconds)
            return false;
        if (writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout)
            return false;   // the previous checkpoint is still being written
        finish();
        return true;
    }

    void begin_saving() override
    {
        finish();
        files_.begin_pass();
    }

    void save(long step, std::vector<State> parts) override
    {
        if (!(options_.seconds > 0 || options_.every > 0))
            return;
        clock_     = Stopwatch();
        head_.step = step;
        auto pass  = files_.end_pass(head_, std::move(parts));
        before_    = pass.before;
        // If no thread can be started, the pass is written when the next one is due.
        writing_ = std::async(std::launch::async | std::launch::deferred,
                              [this, pass = std::move(pass)] { CheckpointFiles::write(folder_, pass); });
    }

    StateBytes::Pieces* pieces() override { return &files_; }

    /// Waits for the pending write. After a failure the run continues, and the next checkpoint is
    /// tried as usual, since disk space may be available again.
    void finish()
    {
        if (!writing_.valid())
            return;
        const bool failed_before = failed_;
        try {
            writing_.get();
            failed_ = false;
            if (failed_before)
                notify("The state of the run is saved again.");
        } catch (const std::exception& error) {
            failed_ = true;
            files_.forget_from(before_);
            if (!failed_before)
                notify(std::string(error.what()) + " The state of the run is not saved; Credence tries again later.");
        }
    }

    void notify(const std::string& sentence) const
    {
        if (options_.notify)
            options_.notify(sentence);
    }

    std::filesystem::path folder_;
    CheckpointHead head_;
    const CheckpointOptions& options_;
    CheckpointFiles files_;
    Stopwatch clock_;
    long calls_         = 0;
    std::size_t before_ = 0;       // pieces before the last pass
    bool failed_        = false;   // the last pass could not be written
    std::future<void> writing_;
};

/// Returns the checkpoint in the folder if this run can resume from it; otherwise reports why not.
std::optional<CheckpointContent> content_for(const CheckpointHead& head, const std::filesystem::path& folder,
                                             const CheckpointOptions& options)
{
    const auto notify = [&](const std::string& sentence) {
        if (options.notify)
            options.notify(sentence);
    };
    if (options.fresh)
        return {};
    const std::string replaces = options.begin_in ? "." : " and replaces it.";
    std::optional<CheckpointContent> found;
    try {
        found = read_checkpoint(folder);
    } catch (const Error& error) {
        notify(std::string(error.what()) + " This run starts from the beginning.");
    }
    if (!found)
        return {};
    if (!is_same(found->head.study, head.study, found->head.step)) {
        notify(folder.string() + " contains an interrupted run of another Study (" + found->head.study.name
               + "); this run starts from the beginning" + replaces);
        return {};
    }
    if (found->head.data != head.data) {
        notify(folder.string()
               + " contains an interrupted run of this Study on other data; this run starts from the beginning"
               + replaces);
        return {};
    }
    if (found->head.build != this_build()) {
        const std::string builds = "another build, Credence " + build_text(found->head.build) + "; this is "
                                   + build_text(this_build());
        if (!options.mix_builds)
            throw OtherBuild(found->head.build, folder.string() + " contains an interrupted run of this Study by "
                                                    + builds
                                                    + ": continue it with --mix-builds, or start again with --fresh.");
        notify("The run was started by " + builds + ". Its provenance lists both.");
    }
    return found;
}

/// @param on_resume  as in CheckpointOptions, for a resumed run; may be empty
SavedRun recorded(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                  const TrainingEvents& events, const std::function<void(RecordedBefore before)>& on_resume)
{
    RecordedBefore so_far;   // the reported history; that of a last phase has one more point
    SnapshotRecorder& recorder = so_far.recorder;
    TrainingEvents mine        = events;
    mine.recorded              = [&](std::shared_ptr<const Snapshot> snapshot) {
        recorder.add(snapshot);
        so_far.history.push_back(snapshot->point);
        if (events.recorded)
            events.recorded(std::move(snapshot));
    };
    const Checkpoint::Part part(events.checkpoint, "recorded snapshots", [&](StateBytes& state) {
        recorder.serialise(state, *experiment.start);
        serialise(state, so_far.history);
    });
    if (part.resumed() && on_resume)
        on_resume(so_far);
    auto training = train(experiment, std::move(stop), control, mine);
    SavedRun run;
    run.name    = experiment.study.name;
    run.study   = experiment.study;
    run.table   = experiment.table;
    run.data    = data_for_prediction(experiment);
    run.report  = std::move(training.report);
    run.history = std::move(training.history);
    if (const auto& kept = recorder.snapshots();
        run.report.last && (kept.empty() || kept.back()->point.step < run.report.last->point.step))
        recorder.add(run.report.last);   // cancelled between two recorded steps
    run.snapshots  = recorder.snapshots();
    run.provenance = provenance_of(experiment);
    return run;
}

}   // namespace

SavedRun recorded_run(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                      const TrainingEvents& events)
{
    return recorded(experiment, std::move(stop), control, events, {});
}

SavedRun run_with_checkpoints(const Experiment& experiment, const std::filesystem::path& folder,
                              const CheckpointOptions& options, std::stop_token stop, TrainingControl* control,
                              const TrainingEvents& events)
{
    CheckpointHead head{experiment.study, hash_of_data(*experiment.data_at_start()), options.started, 0,
                        steps_of(experiment.study)};
    if (auto found = content_for(head, folder, options)) {
        const long step = found->head.step;
        try {
            CheckpointHead of_found = head;
            of_found.started        = found->head.started;
            of_found.step           = step;
            of_found.earlier_builds = found->head.earlier_builds;
            if (found->head.build != this_build())
                of_found.earlier_builds.push_back(found->head.build);
            FileCheckpoint checkpoint(folder, of_found, options, &*found);
            if (options.notify)
                options.notify("Resuming at step " + grouped_text(step) + " of " + grouped_text(head.steps)
                               + (found->head.study.data.changes == head.study.data.changes
                                      ? " (interrupted run found)."
                                      : " with other points."));
            TrainingEvents mine            = events;
            mine.checkpoint                = &checkpoint;
            auto run                       = recorded(experiment, stop, control, mine, [&](RecordedBefore before) {
                before.started = of_found.started;
                if (options.on_resume)
                    options.on_resume(std::move(before));
            });
            run.started                    = of_found.started;
            run.provenance->earlier_builds = of_found.earlier_builds;
            return run;
        } catch (const CheckpointError& error) {
            if (options.notify)
                options.notify(std::string(error.what()) + " This run starts from the beginning.");
        }
    }
    FileCheckpoint checkpoint(options.begin_in ? options.begin_in() : folder, head, options, nullptr);
    TrainingEvents mine = events;
    mine.checkpoint     = &checkpoint;
    auto run            = recorded(experiment, std::move(stop), control, mine, {});
    run.started         = options.started;
    return run;
}

std::optional<InterruptedRun> interrupted_run(const std::filesystem::path& folder)
{
    auto found = read_checkpoint(folder);
    if (!found)
        return {};
    return InterruptedRun{std::move(found->head.study), found->head.started, found->head.step, found->head.steps,
                          found->head.build};
}

}   // namespace credence
