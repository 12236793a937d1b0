// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/chains.h"

#include "foundation/flush_denormals.h"
#include "methods/side_by_side.h"
#include "methods/trained_chain.h"
#include "training/checkpoint.h"
#include "training/loss_watch.h"

#include <algorithm>
#include <limits>

namespace credence::method_parts {
namespace {

constexpr long snapshots_of_chains = 200;   // recorded per run

/// Several chains: the group that is running, and the results of earlier groups.
class ChainsRun final : public ParallelChains {
public:
    ChainsRun(const Experiment& experiment, const Chains& chains, const std::stop_token& stop, TrainingControl* control,
              const TrainingEvents& events)
        : experiment_(experiment), chains_(chains), stop_(stop), control_(control), events_(events),
          at_once_(chains.rule.on() ? chains.count : chains_at_once(experiment.start->layout().size())),
          kept_(experiment.start->layout(), chains.count, chains.draws, at_once_),
          errors_(experiment.recorded_errors()), to_shared_start_(chains.start == ChainStart::one_trained)
    {
        time_.most         = chains.options.max_seconds;
        const long shared  = chains.start == ChainStart::one_trained ? chains.warm_up : 0;
        const long in_turn = (chains.count + at_once_ - 1) / at_once_;
        const long whole   = shared + in_turn * (chains.own_warm_up() + chains.options.steps);
        every_             = std::max(1L, (whole + snapshots_of_chains - 1) / snapshots_of_chains);
        if (chains.rule.on())
            watch_.emplace(experiment, chains.rule, static_cast<std::size_t>(chains.count),
                           static_cast<long>(chains.draws));
    }

    Training whole()
    {
        const FlushDenormals here;
        const Checkpoint::Part part(events_.checkpoint, "chains", [this](StateBytes& state) { serialise(state); });
        auto& report = run_.report;
        report.stop  = run_all_groups();
        if (report.stop != StopReason::not_finite)
            end_well();
        if (report.stop == StopReason::not_finite && report.last && events_.snapshot)
            events_.snapshot(report.last);   // shows the last good snapshot again
        report.message = message();
        report_progress();
        report.steps   = steps_reported();
        report.seconds = time_.seconds();
        return std::move(run_);
    }

    std::size_t count() const override { return group_.size(); }
    long done(std::size_t k) const override { return group_[k]->done(); }
    bool ended(std::size_t k) const override { return group_[k]->ended(); }
    void step(std::size_t k) override { group_[k]->step(); }

    long next_synchronisation(long fewest) const override
    {
        const long next = std::min(length_, (fewest / every_ + 1) * every_);
        return next_look_ > fewest ? std::min(next, next_look_) : next;
    }

    std::optional<StopReason> synchronised(long step) override
    {
        const auto has_ended = [](const auto& chain) { return chain->ended(); };
        const auto failed    = [](const auto& chain) { return chain->end() == StopReason::not_finite; };
        if (are_last() && std::all_of(group_.begin(), group_.end(), has_ended))
            return {};   // recorded with all draws in order
        const bool due = step % every_ == 0 || step == length_ || std::any_of(group_.begin(), group_.end(), failed);
        if (due && !record())
            return StopReason::not_finite;
        if (step != next_look_ || stop_.stop_requested())
            return {};
        const long draws   = static_cast<long>(kept_.count(0));
        const auto weights = [this](std::size_t k, std::size_t i) { return kept_.draw(static_cast<int>(k), i); };
        if (auto why = watch_->look(draws, weights, stop_)) {
            rule_met_ = std::move(*why);
            return StopReason::converged;
        }
        if (!stop_.stop_requested())
            set_next_look();
        return {};
    }

    void show() override
    {
        if (events_.snapshot && recorded_at_ != steps_reported() && finite_everywhere())
            events_.snapshot(std::make_shared<Snapshot>(Snapshot{posterior_now(), point_now(&Trainer::point)}));
    }

    long steps_reported() const override
    {
        long sum = steps_before_;
        for (const auto& chain : group_)
            sum += chain->done();
        return sum;
    }
    void report_progress() const override
    {
        if (!events_.progress)
            return;
        const double seconds = time_.seconds();
        const long done = steps_reported(), all = chains_.steps_of_all();
        TrainingProgress progress{done, all, epochs(), seconds > 0 ? static_cast<double>(done) / seconds : 0, {}};
        if (progress.steps_per_second > 0) {
            progress.seconds_left = static_cast<double>(all - done) / progress.steps_per_second;
            if (time_.most > 0)
                progress.seconds_left = std::min(*progress.seconds_left, std::max(0.0, time_.most - seconds));
        }
        events_.progress(progress);
    }

private:
    /// Runs the chains of all groups. In a resumed run, the current group already exists.
    StopReason run_all_groups()
    {
        if (to_shared_start_) {
            if (group_.empty())
                begin_these();
            if (const auto end = run_group(); end != StopReason::steps_done)
                return end;
            shared_start_.assign(group_.front()->weights().begin(), group_.front()->weights().end());
            leave_these();
            to_shared_start_ = false;
        }
        while (first_ < chains_.count) {
            if (group_.empty())
                begin_these();
            if (const auto end = run_group(); end != StopReason::steps_done)
                return end;
            first_ += at_once_;
            if (first_ < chains_.count)
                leave_these();
        }
        return std::all_of(ends_.begin(), ends_.end(), [](StopReason end) { return end == StopReason::no_progress; })
                   ? StopReason::no_progress
                   : StopReason::steps_done;
    }

    void begin_these()
    {
        const bool shared  = to_shared_start_;
        const long warm_up = shared ? chains_.warm_up : chains_.own_warm_up();
        length_            = shared ? warm_up : warm_up + chains_.options.steps;
        const int end      = shared ? 1 : std::min(chains_.count, first_ + at_once_);
        for (int k = first_; k < end; ++k)
            group_.push_back(std::make_unique<TrainedChain>(
                experiment_, chains_, k,
                shared_start_.empty() ? starting_weights(experiment_, chains_.start, k) : shared_start_, warm_up,
                shared ? nullptr : &kept_));
        if (!shared)
            set_next_look();
    }

    void serialise(StateBytes& state)
    {
        constexpr long most = std::numeric_limits<long>::max();
        const auto& family  = *experiment_.start;
        state.section("chains");
        time_.serialise(state);
        state.value(to_shared_start_);
        state.within(first_, 0, chains_.count);
        state.list(shared_start_);
        if (!shared_start_.empty() && shared_start_.size() != family.layout().size())
            throw Error("The saved state has a starting point with " + std::to_string(shared_start_.size())
                        + " weights, expected " + std::to_string(family.layout().size()) + ".");
        kept_.serialise(state);
        if (state.reading()) {
            group_.clear();
            begin_these();
        }
        for (const auto& chain : group_)
            chain->serialise(state);
        state.within(next_look_, -1, most);
        state.within(steps_before_, 0, most);
        state.value(epochs_before_);
        state.list(ends_,
                   [](StateBytes& s, StopReason& end) { s.within(end, 0, static_cast<long>(StopReason::not_finite)); });
        if (watch_)
            watch_->serialise(state);
        credence::serialise(state, suspect_.held(), family);
        state.value(far_);
        state.within(recorded_at_, -1, most);
        state.within(records_, 0, most);
        credence::serialise(state, run_.history);
        credence::serialise(state, run_.report, family);
    }

    StopReason run_group()
    {
        if (run_.history.empty() && !record())
            return StopReason::not_finite;
        const bool resumed_at_end = std::all_of(group_.begin(), group_.end(),
                                                [](const auto& chain) { return chain->ended(); });
        if (resumed_at_end && !are_last() && !record())   // a stop had left this to the resumed run
            return StopReason::not_finite;
        const auto end = run_side_by_side(*this, time_, stop_, control_, events_.checkpoint);
        if (end == StopReason::steps_done && !are_last() && stop_.stop_requested()
            && recorded_at_ != steps_reported()) {
            if (events_.checkpoint)
                events_.checkpoint->at_stop(steps_reported());
            return StopReason::cancelled;
        }
        if (end == StopReason::steps_done)
            for (const auto& chain : group_) {
                if (chain->end() == StopReason::not_finite && fails())
                    return StopReason::not_finite;
                if (chain->own_steps() > 0)
                    ends_.push_back(*chain->end());
            }
        if (end == StopReason::steps_done && time_.over() && first_ + at_once_ < chains_.count)
            return StopReason::time_limit;   // exactly at the end of this group
        return end;
    }

    bool are_last() const { return group_.front()->on_its_own() && first_ + at_once_ >= chains_.count; }
    /// Ends the current group and prepares the next one.
    void leave_these()
    {
        keep_members();
        for (const auto& chain : group_) {
            steps_before_ += chain->done();
            epochs_before_ += chain->epochs();
        }
        group_.clear();
    }
    void keep_members()
    {
        if (chains_.is_ensemble())
            for (const auto& chain : group_)
                kept_.keep(chain->weights(), chain->number(), chain->own_steps());
    }
    void set_next_look()
    {
        const auto draws = watch_ ? watch_->next_look(static_cast<long>(kept_.count(0))) : std::nullopt;
        next_look_       = draws ? chains_.own_warm_up() + chains_.kept[static_cast<std::size_t>(*draws) - 1] : -1;
    }

    double epochs() const
    {
        double sum = epochs_before_;
        for (const auto& chain : group_)
            sum += chain->epochs();
        return sum;
    }
    bool finite_everywhere() const
    {
        return std::all_of(group_.begin(), group_.end(), [](const auto& chain) { return chain->is_finite(); });
    }

    std::shared_ptr<const Posterior> posterior_now() const
    {
        if (!chains_.is_ensemble())
            if (auto set = kept_.set())
                return set;
        std::vector<std::span<const float>> states;
        SampleOrigin origin;
        for (int k = 0; chains_.is_ensemble() && k < std::min(first_, chains_.count); ++k)
            if (kept_.count(k) > 0) {
                states.push_back(kept_.draw(k, 0));
                origin.chains.push_back(k);
                origin.steps.push_back(kept_.step(k, 0));
            }
        for (const auto& chain : group_) {
            states.push_back(chain->weights());
            origin.chains.push_back(chain->number());
            origin.steps.push_back(chain->own_steps());
        }
        return set_of_states(experiment_.start->layout(), states, std::move(origin));
    }

    /// @param point  of one training
    template <class Point>
    TrainingPoint point_now(Point point) const
    {
        TrainingPoint now = mean_point(group_, point);
        now.step          = steps_reported();
        now.epoch         = epochs();
        now.seconds       = time_.seconds();
        return now;
    }

    /// True if the loss or the parameters of any chain are not finite.
    bool fails()
    {
        const auto status = status_of(group_);
        far_              = status.far_from_start;
        if (status.failure) {
            run_.report.stop      = StopReason::not_finite;
            run_.report.bad_step  = steps_before_ + static_cast<long>(group_.size()) * status.failure->step;
            run_.report.bad_block = status.failure->block;
            failure_              = status.failure;
        }
        return status.failure.has_value();
    }

    /// Records the current state. If a stop was requested before the errors are known, the resumed
    /// run makes this record instead.
    /// @param posterior  the final one; null: the current one
    /// @return  false if a current loss or parameter is not finite; nothing was recorded
    bool record(std::shared_ptr<const Posterior> posterior = {})
    {
        if (recorded_at_ == steps_reported())
            return true;
        if (fails())
            return false;
        auto snapshot       = std::make_shared<Snapshot>();
        const bool last     = posterior != nullptr;
        snapshot->posterior = last ? std::move(posterior) : posterior_now();
        const bool asked    = records_ % std::max(1, errors_.every) == 0 || last;
        TrainingErrors errors;
        if (asked && !stop_.stop_requested())
            errors = errors_.evaluator(snapshot->posterior, stop_);
        if (asked && !last && stop_.stop_requested())
            return true;
        recorded_at_ = steps_reported();
        ++records_;
        TrainingPoint& point = snapshot->point;
        point                = point_now(&Trainer::finish_point);
        point.layers         = snapshot->posterior->describe();
        point.training_error = errors.training;
        point.test_error     = errors.test;
        run_.history.push_back(point);
        suspect_.add(snapshot, far_, [this](std::shared_ptr<const Snapshot> good) { give(std::move(good)); });
        if (events_.snapshot)
            events_.snapshot(std::move(snapshot));
        report_progress();
        return true;
    }
    void give(std::shared_ptr<const Snapshot> good)
    {
        run_.report.last = good;
        if (events_.recorded)
            events_.recorded(std::move(good));
    }

    /// Records the final snapshot with all draws, chain by chain.
    void end_well()
    {
        keep_members();
        std::shared_ptr<const Posterior> all = kept_.in_order();
        if (!all && finite_everywhere())
            all = posterior_now();
        if (record(std::move(all)))
            suspect_.give_out([this](std::shared_ptr<const Snapshot> good) { give(std::move(good)); });
    }

    std::string message() const
    {
        const auto& report = run_.report;
        std::string text;
        if (report.stop == StopReason::not_finite) {
            text = sentence_of(*failure_, chains_, report.last ? report.last->point.step : 0);
        } else if (report.stop == StopReason::converged) {
            text = rule_met_;
        } else {
            text = sentence_of(report.stop);
            if (report.stop == StopReason::cancelled || report.stop == StopReason::time_limit)
                text += " Each of the " + std::to_string(chains_.count) + " " + chains_.one + "s made at least "
                        + std::to_string(fewest_steps_of_all()) + " of " + std::to_string(chains_.options.steps)
                        + " steps.";
        }
        const auto kept = kept_.count();
        return text
               + (kept == 0 ? std::string(" No draws were kept yet; the result is the current state of the chains.")
                            : " Draws kept: " + std::to_string(kept) + ".");
    }
    /// Returns the smallest number of steps over all chains; 0 if further groups follow.
    long fewest_steps_of_all() const { return first_ + at_once_ < chains_.count ? 0 : fewest_own_steps(group_); }

    const Experiment& experiment_;
    const Chains& chains_;
    const std::stop_token& stop_;
    TrainingControl* control_;
    const TrainingEvents& events_;
    int at_once_;
    StoredDraws kept_;
    Experiment::RecordedErrors errors_;
    std::optional<ConvergenceWatch> watch_;
    RunTime time_;
    long every_ = 1, length_ = 0, next_look_ = -1;   // in steps per chain, including those to its start

    TrainedChains group_;    // the running group
    int first_ = 0;          // index of its first chain
    bool to_shared_start_;   // training to the start shared by all chains
    std::vector<float> shared_start_;
    long steps_before_    = 0;
    double epochs_before_ = 0;
    std::vector<StopReason> ends_;

    SuspectSnapshots suspect_;
    bool far_         = false;
    long recorded_at_ = -1, records_ = 0;
    std::optional<ChainFailure> failure_;
    std::string rule_met_;
    Training run_;
};

}   // namespace

int chains_at_once(std::size_t n_weights)
{
    constexpr std::size_t weights_together = std::size_t{1} << 22;
    return static_cast<int>(std::clamp<std::size_t>(weights_together / std::max<std::size_t>(1, n_weights), 8, 64));
}

Training run_several_chains(const Experiment& experiment, const Chains& chains, const std::stop_token& stop,
                            TrainingControl* control, const TrainingEvents& events)
{
    return ChainsRun(experiment, chains, stop, control, events).whole();
}

}   // namespace credence::method_parts
