// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/trainer.h"

#include "foundation/error.h"
#include "foundation/finite.h"
#include "foundation/flush_denormals.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <limits>

namespace credence {
namespace {

using Clock = std::chrono::steady_clock;
constexpr long   recorded_steps = 200;       // of a whole run
constexpr double smoothing = 0.99;           // of the data loss that `patience` looks at, per step
constexpr double far_from_start = 10;        // a loss so many times that of the start is a doubtful one
constexpr std::size_t most_doubtful = 8;     // recorded steps in a row; more are what this run is like
constexpr double snapshot_share = 0.1;       // of the training time that copies for views may take

double seconds_between(Clock::time_point a, Clock::time_point b) { return std::chrono::duration<double>(b - a).count(); }

/// The means of all bias blocks: parameter i of the first group belongs to weight i, in every family.
std::vector<RateFactor> rate_factors(const VariationalFamily<float>& posterior, double bias_rate)
{
    std::vector<RateFactor> factors;
    const ParameterGroup means = posterior.groups().front();
    assert(means.kind == ParameterGroup::Kind::mean && means.block < 0);
    if (bias_rate != 1)
        for (const Block& block : posterior.layout().blocks)
            if (block.kind == BlockKind::biases) factors.push_back({means.begin + block.begin, means.begin + block.end(), bias_rate});
    return factors;
}

}  // namespace

const char* sentence_of(StopReason reason)
{
    switch (reason) {
    case StopReason::not_started: return "Training has not started.";
    case StopReason::steps_done: return "All steps are done.";
    case StopReason::time_limit: return "The time limit was reached.";
    case StopReason::no_progress: return "The data loss made no more progress.";
    case StopReason::cancelled: return "Training was cancelled.";
    case StopReason::not_finite: return "The loss or the parameters are no longer finite numbers.";
    }
    return "";
}

struct Trainer::Impl {
    Model                            model;
    Prior                            prior;
    std::shared_ptr<const SplitData> data;
    std::unique_ptr<VariationalFamily<float>> posterior;
    TrainerOptions                   options;
    Evaluator                        evaluator;

    int                       rows_at_hand = 0;          // of the last step's minibatch
    int                       batch_size, minibatches;   // an epoch has `minibatches`; the last one may be smaller
    Network<float>            network;
    Network<float>::Workspace workspace;
    Draw<float>               draw;
    Optimizer<float>          optimizer;
    aligned_vector<float>     inputs, targets, output_gradient, loss_gradient;
    aligned_vector<float>     summed_gradient;           // several samples a step: over all but the last
    std::vector<int>          labels;
    std::vector<std::uint32_t> order;

    long   done = 0;
    double kl_factor = 0;                                // the KL's weight in the last step
    double loss_sum = 0;                                 // since the last recorded point
    long   loss_count = 0;
    std::optional<double> start_loss;                    // at the first recorded step
    double smoothed_loss = 0;                            // what `patience` looks at
    double lowest_loss = std::numeric_limits<double>::infinity();
    long   records = 0;                                  // recorded steps so far
    double seconds = 0;                                  // of training, pauses excluded
    TrainingHistory history;
    std::shared_ptr<const Snapshot> last_good;

    Impl(Model m, Prior p, std::shared_ptr<const SplitData> d, std::unique_ptr<VariationalFamily<float>> start, TrainerOptions o)
        : model(std::move(m)),
          prior(std::move(p)),
          data(std::move(d)),
          posterior(std::move(start)),
          options(o),
          batch_size(static_cast<int>(std::min<std::size_t>(std::max(1, o.batch_size), data->training.n_rows))),
          minibatches(static_cast<int>((data->training.n_rows + batch_size - 1) / batch_size)),
          network(model.architecture),
          workspace(network, batch_size),
          draw(posterior->make_draw()),
          optimizer(options.optimizer, posterior->parameters().size(), rate_factors(*posterior, options.bias_rate)),
          inputs(static_cast<std::size_t>(batch_size) * data->training.n_features),
          targets(batch_size),
          output_gradient(static_cast<std::size_t>(batch_size) * model.architecture.outputs()),
          loss_gradient(network.layout().size()),
          summed_gradient(options.samples_per_step > 1 ? posterior->parameters().size() : 0),
          labels(batch_size),
          order(data->training.n_rows)
    {
        assert(network.layout() == posterior->layout());
    }

    double epoch() const { return static_cast<double>(done) / minibatches; }

    /// Copies the minibatch of step `done` into inputs, labels, targets; returns its size.
    int gather_minibatch()
    {
        const long epoch_number = done / minibatches;
        const auto first = static_cast<std::size_t>(done % minibatches) * batch_size;
        if (first == 0 || done == 0) permutation({options.seed, Stream::minibatches, static_cast<std::uint32_t>(epoch_number)}, order);
        const std::size_t n = std::min<std::size_t>(batch_size, order.size() - first);
        const std::size_t d = data->training.n_features;
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t row = order[first + i];
            std::copy_n(data->training_inputs.data() + row * d, d, inputs.data() + i * d);
            if (data->training.task == Task::classification) labels[i] = data->training.labels[row];
            else targets[i] = data->training_targets[row];
        }
        return static_cast<int>(n);
    }

    double kl_weight_of_step(int m) const
    {
        if (options.kl_weighting == KlWeighting::constant) return options.kl_weight;
        const int i = static_cast<int>(done % minibatches) + 1;
        return options.kl_weight * minibatch_weight(options.kl_weighting, i, minibatches) / m;
    }

    Targets truth() const
    {
        const auto m = static_cast<std::size_t>(rows_at_hand);
        return {{labels.data(), m}, {targets.data(), m}};
    }
    std::span<float> gradient_of_outputs() { return {output_gradient.data(), static_cast<std::size_t>(rows_at_hand) * model.architecture.outputs()}; }

    double step()
    {
        const int m = rows_at_hand = gather_minibatch();
        const int samples = std::max(1, options.samples_per_step);
        kl_factor = kl_weight_of_step(m);
        const Complexity complexity{&prior, options.complexity, kl_factor / samples, options.kl_gradient_limit, options.kappa, options.l2 / samples};
        const int k = model.architecture.outputs();
        const std::span<float> dz = gradient_of_outputs();
        optimizer.begin_step(learning_rate(options.schedule, done, options.steps));
        double loss = 0;
        for (int s = 0; s < samples; ++s) {
            const auto index = static_cast<std::uint32_t>(done * samples + s);
            posterior->draw({options.seed, Stream::weight_noise, index}, draw);
            const DropoutNoise masks{{options.seed, Stream::dropout, index}, 0};
            const auto outputs = network.forward(draw.weights, inputs.data(), m, workspace, masks);
            loss += negative_log_likelihood<float>(model.likelihood, outputs, m, k, truth(), dz, 1.0f / static_cast<float>(m * samples)) / (m * samples);
            if (!std::isfinite(loss)) return loss;   // parameters stay as they were
            network.backward(draw.weights, dz, workspace, loss_gradient);
            const bool first = s == 0, last = s == samples - 1;
            posterior->pullback(draw, loss_gradient, complexity, [&](std::size_t begin, std::span<const float> gradient) {
                if (first && last) {
                    optimizer.apply(begin, gradient, posterior->parameters());
                    return;
                }
                float* sum = summed_gradient.data() + begin;
                if (first) std::copy(gradient.begin(), gradient.end(), sum);
                else
                    for (std::size_t i = 0; i < gradient.size(); ++i) sum[i] += gradient[i];
                if (last) optimizer.apply(begin, {sum, gradient.size()}, posterior->parameters());
            });
        }
        posterior->apply_guards({options.seed, Stream::guards, static_cast<std::uint32_t>(done)});
        ++done;
        loss_sum += loss;
        ++loss_count;
        return loss;
    }

    /// The loss that the parameters of now have on the minibatch and with the noise of the last step; of the first one before any. A draw of finite
    /// parameters may well overflow: only a forward pass says whether they predict anything.
    double loss_now()
    {
        std::uint32_t index = 0;
        if (done == 0) {
            rows_at_hand = gather_minibatch();
            posterior->draw({options.seed, Stream::weight_noise, 0}, draw);
        } else {
            index = static_cast<std::uint32_t>(done * std::max(1, options.samples_per_step) - 1);
            posterior->transform(draw);
        }
        const int m = rows_at_hand, k = model.architecture.outputs();
        const auto outputs = network.forward(draw.weights, inputs.data(), m, workspace, DropoutNoise{{options.seed, Stream::dropout, index}, 0});
        return negative_log_likelihood<float>(model.likelihood, outputs, m, k, truth(), gradient_of_outputs(), 1.0f / static_cast<float>(m)) / m;
    }

    /// Tells whether the smoothed loss was at its lowest within the last `patience` steps. @param since  the step of the lowest one
    bool makes_progress(double loss, long& since)
    {
        smoothed_loss = done == 1 ? loss : smoothing * smoothed_loss + (1 - smoothing) * loss;
        if (smoothed_loss < lowest_loss) {
            lowest_loss = smoothed_loss;
            since = done;
        }
        return done - since < options.patience;
    }

    TrainingPoint point_now() const
    {
        TrainingPoint point{.step = done, .epoch = epoch(), .seconds = seconds,
                            .learning_rate = learning_rate(options.schedule, std::max(0L, done - 1), options.steps),
                            .data_loss = {}, .kl = {}, .kl_weight = kl_factor, .training_error = {}, .test_error = {}, .layers = {}};
        if (loss_count > 0) point.data_loss = loss_sum / static_cast<double>(loss_count);
        return point;
    }

    std::shared_ptr<const Posterior> frozen() const { return posterior->clone(); }

    /// The full record of this step: KL, errors, τ and ρ.
    std::shared_ptr<const Snapshot> record(const std::stop_token& stop)
    {
        auto snapshot = std::make_shared<Snapshot>(Snapshot{frozen(), point_now()});
        TrainingPoint& point = snapshot->point;
        if (options.complexity == Complexity::Kind::closed) point.kl = posterior->kl(prior);
        else if (done > 0) {
            posterior->transform(draw);   // the last noise under the parameters of now
            point.kl = posterior->sampled_complexity(draw, prior);
        }
        point.layers = posterior->describe();
        const bool asked = records++ % std::max(1, options.errors_every) == 0 || done == options.steps;
        if (evaluator && asked && !stop.stop_requested()) {   // a cancelled run ends at once, without errors in its last point
            const TrainingErrors errors = evaluator(snapshot->posterior, stop);
            point.training_error = errors.training;
            point.test_error = errors.test;
        }
        loss_sum = 0;
        loss_count = 0;
        history.push_back(point);
        return snapshot;
    }

    /// Where a loss that is not finite comes from: the first block with a bad parameter, else the first layer with a bad output.
    std::string bad_block() const
    {
        const ParameterLayout& layout = network.layout();
        for (const Block& block : layout.blocks)
            if (!all_finite(std::span<const float>(draw.weights.data() + block.begin, block.size))) return block.name;
        const std::optional<int> layer = network.first_layer_not_finite(workspace);
        if (layer)
            for (const Block& block : layout.blocks)
                if (block.layer == *layer) return block.name;
        return "the loss itself";
    }
};

Trainer::Trainer(Model model, Prior prior, std::shared_ptr<const SplitData> data, std::unique_ptr<VariationalFamily<float>> start, TrainerOptions options)
    : impl_(std::make_unique<Impl>(std::move(model), std::move(prior), std::move(data), std::move(start), options))
{
}
Trainer::~Trainer() = default;

void Trainer::set_evaluator(Evaluator evaluator) { impl_->evaluator = std::move(evaluator); }
double Trainer::step() { return impl_->step(); }
long Trainer::steps_done() const { return impl_->done; }
const VariationalFamily<float>& Trainer::posterior() const { return *impl_->posterior; }
const TrainingHistory& Trainer::history() const { return impl_->history; }

TrainingReport Trainer::run(std::stop_token stop, TrainingControl* control, const TrainingEvents& events)
{
    const FlushDenormals here;
    Impl& at = *impl_;
    const TrainerOptions& options = at.options;
    const long record_every = std::max(1L, (options.steps + recorded_steps - 1) / recorded_steps);
    TrainingReport report;
    report.stop = StopReason::steps_done;

    Clock::time_point last = Clock::now(), next_live = last, next_progress = last;
    double seconds_per_step = 0;
    const auto count_time = [&] {
        const Clock::time_point now = Clock::now();
        at.seconds += seconds_between(last, now);
        last = now;
        return now;
    };
    const auto after = [](Clock::time_point t, double seconds) { return t + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)); };
    long published = -1;
    const auto publish = [&](std::shared_ptr<const Snapshot> snapshot) {
        published = snapshot->point.step;
        if (events.snapshot) events.snapshot(std::move(snapshot));
    };
    // Parameters or a loss that are not finite end the run: nothing of them is shown or kept.
    const auto usable = [&](double loss) {
        const bool finite = all_finite(std::span(std::as_const(*at.posterior).parameters()));
        if (finite && std::isfinite(loss)) return true;
        report.stop = StopReason::not_finite;
        report.bad_step = finite ? std::min(at.done + 1, options.steps) : at.done;
        report.bad_block = at.bad_block();
        return false;
    };
    const auto publish_now = [&] {
        if (published == at.done) return true;
        const Clock::time_point before = count_time();
        if (!usable(at.loss_now())) return false;
        publish(std::make_shared<Snapshot>(Snapshot{at.frozen(), at.point_now()}));
        const Clock::time_point now = count_time();
        next_live = after(now, std::max(options.snapshot_seconds, seconds_between(before, now) / snapshot_share));
        return true;
    };
    // Recorded with a loss far above the start's: given out when the loss has come back or the run goes on, dropped when it turns out to have diverged.
    std::vector<std::shared_ptr<const Snapshot>> doubtful;
    const auto give_out = [&] {
        for (auto& snapshot : doubtful) {
            at.last_good = snapshot;
            if (events.recorded) events.recorded(std::move(snapshot));
        }
        doubtful.clear();
    };
    const auto record = [&] {
        if (!at.history.empty() && at.history.back().step == at.done) return true;
        count_time();
        const double loss = at.loss_now();
        if (at.done > 0 && !usable(loss)) return false;   // the start is kept as it is: its first step says what is wrong
        if (!at.start_loss) at.start_loss = loss;
        const std::shared_ptr<const Snapshot> snapshot = at.record(stop);
        count_time();
        doubtful.push_back(snapshot);
        const double far = *at.start_loss + far_from_start * std::max(1.0, std::fabs(*at.start_loss));
        if (!(loss > far) || doubtful.size() > most_doubtful) give_out();
        if (published != at.done) publish(snapshot);
        next_live = after(Clock::now(), options.snapshot_seconds);
        return true;
    };
    const auto tell_progress = [&](Clock::time_point now) {
        next_progress = after(now, 0.05);
        if (!events.progress) return;
        TrainingProgress progress{at.done, options.steps, at.epoch(), seconds_per_step > 0 ? 1 / seconds_per_step : 0, {}};
        if (seconds_per_step > 0) {
            progress.seconds_left = static_cast<double>(options.steps - at.done) * seconds_per_step;
            if (options.max_seconds > 0) progress.seconds_left = std::min(*progress.seconds_left, std::max(0.0, options.max_seconds - at.seconds));
        }
        events.progress(progress);
    };

    long   lowest_at = at.done;   // a run that goes on has its patience anew
    double rate_seconds = at.seconds;   // where the rate's window began
    long   rate_steps = at.done;
    record();
    while (at.done < options.steps) {
        if (control && control->paused()) {
            count_time();
            if (!publish_now()) break;
            tell_progress(Clock::now());
            if (!control->wait_for_permission(stop)) { report.stop = StopReason::cancelled; break; }
            last = Clock::now();   // the pause does not count
        }
        if (stop.stop_requested()) { report.stop = StopReason::cancelled; break; }

        const double loss = at.step();
        const Clock::time_point now = count_time();
        if (!std::isfinite(loss)) {
            report.stop = StopReason::not_finite;
            report.bad_step = at.done + 1;
            report.bad_block = at.bad_block();
            break;
        }
        if (at.seconds - rate_seconds > 0.25) {
            const double window = (at.seconds - rate_seconds) / static_cast<double>(at.done - rate_steps);
            seconds_per_step = seconds_per_step > 0 ? 0.7 * seconds_per_step + 0.3 * window : window;
            rate_seconds = at.seconds;
            rate_steps = at.done;
        } else if (seconds_per_step == 0 && at.done - rate_steps >= 10) {
            seconds_per_step = (at.seconds - rate_seconds) / static_cast<double>(at.done - rate_steps);
        }
        if (at.done % record_every == 0) {
            if (!record()) break;
        } else if (now >= next_live && events.snapshot && !publish_now()) break;
        if (now >= next_progress) tell_progress(now);

        if (options.patience > 0 && !at.makes_progress(loss, lowest_at)) { report.stop = StopReason::no_progress; break; }
        if (options.max_seconds > 0 && at.seconds >= options.max_seconds) { report.stop = StopReason::time_limit; break; }
    }
    if (report.stop != StopReason::not_finite && record()) {
        give_out();
        report.message = sentence_of(report.stop);
    } else {
        if (at.last_good && events.snapshot) publish(at.last_good);   // go back to the last good one
        report.message = "The loss or the parameters are no longer finite numbers: it began at step " + std::to_string(report.bad_step) + " in " + report.bad_block +
                         "; the last good state is step " + std::to_string(at.last_good ? at.last_good->point.step : 0) + ".";
    }
    tell_progress(Clock::now());
    report.steps = at.done;
    report.seconds = at.seconds;
    report.last = at.last_good;
    return report;
}

}  // namespace credence
