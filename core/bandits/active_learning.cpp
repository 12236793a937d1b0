// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/active_learning.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "foundation/statistics.h"
#include "foundation/text.h"
#include "prediction/scores.h"
#include "prediction/set_predictions.h"
#include "random/noise.h"
#include "study/method.h"
#include "study/study.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>
#include <numeric>
#include <utility>

namespace credence {
namespace {

constexpr std::size_t most_test_rows    = 2000;
constexpr std::size_t values_at_once    = 1'000'000;   // [S × rows × K] of each of the parallel runs
constexpr int cells_of_query_map        = 60;
constexpr double margin_of_query_map    = 0.15;   // of the range of the data, on each side
constexpr double seconds_between_states = 0.25;

struct AcquisitionWords {
    Acquisition function;
    const char *title, *name;
};
constexpr std::array acquisition_words{AcquisitionWords{Acquisition::bald, "BALD", "bald"},
                                       AcquisitionWords{Acquisition::entropy, "Entropy", "entropy"},
                                       AcquisitionWords{Acquisition::margin, "Margin", "margin"},
                                       AcquisitionWords{Acquisition::variance, "Variance", "variance"},
                                       AcquisitionWords{Acquisition::random, "Random", "random"}};

const AcquisitionWords& words_of(Acquisition function)
{
    return *std::find_if(acquisition_words.begin(), acquisition_words.end(),
                         [function](const AcquisitionWords& words) { return words.function == function; });
}

/// Returns true if the samples of this posterior differ.
bool has_samples(const Experiment& experiment)
{
    const auto& posterior = method_of(experiment.study).posterior;
    return posterior.is_sample_set || posterior.noise != NoiseIn::nothing || experiment.model.dropout_at_prediction;
}

std::optional<std::string> why_unsuitable(Acquisition function, const Experiment& experiment)
{
    const bool classes  = experiment.task() == Task::classification;
    const auto& words   = words_of(function);
    const bool spread   = function == Acquisition::bald || function == Acquisition::variance;
    const bool for_both = function == Acquisition::random;
    if (!for_both && classes == (function == Acquisition::variance))
        return std::string(words.title)
               + (classes ? " needs a numeric target; these data have classes."
                          : " needs classes; these data have a numeric target.");
    if (spread && !has_samples(experiment))
        return std::string(words.title) + " is 0 everywhere for a posterior without samples. Choose another posterior.";
    return {};
}

std::vector<Acquisition> suitable_functions(const ActiveLearningPlan& plan, const Experiment& experiment)
{
    std::vector<Acquisition> out;
    for (const auto& words : acquisition_words)
        if (!why_unsuitable(words.function, experiment))
            out.push_back(words.function);
    if (plan.functions.empty())
        return out;
    for (const Acquisition function : plan.functions)
        if (const auto reason = why_unsuitable(function, experiment))
            throw Error(*reason);
    return plan.functions;
}

void require_count(const char* what, long found, long least)
{
    if (found < least)
        throw Error(std::string("Active learning: ") + what + ": " + std::to_string(found) + ", expected at least "
                    + std::to_string(least) + ".");
}

void check_counts(const ActiveLearningPlan& plan)
{
    require_count("starting labels", plan.starting_labels, 1);
    require_count("labels per round", plan.labels_per_round, 1);
    require_count("rounds", plan.rounds, 1);
    require_count("repetitions", plan.repetitions, 1);
    require_count("samples", plan.samples, 1);
    require_count("rows of the pool", static_cast<long>(plan.pool), 1);
}

Study trained_study(Study study)
{
    study.data.changes.clear();   // the data are those after the last change
    study.training.max_seconds  = 0;
    study.training.patience     = 0;
    study.training.error_images = 20;   // errors during training are not used
    study.training.error_draws  = 1;
    return study;
}

aligned_vector<float> rows_of(const aligned_vector<float>& all, std::size_t width, std::span<const std::uint32_t> rows)
{
    aligned_vector<float> out;
    if (all.empty())
        return out;
    out.reserve(rows.size() * width);
    for (const std::uint32_t row : rows) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(row * width);
        out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
    }
    return out;
}

/// As subset(), also for images, which have no inputs in original units.
Dataset rows_of(const Dataset& all, std::span<const std::uint32_t> rows)
{
    if (!all.inputs.empty())
        return subset(all, rows);
    Dataset part = without_rows(all);
    part.n_rows  = rows.size();
    for (const std::uint32_t row : rows)
        part.labels.push_back(all.labels.at(row));
    return part;
}

/// The data with these training rows only, and without a second test set, which is not used.
std::shared_ptr<SplitData> with_training_rows(const SplitData& all, std::span<const std::uint32_t> rows)
{
    auto out              = std::make_shared<SplitData>();
    out->training         = rows_of(all.training, rows);
    out->training_inputs  = rows_of(all.training_inputs, all.training.n_features, rows);
    out->training_targets = rows_of(all.training_targets, 1, rows);
    out->test             = all.test;
    out->test_inputs      = all.test_inputs;
    out->test_targets     = all.test_targets;
    out->inputs           = all.inputs;
    out->target_mean      = all.target_mean;
    out->target_sd        = all.target_sd;
    out->image            = all.image;
    out->test_name        = all.test_name;
    return out;
}

void keep_few_test_rows(SplitData& data)
{
    std::vector<std::uint32_t> rows;
    for (const std::size_t row : evenly_spaced(data.test.n_rows, most_test_rows))
        rows.push_back(static_cast<std::uint32_t>(row));
    data.test_inputs  = rows_of(data.test_inputs, data.test.n_features, rows);
    data.test_targets = rows_of(data.test_targets, 1, rows);
    data.test         = rows_of(data.test, rows);
}

/// At most `most` training rows at random, ascending.
std::vector<std::uint32_t> rows_of_pool(std::size_t n_rows, std::size_t most, std::uint64_t seed)
{
    auto rows = permutation({seed, Stream::active_learning, 0}, n_rows);
    rows.resize(std::min(most, n_rows));
    std::sort(rows.begin(), rows.end());
    return rows;
}

/// The first labelled rows: a random order of the pool, one row of each class in turn.
std::vector<std::uint32_t> starting_rows(const LabellingResult& result, std::uint64_t seed)
{
    const auto& training = result.experiment->data->training;
    const auto order     = permutation({seed, Stream::active_learning, 1}, training.n_rows);
    const auto wanted    = static_cast<std::size_t>(result.plan.starting_labels);
    const bool classes   = training.task == Task::classification;
    std::vector<std::vector<std::uint32_t>> queues(classes ? training.n_classes() : 1);
    for (const std::uint32_t row : order)
        queues[classes ? static_cast<std::size_t>(training.labels[row]) : 0].push_back(row);
    std::vector<std::uint32_t> out;
    for (std::size_t turn = 0; out.size() < wanted && turn < order.size(); ++turn)
        for (const auto& queue : queues)
            if (turn < queue.size() && out.size() < wanted)
                out.push_back(queue[turn]);
    std::sort(out.begin(), out.end());
    return out;
}

void require_enough_rows(const LabellingResult& result)
{
    const auto& data   = *result.experiment->data;
    const auto& plan   = result.plan;
    const auto wanted  = static_cast<std::size_t>(plan.starting_labels);
    const auto classes = data.training.n_classes();
    if (data.training.n_targets() > 1)
        throw Error("data.target", "Active learning needs one target, these data have "
                                       + std::to_string(data.training.n_targets()) + ". Choose one column.");
    if (data.test.n_rows == 0)
        throw Error("split.test_fraction", "Active learning needs test rows for its scores; these data have none.");
    if (wanted < classes)
        throw Error("Active learning: starting labels: " + std::to_string(wanted) + ", expected at least "
                    + std::to_string(classes) + ", one for each class.");
    if (wanted >= result.pool.size())
        throw Error("Active learning: the pool has " + std::to_string(result.pool.size())
                    + " rows, expected more than the " + std::to_string(wanted) + " starting labels.");
}

/// The values of rows under one trained network.
class Scorer {
public:
    Scorer(const LabellingResult& result, const Experiment& trained, std::shared_ptr<const Posterior> posterior,
           std::stop_token stop)
        : data_(*result.experiment->data), likelihood_(trained.model.likelihood),
          predictive_(trained.model, std::move(posterior), result.plan.samples, trained.study.seed),
          stop_(std::move(stop))
    {}

    /// Fills score and nll. @return  false: stopped
    bool score(LabellingRound& round) const
    {
        if (data_.training.task == Task::classification) {
            const auto predictions = classes(data_.test_inputs);
            if (!predictions)
                return false;
            const auto scores = classification_scores(*predictions, data_.test.labels);
            round.score       = scores.accuracy;
            round.nll         = scores.nll;
            return true;
        }
        const auto samples = functions(data_.test_inputs);
        if (!samples)
            return false;
        const auto scores = regression_scores(*samples, data_.test.targets);
        round.score       = scores.rmse;
        round.nll         = scores.nll;
        return true;
    }

    /// The values of an acquisition function that uses the predictions. Empty: stopped.
    std::optional<std::vector<double>> values(Acquisition function, std::span<const float> inputs) const
    {
        if (function == Acquisition::variance) {
            const auto samples = functions(inputs);
            return samples ? std::optional(variance_values(*samples)) : std::nullopt;
        }
        const auto predictions = classes(inputs);
        return predictions ? std::optional(acquisition_values(function, *predictions)) : std::nullopt;
    }

private:
    std::optional<ClassPredictions> classes(std::span<const float> inputs) const
    {
        auto set = set_predictions(predictive_, inputs, n_features(), {}, stop_, values_at_once);
        return set ? std::optional(std::move(set->classes)) : std::nullopt;
    }
    std::optional<RegressionSamples> functions(std::span<const float> inputs) const
    {
        const auto n       = static_cast<int>(inputs.size()) / n_features();
        const auto outputs = predictive_.sample_outputs(inputs, n, stop_);
        if (stop_.stop_requested())
            return {};
        return regression_samples(view_of(outputs), likelihood_, data_.target_mean, data_.target_sd);
    }
    int n_features() const { return static_cast<int>(data_.training.n_features); }

    const SplitData& data_;
    const Likelihood& likelihood_;
    PosteriorPredictive predictive_;
    std::stop_token stop_;
};

/// The function whose values the map shows: random choice has none of its own.
Acquisition mapped_function(Acquisition function, Task task)
{
    if (function != Acquisition::random)
        return function;
    return task == Task::classification ? Acquisition::entropy : Acquisition::variance;
}

/// The acquisition values of rows of the pool. Empty: stopped.
std::optional<std::vector<double>> values_of_rows(const LabellingResult& result, const LabellingRun& run,
                                                  const Scorer& scorer, std::span<const std::uint32_t> rows)
{
    if (run.function != Acquisition::random) {
        const auto& data = *result.experiment->data;
        return scorer.values(run.function, rows_of(data.training_inputs, data.training.n_features, rows));
    }
    const NoiseKey key{run.seed, Stream::active_learning, static_cast<std::uint32_t>(2 + run.rounds.size())};
    std::vector<double> out(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        uniforms(key, rows[i], std::span(&out[i], 1));
    return out;
}

/// Trains on the labelled rows, and finds the next ones. Empty: stopped.
/// @param labelled  ascending
std::optional<LabellingRound> next_round(const LabellingResult& result, const LabellingRun& run,
                                         std::span<const std::uint32_t> labelled, bool with_map,
                                         const std::stop_token& stop)
{
    Study study        = result.experiment->study;
    study.seed         = run.seed;
    const auto& data   = *result.experiment->data;
    const auto trained = experiment_on(study, with_training_rows(data, labelled));
    const auto report  = train(*trained, stop).report;
    if (stop.stop_requested())
        return {};
    if (report.stop == StopReason::not_finite || !report.last)
        throw Error("Active learning: the training on " + std::to_string(labelled.size())
                    + " labelled rows failed (seed " + std::to_string(run.seed) + "). " + report.message);

    const Scorer scorer(result, *trained, report.last->posterior, stop);
    LabellingRound round{.labels = labelled.size()};
    if (!scorer.score(round))
        return {};
    std::vector<std::uint32_t> pool(data.training.n_rows), unlabelled;
    std::iota(pool.begin(), pool.end(), 0U);
    std::set_difference(pool.begin(), pool.end(), labelled.begin(), labelled.end(), std::back_inserter(unlabelled));
    if (!unlabelled.empty()) {
        const auto values = values_of_rows(result, run, scorer, unlabelled);
        if (!values)
            return {};
        for (const std::uint32_t i : largest(*values, static_cast<std::size_t>(result.plan.labels_per_round))) {
            round.queried.push_back(unlabelled[i]);
            round.values.push_back((*values)[i]);
        }
    }
    if (with_map && result.grid) {
        const auto inputs = data.inputs.standardised(result.grid->inputs());
        const auto values = scorer.values(mapped_function(run.function, result.task()), inputs);
        if (!values)
            return {};
        round.map.assign(values->begin(), values->end());
    }
    return round;
}

/// Collects the rounds of all runs, and forwards the events, one at a time.
class LabellingListener {
public:
    LabellingListener(LabellingResult& result, const LabellingEvents& events)
        : result_(result), events_(events), all_(static_cast<double>(result.runs.size()) * (result.plan.rounds + 1))
    {}

    void add(std::size_t run, LabellingRound round)
    {
        const std::scoped_lock lock(mutex_);
        result_.runs[run].rounds.push_back(std::move(round));
        ++done_;
        if (events_.progress)
            events_.progress(done_ / all_);
        if (events_.shown && since_.seconds() >= seconds_between_states) {
            events_.shown(result_);
            since_ = {};
        }
    }
    /// The pool of one run is exhausted: counts its remaining rounds as done.
    void leave_out(int rounds)
    {
        const std::scoped_lock lock(mutex_);
        done_ += rounds;
    }

private:
    LabellingResult& result_;
    const LabellingEvents& events_;
    const double all_;
    double done_ = 0;
    std::mutex mutex_;
    Stopwatch since_;
};

}   // namespace

std::string title_of(Acquisition function) { return words_of(function).title; }
std::string name_of(Acquisition function) { return words_of(function).name; }

Acquisition acquisition_named(const std::string& name)
{
    for (const auto& words : acquisition_words)
        if (name == words.name)
            return words.function;
    throw Error("Acquisition function is \"" + name + "\", expected one of "
                + joined(acquisition_words, [](const auto& words) { return words.name; }) + ".");
}

std::vector<double> acquisition_values(Acquisition function, const ClassPredictions& predictions)
{
    switch (function) {
    case Acquisition::bald: return predictions.mutual_information;
    case Acquisition::entropy: return predictions.entropy;
    case Acquisition::margin: {
        std::vector<double> out;
        for (int i = 0; i < predictions.n_inputs; ++i) {
            const auto mean = predictions.mean_of(i);
            double first = 0, second = 0;
            for (const double p : mean) {
                second = std::max(second, std::min(first, p));
                first  = std::max(first, p);
            }
            out.push_back(1 - (first - second));
        }
        return out;
    }
    case Acquisition::variance:
    case Acquisition::random: break;
    }
    throw Error("Acquisition function " + name_of(function) + " does not use class probabilities.");
}

std::vector<double> variance_values(const RegressionSamples& samples)
{
    const auto mean = mean_function(samples);
    std::vector<double> out(mean.size());
    for (int s = 0; s < samples.n_samples; ++s) {
        const auto f = samples.f_of(s);
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] += (f[i] - mean[i]) * (f[i] - mean[i]) / samples.n_samples;
    }
    return out;
}

std::vector<std::uint32_t> largest(std::span<const double> values, std::size_t k)
{
    require_no_nan("Acquisition value", values);
    std::vector<std::uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0U);
    k = std::min(k, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), order.end(),
                      [values](std::uint32_t a, std::uint32_t b) {
        return values[a] != values[b] ? values[a] > values[b] : a < b;
    });
    order.resize(k);
    return order;
}

const LabellingRun& LabellingResult::first_run(Acquisition function) const
{
    const auto found = std::find_if(runs.begin(), runs.end(),
                                    [function](const LabellingRun& run) { return run.function == function; });
    if (found == runs.end())
        throw Error("Active learning: the plan does not have the acquisition function " + name_of(function) + ".");
    return *found;
}

std::optional<LabellingResult> run_active_learning(const ActiveLearningPlan& plan, std::stop_token stop,
                                                   const LabellingEvents& events)
{
    check_counts(plan);
    auto prepared = prepare(plan.study, stop);
    if (!prepared)
        return {};
    LabellingResult result{.plan = plan};
    result.pool     = rows_of_pool(prepared->data->training.n_rows, plan.pool, plan.study.seed);
    const auto data = with_training_rows(*prepared->data, result.pool);
    prepared.reset();   // all images can be large
    keep_few_test_rows(*data);
    result.experiment     = experiment_on(trained_study(plan.study), data);
    result.plan.functions = suitable_functions(plan, *result.experiment);
    require_enough_rows(result);
    const auto& training = data->training;
    if (training.n_features == 2 && !training.inputs.empty()) {
        std::array<std::vector<double>, 2> columns;
        for (std::size_t i = 0; i < training.inputs.size(); ++i)
            columns[i % 2].push_back(training.inputs[i]);
        result.grid = MapGrid::over(widened_range(columns[0], margin_of_query_map),
                                    widened_range(columns[1], margin_of_query_map), cells_of_query_map);
    }
    for (int repetition = 0; repetition < plan.repetitions; ++repetition) {
        const std::uint64_t seed = plan.study.seed + static_cast<std::uint64_t>(repetition);
        const auto start         = starting_rows(result, seed);
        for (const Acquisition function : result.plan.functions)
            result.runs.push_back({.function = function, .seed = seed, .start = start});
    }

    const LabellingResult fixed = result;   // read by all threads, while `result` grows
    LabellingListener listener(result, events);
    const std::size_t first_runs = result.plan.functions.size();
    parallel_for(fixed.runs.size(), [&](std::size_t r) {
        LabellingRun run = fixed.runs[r];
        auto labelled    = run.start;
        for (int round = 0; round <= plan.rounds; ++round) {
            if (stop.stop_requested())
                return;
            auto made = next_round(fixed, run, labelled, r < first_runs, stop);
            if (!made)
                return;
            run.rounds.push_back(*made);
            labelled.insert(labelled.end(), made->queried.begin(), made->queried.end());
            std::sort(labelled.begin(), labelled.end());
            const bool last = made->queried.empty();
            if (last)
                listener.leave_out(plan.rounds - round);
            listener.add(r, std::move(*made));
            if (last)
                return;
        }
    });
    if (stop.stop_requested())
        return {};
    return result;
}

}   // namespace credence
