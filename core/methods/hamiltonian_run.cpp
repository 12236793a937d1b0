// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/hamiltonian_run.h"

#include "chains/network_density.h"
#include "methods/chain_settings.h"
#include "methods/trained_chain.h"
#include "posterior/sample_set.h"
#include "prediction/training_errors.h"
#include "training/checkpoint.h"

#include <algorithm>

namespace credence::method_parts {
namespace {

constexpr long recorded_snapshots = 60;   // per run
constexpr long sets_of_draws      = 4;    // of these, with all draws so far, stored in the file

/// The parallel chains of a run. They are created once their starting points are known.
struct HamiltonianRun final : ParallelChains {
    const Experiment& experiment;
    const std::stop_token& stop;
    TrainingControl* control;
    const TrainingEvents& events;
    const long warmup, draws;
    const int n_chains;

    ChainOptions options{};
    std::unique_ptr<NetworkDensity> density;   // for the recorded losses
    std::vector<std::unique_ptr<Chain>> chains{};
    std::shared_ptr<aligned_vector<float>> memory{};   // [draws × n_chains × weights]
    std::vector<DrawStatistics> statistics{};          // [draws × n_chains]
    std::vector<long> warmup_gradients{};              // [n_chains]
    SampleOrigin origin{};
    Evaluator errors{};
    Training run{};
    RunTime time{};
    std::optional<ConvergenceWatch> watch{};
    std::optional<long> next_look{};   // draws per chain
    std::string rule_met{};
    long recorded_at = -1, newest_set = 0;

    HamiltonianRun(const Experiment& e, const std::variant<NutsOptions, HmcOptions>& sampler, const std::stop_token& s,
                   TrainingControl* c, const TrainingEvents& ev)
        : experiment(e), stop(s), control(c), events(ev), warmup(count_of(e.study, "posterior.warmup")),
          draws(count_of(e.study, "posterior.draws")), n_chains(static_cast<int>(count_of(e.study, "posterior.chains")))
    {
        const auto& data = *experiment.data;
        density          = std::make_unique<NetworkDensity>(experiment.model.architecture, experiment.model.likelihood,
                                                   experiment.prior, data.training_inputs,
                                                   Targets{data.training.labels, data.training_targets});
        time.most        = experiment.study.training.max_seconds;
        options          = {.sampler = sampler};
        options.warmup.transitions           = warmup;
        options.warmup.dual_averaging.target = number_of(experiment.study, "posterior.target_acceptance");
        options.warmup.metric = name_of(experiment.study, "posterior.metric") == "dense" ? MetricKind::dense
                                                                                         : MetricKind::diagonal;
        options.seed          = experiment.study.seed;
        memory                = std::make_shared<aligned_vector<float>>(static_cast<std::size_t>(draws) * n_chains
                                                         * density->dimension());
        statistics.resize(static_cast<std::size_t>(draws) * n_chains);
        warmup_gradients.resize(static_cast<std::size_t>(n_chains));
        const auto& asked = experiment.study.training;
        errors            = make_evaluator(experiment.model, data, experiment.study.seed,
                                           {.rows = asked.error_images, .draws = asked.error_draws});
        if (const auto rule = stop_rule_of(experiment.study); rule.on()) {
            watch.emplace(experiment, rule, static_cast<std::size_t>(n_chains), draws);
            next_look = watch->next_look(0);
        }
    }

    /// @return  false: cancelled, or the time limit reached, before the starting points were known
    bool make_chains()
    {
        if (!chains.empty())
            return true;   // resumed run
        Chains from;
        from.count           = n_chains;
        from.options         = experiment.study.training;
        from.start           = chain_start_of(experiment.study);
        from.warm_up         = warm_up_of(experiment.study);
        auto starts          = starts_of_chains(experiment, from, time, stop, control, events.checkpoint);
        const bool continues = !starts.empty();
        from.start = continues ? from.start : ChainStart::weights;   // the result is then their starting points
        if (!continues)
            starts = starts_of_chains(experiment, from, time, stop, control, nullptr);
        for (int k = 0; k < n_chains; ++k) {
            const auto& weights = starts[static_cast<std::size_t>(k)];
            begin_chain(k, std::vector<double>(weights.begin(), weights.end()));
        }
        return continues;
    }
    void begin_chain(int k, const std::vector<double>& from)
    {
        options.number = static_cast<std::uint32_t>(k);
        chains.push_back(std::make_unique<Chain>(density->another(), from, options));
    }

    /// Reads or writes the chains with all their draws. Before the chains exist, the training to
    /// their starts saves its own state in a separate part.
    void serialise(StateBytes& state)
    {
        bool have_chains = !chains.empty();
        state.value(have_chains);
        if (!have_chains)
            return;
        time.serialise(state);
        for (int k = 0; k < n_chains; ++k) {
            std::vector<double> theta(density->dimension());
            if (!state.reading())
                theta.assign(chains[static_cast<std::size_t>(k)]->theta().begin(),
                             chains[static_cast<std::size_t>(k)]->theta().end());
            state.values(std::span(theta));
            if (state.reading())
                begin_chain(k, theta);   // the density is known to be finite here
            chains[static_cast<std::size_t>(k)]->serialise(state);
        }
        std::size_t used = 0;   // slots for draws, including those not yet filled
        for (std::size_t k = 0; k < chains.size(); ++k)
            if (const long t = chains[k]->transitions() - warmup; t > 0)
                used = std::max(used, static_cast<std::size_t>(std::min(t, draws) - 1) * chains.size() + k + 1);
        state.lasting(std::span(*memory).first(used * density->dimension()));
        for (DrawStatistics& draw : std::span(statistics).first(used)) {
            state.value(draw.energy);
            state.value(draw.acceptance);
            state.value(draw.depth);
            state.value(draw.leapfrog_steps);
            state.value(draw.divergent);
            state.value(draw.at_depth_limit);
        }
        state.values(std::span(warmup_gradients));
        if (watch)
            watch->serialise(state);
        state.value(next_look);
        state.value(recorded_at);
        state.value(newest_set);
        credence::serialise(state, run.history);
        credence::serialise(state, run.report, *experiment.start);
    }

    long transitions() const
    {
        long fewest = chains.front()->transitions();
        for (const auto& chain : chains)
            fewest = std::min(fewest, chain->transitions());
        return fewest;
    }
    long all() const { return warmup + draws; }
    double seconds() const { return time.seconds(); }

    std::size_t count() const override { return chains.size(); }
    long done(std::size_t k) const override { return chains[k]->transitions(); }
    bool ended(std::size_t k) const override { return chains[k]->transitions() >= all(); }

    void step(std::size_t k) override
    {
        Chain& chain     = *chains[k];
        const auto& made = chain.step();
        const long t     = chain.transitions() - warmup - 1;
        if (t < 0) {
            warmup_gradients[k] = chain.gradients();
            return;
        }
        const auto number = static_cast<std::size_t>(t) * chains.size() + k;
        std::transform(chain.theta().begin(), chain.theta().end(),
                       memory->begin() + static_cast<std::ptrdiff_t>(number * chain.theta().size()),
                       [](double w) { return static_cast<float>(w); });
        statistics[number] = {made.energy,         made.acceptance, made.depth,
                              made.leapfrog_steps, made.divergent,  made.at_depth_limit};
    }

    long every() const { return std::max(1L, (all() + recorded_snapshots - 1) / recorded_snapshots); }
    long next_synchronisation(long fewest) const override
    {
        const long next = std::min(all(), (fewest / every() + 1) * every());
        return next_look && warmup + *next_look > fewest ? std::min(next, warmup + *next_look) : next;
    }

    std::optional<StopReason> synchronised(long step) override
    {
        if ((step == all() || step % every() == 0) && is_worth_a_file())
            record();
        else {
            show();
            report_progress();
        }
        if (!is_next_look(step) || stop.stop_requested())
            return {};
        const std::size_t n = density->dimension();
        const auto weights  = [this, n](std::size_t k, std::size_t i) {
            return std::span<const float>(*memory).subspan((i * chains.size() + k) * n, n);
        };
        if (auto why = watch->look(*next_look, weights, stop)) {
            rule_met = std::move(*why);
            return StopReason::converged;
        }
        if (!stop.stop_requested())
            next_look = watch->next_look(*next_look);
        return {};
    }
    bool is_next_look(long step) const { return next_look && step == warmup + *next_look; }

    /// The draws of all chains so far; before the first draw, their current states.
    std::shared_ptr<const Posterior> posterior_now()
    {
        const long kept = transitions() - warmup;
        const auto n    = static_cast<std::size_t>(std::max(0L, kept)) * n_chains;
        if (kept < 1) {
            aligned_vector<float> states;
            SampleOrigin where;
            for (int k = 0; k < n_chains; ++k) {
                for (const double w : chains[static_cast<std::size_t>(k)]->theta())
                    states.push_back(static_cast<float>(w));
                where.chains.push_back(k);
                where.steps.push_back(chains[static_cast<std::size_t>(k)]->transitions());
            }
            return std::make_shared<SampleSet>(density->layout(), std::move(states), std::move(where));
        }
        while (origin.steps.size() < n) {
            origin.chains.push_back(static_cast<int>(origin.steps.size()) % n_chains);
            origin.steps.push_back(warmup + 1 + static_cast<long>(origin.steps.size()) / n_chains);
        }
        SampleOrigin where    = origin;
        auto chain_statistics = std::make_shared<ChainStatistics>();
        chain_statistics->draws.assign(statistics.begin(), statistics.begin() + static_cast<std::ptrdiff_t>(n));
        for (std::size_t k = 0; k < chains.size(); ++k) {
            const Chain& chain = *chains[k];
            ChainSummary summary{.step_size        = chain.step_size(),
                                 .gradients        = chain.gradients(),
                                 .warmup_gradients = warmup_gradients[k],
                                 .warmup           = sentences(chain.warmup()),
                                 .diverged         = {}};
            for (const auto& divergence : chain.divergences())
                summary.diverged.emplace_back(divergence.theta.begin(), divergence.theta.end());
            chain_statistics->chains.push_back(std::move(summary));
        }
        where.statistics = std::move(chain_statistics);
        return std::make_shared<SampleSet>(density->layout(), memory, n, std::move(where));
    }

    TrainingPoint point_now(const Posterior& posterior)
    {
        TrainingPoint point;
        point.step          = transitions();
        point.epoch         = static_cast<double>(point.step);
        point.seconds       = seconds();
        point.learning_rate = chains.front()->step_size();
        double loss         = 0;
        aligned_vector<double> gradient(density->dimension());
        for (const auto& chain : chains) {
            density->evaluate(chain->theta(), gradient);
            loss -= density->log_likelihood();
        }
        point.data_loss = loss / static_cast<double>(chains.size() * experiment.data->training.n_rows);
        point.layers    = posterior.describe();
        return point;
    }

    /// True for snapshots of the warm-up, which contain one state per chain; afterwards only for a
    /// few snapshots and the last one.
    bool is_worth_a_file() const { return transitions() <= warmup || set_of_draws() > newest_set; }
    long set_of_draws() const { return (transitions() - warmup) * sets_of_draws / draws; }

    /// Records the current state.
    /// @param is_end  false: if a stop was requested before the errors are known, the resumed run
    /// makes this record instead
    void record(bool is_end = false)
    {
        if (recorded_at == transitions())
            return;
        auto snapshot       = std::make_shared<Snapshot>();
        snapshot->posterior = posterior_now();
        snapshot->point     = point_now(*snapshot->posterior);
        if (!stop.stop_requested()) {
            const auto found               = errors(snapshot->posterior, stop);
            snapshot->point.training_error = found.training;
            snapshot->point.test_error     = found.test;
        }
        if (stop.stop_requested() && !is_end)
            return;
        recorded_at = transitions();
        newest_set  = std::max(newest_set, set_of_draws());
        run.history.push_back(snapshot->point);
        run.report.last = snapshot;
        if (events.recorded)
            events.recorded(snapshot);
        if (events.snapshot)
            events.snapshot(snapshot);
        report_progress();
    }
    void show() override
    {
        if (events.snapshot && recorded_at != transitions()) {
            auto snapshot       = std::make_shared<Snapshot>();
            snapshot->posterior = posterior_now();
            snapshot->point     = point_now(*snapshot->posterior);
            events.snapshot(std::move(snapshot));
        }
    }
    long steps_reported() const override { return chains.empty() ? 0 : transitions(); }
    void report_progress() const override
    {
        if (!events.progress)
            return;
        const double done = static_cast<double>(transitions());
        TrainingProgress progress{transitions(), all(), done, seconds() > 0 ? done / seconds() : 0, {}};
        if (progress.steps_per_second > 0)
            progress.seconds_left = (static_cast<double>(all()) - done) / progress.steps_per_second;
        events.progress(progress);
    }

    Training whole()
    {
        const Checkpoint::Part part(events.checkpoint, "chains", [this](StateBytes& state) { serialise(state); });
        if (make_chains()) {
            if (run.history.empty())
                record();
            run.report.stop = run_side_by_side(*this, time, stop, control, events.checkpoint);
        } else {
            run.report.stop = stop.stop_requested() ? StopReason::cancelled : StopReason::time_limit;
        }
        record(true);
        auto& report    = run.report;
        report.steps    = transitions();
        report.seconds  = seconds();
        const long kept = std::max(0L, transitions() - warmup) * n_chains;
        long divergent  = 0;
        for (long i = 0; i < kept; ++i)
            divergent += statistics[static_cast<std::size_t>(i)].divergent;
        report.message = report.stop == StopReason::steps_done  ? "All transitions are done."
                         : report.stop == StopReason::converged ? rule_met
                                                                : sentence_of(report.stop);
        report.message += kept > 0 ? " Draws kept: " + std::to_string(kept)
                                         + ", divergent: " + std::to_string(divergent) + "."
                                   : " No draws were kept yet; the result is the current state of the chains.";
        return std::move(run);
    }
};

}   // namespace

Training run_hamiltonian(const Experiment& experiment, const std::variant<NutsOptions, HmcOptions>& sampler,
                         std::stop_token stop, TrainingControl* control, const TrainingEvents& events)
{
    return HamiltonianRun(experiment, sampler, stop, control, events).whole();
}

}   // namespace credence::method_parts
