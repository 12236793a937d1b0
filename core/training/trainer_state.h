// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"
#include "foundation/statistics.h"
#include "training/checkpoint.h"
#include "training/loss_watch.h"
#include "training/step_rules.h"
#include "training/trainer.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

// The state of a training between two steps, and a single step. Used by trainer.cpp only.
namespace credence {

struct Trainer::Impl {
    struct Run;   // one call of Trainer::run, in trainer.cpp

    Model model;
    Prior prior;
    std::shared_ptr<const SplitData> data;   // null: rows set by set_rows
    std::vector<RowsFrom> later;             // later replacements of the rows; number of those applied:
    std::size_t changes = 0;
    GrowingRows rows;
    std::unique_ptr<VariationalFamily<float>> posterior;
    TrainerOptions options;
    Evaluator evaluator;
    TrainerHooks hooks;

    int minibatch_rows = 0;   // in the last step's minibatch
    int batch_size;
    EpochCount epochs;   // the last minibatch of an epoch may be smaller. For set_rows: a nominal epoch
    Network<float> network;
    Network<float>::Workspace workspace;
    Draw<float> draw;
    aligned_vector<float> inputs, targets, output_gradient, loss_gradient;
    aligned_vector<float> summed_gradient;   // several samples per step: sum over all but the last
    std::vector<int> labels;
    std::vector<std::uint32_t> order;   // for set_rows: the words that choose a minibatch
    std::unique_ptr<Updater<float>> updater;
    std::vector<double> block_l2;   // for one sample of a step; empty: options.l2 for all
    PriorLearning prior_learning;

    long done        = 0;
    double kl_factor = 0;   // the KL's weight in the last step
    double loss_sum  = 0;   // since the last recorded point
    long loss_count  = 0;
    LossWatch losses;
    std::optional<NotFinite> failed;   // in a step of `advance`
    long records   = 0;                // recorded steps so far
    double seconds = 0;                // of training, pauses excluded
    TrainingHistory history;
    std::shared_ptr<const Snapshot> last_good;

    Impl(Model m, Prior p, std::shared_ptr<const SplitData> d, std::unique_ptr<VariationalFamily<float>> start,
         TrainerOptions o, std::vector<RowsFrom> rows_later)
        : model(std::move(m)), prior(std::move(p)), data(std::move(d)), later(std::move(rows_later)),
          posterior(std::move(start)), options(o),
          batch_size(static_cast<int>(std::min<std::size_t>(std::max(1, o.batch_size), most_rows()))),
          epochs{batches_of(most_rows(), batch_size)}, network(model.architecture),
          workspace(network, largest_batch(batch_size, options, later)), draw(posterior->make_draw()),
          inputs(static_cast<std::size_t>(workspace.max_batch()) * n_features()),
          targets(static_cast<std::size_t>(workspace.max_batch()) * n_targets()),
          output_gradient(static_cast<std::size_t>(workspace.max_batch()) * model.architecture.outputs()),
          loss_gradient(network.layout().size()),
          summed_gradient(options.samples_per_step > 1 ? posterior->parameters().size() : 0),
          labels(workspace.max_batch()), order(data ? data->training.n_rows : batch_size),
          updater(updater_of(options, *posterior, most_rows(), batch_size, loss_gradient)),
          block_l2(weight_decay_of_blocks(options, posterior->layout())),
          prior_learning(*posterior, prior, options.complexity)
    {
        assert(network.layout() == posterior->layout());
    }

    /// Rows of the training set; for set_rows those of a minibatch, as long as the number of rows
    /// is unknown.
    std::size_t most_rows() const { return data ? data->training.n_rows : std::max(1, options.batch_size); }
    std::size_t n_features() const { return data ? data->training.n_features : model.architecture.inputs; }
    std::size_t n_targets() const { return static_cast<std::size_t>(model.likelihood->n_targets()); }

    double epoch() const { return epochs.at(done); }

    bool change_rows()   // applies the changes that are due; returns true if there were any
    {
        const std::size_t before = changes;
        for (; changes < later.size() && later[changes].step <= done; ++changes) {
            data = later[changes].data;
            if (later[changes].evaluator)
                evaluator = later[changes].evaluator;
            order.resize(data->training.n_rows);
            batch_size = batch_of(options, *data);
            epochs.change(later[changes].step, batches_of(order.size(), batch_size));
            updater->set_examples(static_cast<double>(order.size()));
        }
        return changes > before;
    }

    void set_rows(const GrowingRows& new_rows)
    {
        assert(!data && !new_rows.targets.empty() && new_rows.inputs.size() == new_rows.targets.size() * n_features());
        rows               = new_rows;
        epochs.minibatches = batches_of(rows.targets.size(), batch_size);
        updater->set_examples(static_cast<double>(rows.targets.size()));
    }

    /// Copies a minibatch of the rows set by set_rows, drawn with replacement, into inputs and
    /// targets; returns its size.
    int gather_from_rows()
    {
        const std::size_t all = rows.targets.size(), n = std::min<std::size_t>(batch_size, all), d = n_features();
        assert(all > 0);
        random_bits({options.seed, Stream::minibatches, static_cast<std::uint32_t>(done)}, 0,
                    std::span(order).first(n));
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t row = (std::uint64_t{order[i]} * all) >> 32;
            std::copy_n(rows.inputs.data() + row * d, d, inputs.data() + i * d);
            targets[i] = rows.targets[row];
        }
        return static_cast<int>(n);
    }

    /// Copies the minibatch of step `done` into inputs, labels, targets; returns its size.
    int gather_minibatch()
    {
        if (!data)
            return gather_from_rows();
        const auto first = static_cast<std::size_t>(epochs.minibatch(done)) * batch_size;
        if (first == 0)
            permutation({options.seed, Stream::minibatches, epochs.permutation(done)}, order);
        const std::size_t n = std::min<std::size_t>(batch_size, order.size() - first), d = n_features(),
                          T = n_targets();
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t row = order[first + i];
            std::copy_n(data->training_inputs.data() + row * d, d, inputs.data() + i * d);
            if (data->training.task == Task::classification)
                labels[i] = data->training.labels[row];
            else
                std::copy_n(data->training_targets.data() + row * T, T, targets.data() + i * T);
        }
        return static_cast<int>(n);
    }

    /// The divisor of the cost of a step on m rows: m, which gives the mean. If the minibatches of
    /// an epoch share the KL, it is the size of a full minibatch even for the smaller last one. The
    /// costs of an epoch then add up to that of all rows, each counted once (Blundell et al. 2015,
    /// (8) and (9)).
    int divisor_of_step(int m) const
    {
        return data && options.kl_weighting != KlWeighting::constant && posterior->has_weight_noise() ? batch_size : m;
    }

    double kl_weight_of_step(int divisor) const
    {
        if (options.kl_weighting == KlWeighting::constant)
            return options.kl_weight;
        if (!data)
            return options.kl_weight / static_cast<double>(rows.targets.size());
        return options.kl_weight
               * minibatch_weight(options.kl_weighting, epochs.minibatch(done) + 1, epochs.minibatches) / divisor;
    }

    Targets minibatch_targets() const
    {
        const auto m = static_cast<std::size_t>(minibatch_rows);
        return {{labels.data(), m}, {targets.data(), m * n_targets()}};
    }
    std::span<float> gradient_of_outputs()
    {
        return {output_gradient.data(), static_cast<std::size_t>(minibatch_rows) * model.architecture.outputs()};
    }

    double step()
    {
        if (change_rows())
            losses.rows_changed();
        const int m = minibatch_rows = gather_minibatch();
        const int samples            = std::max(1, options.samples_per_step);
        const int divisor            = divisor_of_step(m);
        kl_factor                    = kl_weight_of_step(divisor);
        const Complexity complexity{&prior,
                                    options.complexity,
                                    kl_factor / samples,
                                    options.kl_gradient_limit,
                                    options.kappa,
                                    options.l2 / samples,
                                    block_l2};
        const int k               = model.architecture.outputs();
        const std::span<float> dz = gradient_of_outputs();
        updater->begin_step(learning_rate(options.schedule, done, options.steps));
        prior_learning.update(prior, *posterior);
        double loss = 0;
        for (int s = 0; s < samples; ++s) {
            const auto index = static_cast<std::uint32_t>(done * samples + s);
            posterior->draw({options.seed, Stream::weight_noise, index}, draw);
            const DropoutNoise masks{{options.seed, Stream::dropout, index}, 0};
            const auto outputs = network.forward(draw.weights, inputs.data(), m, workspace, masks);
            loss += negative_log_likelihood<float>(model.likelihood, outputs, m, k, minibatch_targets(), dz,
                                                   1.0f / static_cast<float>(divisor * samples))
                    / (m * samples);
            if (!std::isfinite(loss))
                return loss;   // parameters stay unchanged
            network.backward(draw.weights, dz, workspace, loss_gradient);
            if (kl_factor != 0)
                prior_learning.add(prior, *posterior, draw, samples);
            const bool first = s == 0, last = s == samples - 1;
            const auto add_gradient = [&](std::size_t begin, std::span<const float> gradient) {
                if (first && last) {
                    updater->apply(begin, gradient, posterior->parameters());
                    return;
                }
                float* sum = summed_gradient.data() + begin;
                if (first)
                    std::copy(gradient.begin(), gradient.end(), sum);
                else
                    for (std::size_t i = 0; i < gradient.size(); ++i)
                        sum[i] += gradient[i];
                if (last)
                    updater->apply(begin, {sum, gradient.size()}, posterior->parameters());
            };
            posterior->pullback(draw, loss_gradient, complexity, {add_gradient, updater->state()});
        }
        if (kl_factor != 0)
            prior_learning.apply(*updater, *posterior);
        posterior->apply_guards({options.seed, Stream::guards, static_cast<std::uint32_t>(done)});
        ++done;
        loss_sum += loss;
        ++loss_count;
        if (hooks.after_step)
            hooks.after_step(done, *posterior);
        return loss;
    }

    /// Restores minibatch and noise of the last step, on which the losses are evaluated.
    void repeat_noise_of_last_step()
    {
        if (done == 0)
            return;
        --done;
        change_rows();   // to the rows of the last step
        permutation({options.seed, Stream::minibatches, epochs.permutation(done)}, order);
        minibatch_rows = gather_minibatch();
        ++done;
        posterior->draw({options.seed, Stream::weight_noise,
                         static_cast<std::uint32_t>(done * std::max(1, options.samples_per_step) - 1)},
                        draw);
    }

    void serialise(StateBytes& state)
    {
        assert(data);
        constexpr long most = std::numeric_limits<long>::max();
        state.section("trainer");
        state.values(posterior->parameters());
        updater->serialise(state);
        state.within(done, 0, options.steps);
        state.value(kl_factor);
        state.value(loss_sum);
        state.within(loss_count, 0, most);
        losses.serialise(state);
        bool has_failed = failed.has_value();
        state.value(has_failed);
        if (has_failed) {
            if (state.reading())
                failed.emplace();
            state.within(failed->step, 0, most);
            state.value(failed->block);
        }
        state.within(records, 0, most);
        state.value(seconds);
        credence::serialise(state, history);
        credence::serialise(state, last_good, *posterior);
        if (state.reading())
            repeat_noise_of_last_step();
    }

    /// Returns the loss of the current parameters on the minibatch and with the noise of the last
    /// step; before any step, those of the first. Finite parameters can overflow in the network, so
    /// only a forward pass shows whether they can predict.
    double loss_now()
    {
        std::uint32_t index = 0;
        if (done == 0) {
            minibatch_rows = gather_minibatch();
            posterior->draw({options.seed, Stream::weight_noise, 0}, draw);
        } else {
            index = static_cast<std::uint32_t>(done * std::max(1, options.samples_per_step) - 1);
            posterior->transform(draw);
        }
        const int m = minibatch_rows, k = model.architecture.outputs();
        const auto outputs = network.forward(draw.weights, inputs.data(), m, workspace,
                                             DropoutNoise{{options.seed, Stream::dropout, index}, 0});
        return negative_log_likelihood<float>(model.likelihood, outputs, m, k, minibatch_targets(),
                                              gradient_of_outputs(), 1.0f / static_cast<float>(m))
               / m;
    }

    /// Returns the step and block in which the current parameters or their loss became NaN or
    /// infinite; empty: all are finite.
    std::optional<NotFinite> not_finite(double loss) const
    {
        const bool finite = all_finite(std::span(std::as_const(*posterior).parameters()));
        if (finite && std::isfinite(loss))
            return {};
        return NotFinite{finite ? std::min(done + 1, options.steps) : done, bad_block()};
    }
    /// The same for a step whose loss was not finite and which left the parameters unchanged.
    NotFinite failed_step() const { return {done + 1, bad_block()}; }

    TrainingPoint point_now() const
    {
        TrainingPoint point{.step           = done,
                            .epoch          = epoch(),
                            .seconds        = seconds,
                            .learning_rate  = learning_rate(options.schedule, std::max(0L, done - 1), options.steps),
                            .data_loss      = {},
                            .kl             = {},
                            .kl_weight      = kl_factor,
                            .training_error = {},
                            .test_error     = {},
                            .layers         = {}};
        if (loss_count > 0)
            point.data_loss = loss_sum / static_cast<double>(loss_count);
        return point;
    }

    std::shared_ptr<const Posterior> frozen() const
    {
        const auto shown = hooks.shown ? hooks.shown(*posterior) : nullptr;
        return shown ? shown : posterior->clone();
    }

    /// Includes the KL; restarts the mean loss.
    TrainingPoint finish_point()
    {
        TrainingPoint point = point_now();
        prior_learning.update(prior, *posterior);
        if (prior_learning.on())
            point.prior = learned_values(prior);
        if (options.complexity == Complexity::Kind::closed)
            point.kl = posterior->kl(prior);
        else if (done > 0) {
            posterior->transform(draw);   // the last noise with the current parameters
            point.kl = posterior->sampled_complexity(draw, prior);
        }
        loss_sum   = 0;
        loss_count = 0;
        return point;
    }

    /// The full record of this step: KL, errors, τ and ρ.
    /// @param is_end  no further record follows: if `stop` is requested, it has no errors
    /// @return  null: `stop` was requested before the errors were known, and nothing has changed, so that a
    /// resumed run can make this record
    std::shared_ptr<const Snapshot> record(const std::stop_token& stop, bool is_end)
    {
        auto snapshot    = std::make_shared<Snapshot>(Snapshot{frozen(), {}});
        const bool asked = evaluator && (records % std::max(1, options.errors_every) == 0 || done == options.steps);
        TrainingErrors errors;
        if (asked && !stop.stop_requested())
            errors = evaluator(snapshot->posterior, stop);
        if (asked && stop.stop_requested() && !is_end)
            return nullptr;
        ++records;
        TrainingPoint& point = snapshot->point;
        point                = finish_point();
        point.layers         = snapshot->posterior->describe();
        point.training_error = errors.training;
        point.test_error     = errors.test;
        history.push_back(point);
        return snapshot;
    }

    /// Returns the origin of a loss that is not finite: the first block with a parameter that is
    /// not finite, otherwise the first layer with such an output.
    std::string bad_block() const
    {
        const ParameterLayout& layout = network.layout();
        for (const Block& block : layout.blocks)
            if (!all_finite(std::span<const float>(draw.weights.data() + block.begin, block.size)))
                return block.name;
        const std::optional<int> layer = network.first_layer_not_finite(workspace);
        if (layer)
            for (const Block& block : layout.blocks)
                if (block.layer == *layer)
                    return block.name;
        return "the loss itself";
    }
};

}   // namespace credence
