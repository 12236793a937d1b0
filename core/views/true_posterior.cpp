// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/true_posterior.h"

#include "foundation/parallel.h"
#include "foundation/statistics.h"
#include "views/view_support.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace credence::view_support {

namespace {

/// Means over all draws, as a single part. @return  empty: stopped
std::optional<std::vector<ClassPredictions>>
predictions_of(const PosteriorPredictive& predictive, std::span<const float> inputs, int d, const std::stop_token& stop)
{
    std::vector<ClassPredictions> out{{.n_classes = predictive.n_outputs()}};
    if (!predictive.stream_outputs(inputs, d, stop, [&](const OutputSamples& block, std::size_t) {
            append(out.front(), class_predictions(view_of(block)));
        }))
        return {};
    return out;
}

/// Which half of the chains each draw of a predictive belongs to.
struct Halves {
    std::vector<std::size_t> of_draw;   ///< 1 or 2; 0: neither
    std::array<int, 3> n_draws{};       ///< of both halves together, of the first, of the second
};

/// Means over both halves together, over the first and over the second. The entropy of each draw is
/// computed once. @return  empty: stopped
std::optional<std::vector<ClassPredictions>> predictions_of(const PosteriorPredictive& predictive,
                                                            std::span<const float> inputs, int d, const Halves& halves,
                                                            const std::stop_token& stop)
{
    constexpr std::size_t rows_of_task = 64;
    std::vector<ClassPredictions> out(3, {.n_classes = predictive.n_outputs()});
    const bool whole = predictive.stream_outputs(inputs, d, stop, [&](const OutputSamples& block, std::size_t first) {
        require_finite(view_of(block), first);
        const auto n = static_cast<std::size_t>(block.n_inputs), K = static_cast<std::size_t>(block.n_outputs);
        std::vector<PredictiveSummary> parts(
            3, {block.n_inputs, block.n_outputs, std::vector<double>(n * K), std::vector<double>(n)});
        parallel_chunks(n, rows_of_task, [&](std::size_t begin, std::size_t end) {
            std::vector<double> p(K);
            for (std::size_t s = 0; s < halves.of_draw.size(); ++s)
                for (std::size_t i = begin; i < end && halves.of_draw[s] > 0; ++i) {
                    std::copy_n(block.values.data() + (s * n + i) * K, K, p.data());
                    const double h = entropy(p);
                    for (auto* const part : {&parts[0], &parts[halves.of_draw[s]]}) {
                        for (std::size_t k = 0; k < K; ++k)
                            part->mean[i * K + k] += p[k];
                        part->expected_entropy[i] += h;
                    }
                }
        });
        for (std::size_t p = 0; p < parts.size(); ++p) {
            for (auto* const sums : {&parts[p].mean, &parts[p].expected_entropy})
                for (double& value : *sums)
                    value /= halves.n_draws[p];
            append(out[p], class_predictions(parts[p]));
        }
    });
    if (!whole)
        return {};
    return out;
}

/// The draws begin … begin + n − 1 of each quantity: [n_quantities × n].
QuantityDraws part_of(const QuantityDraws& all, std::size_t begin, std::size_t n)
{
    QuantityDraws out{.n_inputs = all.n_inputs, .per_input = all.per_input, .n_draws = n, .values = {}};
    for (std::size_t q = 0; q < all.n_quantities(); ++q) {
        const auto some = all.of(q).subspan(begin, n);
        out.values.insert(out.values.end(), some.begin(), some.end());
    }
    return out;
}

struct Asked {
    std::vector<float> rows, places;   // standardised; places can be empty
};

Asked asked_of(const Experiment& experiment, const ViewOptions& options)
{
    const auto set      = scored_set(experiment);
    const std::size_t d = experiment.data->training.n_features, all = set.data->n_rows;
    std::size_t n = options.rows > 0 ? std::min(all, static_cast<std::size_t>(options.rows)) : all;
    if (experiment.task() == Task::regression)
        n = std::min<std::size_t>(n, 200);   // their draws are stored
    Asked asked;
    for (const std::size_t i : evenly_spaced(all, n)) {
        const auto row = set.inputs.subspan(i * d, d);
        asked.rows.insert(asked.rows.end(), row.begin(), row.end());
    }
    if (d <= 2)
        asked.places = places_of(experiment, options).inputs;
    return asked;
}

template <class PredictAt>
std::optional<std::vector<RunPredictions>> predictions_at_both(const Asked& asked, std::size_t n_parts,
                                                               const PredictAt& predict)
{
    std::vector<RunPredictions> out(n_parts);
    const auto rows = predict(asked.rows);
    if (!rows)
        return {};
    for (std::size_t p = 0; p < n_parts; ++p)
        out[p].rows = (*rows)[p];
    if (asked.places.empty())
        return out;
    const auto places = predict(asked.places);
    if (!places)
        return {};
    for (std::size_t p = 0; p < n_parts; ++p)
        out[p].places = (*places)[p];
    return out;
}

std::optional<std::vector<PredictionsAt>> of_classes(std::optional<std::vector<ClassPredictions>> predictions)
{
    if (!predictions)
        return {};
    std::vector<PredictionsAt> out;
    for (auto& part : *predictions)
        out.push_back({.classes = std::move(part)});
    return out;
}

MeanProbabilities means_of(const ClassPredictions& predictions)
{
    return {predictions.mean, static_cast<std::size_t>(predictions.n_classes), predictions.mutual_information};
}

double sd_of(std::span<const double> draws)
{
    double sum = 0, squares = 0;
    for (const double x : draws)
        sum += x;
    const double n = static_cast<double>(draws.size()), mean = sum / n;
    for (const double x : draws)
        squares += (x - mean) * (x - mean);
    return std::sqrt(squares / n);
}

constexpr std::array true_methods{"nuts", "hmc"};   // the better one first

}   // namespace

ProbePoints places_of(const Experiment& experiment, const ViewOptions& options)
{
    constexpr int cells_of_means = 50, cells_of_draws = 24;
    const int cells = experiment.task() == Task::classification ? cells_of_means : cells_of_draws;
    return probe_points(experiment, options, {.cells = cells, .most = static_cast<std::size_t>(cells * cells)});
}

std::optional<RunPredictions> run_predictions(const RunSnapshot& run, const ViewOptions& options,
                                              const std::stop_token& stop)
{
    constexpr int fewest = 1000;
    auto wanted          = options;
    if (wanted.samples <= 0)
        wanted.samples = std::max(fewest, run.experiment->study.prediction.samples);
    const auto* set       = sample_set_of(*run.snapshot->posterior);
    const auto predictive = set ? predictive_of_set(run, *set) : unrecalibrated_predictive_of(run, wanted);
    const auto asked      = asked_of(*run.experiment, options);
    const int d           = static_cast<int>(run.experiment->data->training.n_features);
    const bool classes    = run.experiment->task() == Task::classification;
    auto result           = predictions_at_both(
                  asked, 1, [&](const std::vector<float>& inputs) -> std::optional<std::vector<PredictionsAt>> {
            if (classes)
                return of_classes(predictions_of(predictive, inputs, d, stop));
            auto draws = draws_at(run, predictive, inputs, 1, {}, stop);
            if (!draws)
                return {};
            return std::vector<PredictionsAt>{{.functions = std::move(*draws)}};
        });
    if (!result)
        return {};
    result->front().n_draws = predictive.n_samples();
    return std::move(result->front());
}

std::optional<PredictionsByHalves> predictions_of_chains(const RunSnapshot& run, const ChainSnapshot& chains,
                                                         const ViewOptions& options, const std::stop_token& stop)
{
    const std::size_t M = chains.order.n_chains(), S = chains.order.size(), n = chains.order.n_draws();
    const std::size_t half = M > 1 ? M / 2 * n : n / 2;
    Halves halves{.of_draw = std::vector<std::size_t>(chains.places.size())};
    for (std::size_t s = 0; s < chains.places.size(); ++s)
        if (chains.places[s] != nowhere) {
            halves.of_draw[s] = chains.places[s] < half ? 1 : 2;
            ++halves.n_draws[0];
            ++halves.n_draws[halves.of_draw[s]];
        }
    const auto asked   = asked_of(*run.experiment, options);
    const int d        = static_cast<int>(run.experiment->data->training.n_features);
    const bool classes = run.experiment->task() == Task::classification;
    auto result        = predictions_at_both(
               asked, 3, [&](const std::vector<float>& inputs) -> std::optional<std::vector<PredictionsAt>> {
            if (classes)
                return of_classes(predictions_of(chains.predictive, inputs, d, halves, stop));
            auto draws = draws_at(run, chains.predictive, inputs, 1, chains.places, stop);
            if (!draws)
                return {};
            std::vector<PredictionsAt> out(3);
            out[1].functions = part_of(*draws, 0, half);
            out[2].functions = part_of(*draws, half, S - half);
            out[0].functions = std::move(*draws);
            return out;
        });
    if (!result)
        return {};
    for (std::size_t p = 0; p < result->size(); ++p)
        (*result)[p].n_draws = halves.n_draws[p];
    return PredictionsByHalves{std::move((*result)[0]), std::move((*result)[1]), std::move((*result)[2])};
}

std::vector<Column> distance_columns(const Experiment& experiment, const std::string& where)
{
    if (experiment.task() == Task::classification)
        return {{"Agreement, " + where}, {"Total variation, " + where}, {"Epistemic difference, " + where, "nats"}};
    const std::string unit = target_unit(experiment.data->training.target_name);
    return {{"1-Wasserstein distance of f, " + where, unit}, {"Difference of the sd of f, " + where, unit}};
}

std::vector<double> distances(const PredictionsAt& one, const PredictionsAt& reference, Task task)
{
    if (task == Task::classification) {
        const auto found = predictive_distance(means_of(one.classes), means_of(reference.classes));
        return {found.agreement, found.total_variation, found.mutual_information_gap.value()};
    }
    const std::size_t n = reference.functions.n_quantities();
    double wider        = 0;
    for (std::size_t q = 0; q < n; ++q)
        wider += (sd_of(one.functions.of(q)) - sd_of(reference.functions.of(q))) / static_cast<double>(n);
    return {mean_wasserstein_1(one.functions.values, reference.functions.values, n), wider};
}

std::vector<double> distance_each(const PredictionsAt& one, const PredictionsAt& reference, Task task)
{
    if (task == Task::classification)
        return total_variation_each(means_of(one.classes), means_of(reference.classes));
    return wasserstein_1_each(one.functions.values, reference.functions.values, reference.functions.n_quantities());
}

bool same_data(const Experiment& a, const Experiment& b)
{
    const auto same_rows = [](const Dataset& p, const Dataset& q) {
        return p.task == q.task && p.n_rows == q.n_rows && p.n_features == q.n_features && p.labels == q.labels
               && p.targets == q.targets && p.inputs == q.inputs && p.n_classes() == q.n_classes();
    };
    if (a.data->image || b.data->image)   // no inputs in original units are stored
        return a.study.data == b.study.data && same_rows(a.data->training, b.data->training)
               && same_rows(a.data->test, b.data->test);
    return same_rows(a.data->training, b.data->training) && same_rows(a.data->test, b.data->test);
}

std::optional<std::size_t> reference_among(std::span<const RunSnapshot> runs)
{
    for (const auto* const method : true_methods)
        for (std::size_t r = 0; r < runs.size(); ++r)
            if (runs[r].experiment->study.posterior.family == method)
                return r;
    return {};
}

std::optional<std::string> why_no_reference(const Experiment& experiment)
{
    if (std::find(true_methods.begin(), true_methods.end(), experiment.study.posterior.family) != true_methods.end())
        return {};
    return "Only draws of NUTS or HMC can serve as the reference posterior. Display such a run, and tick others to "
           "compare with it.";
}

std::string why_not_compared(std::span<const RunSnapshot> runs, std::optional<std::size_t> reference)
{
    if (runs.empty())
        return "No run is selected. Tick a NUTS or HMC run, and the runs to compare with it.";
    if (!reference)
        return "None of the ticked runs is a NUTS or HMC run, whose draws serve as the reference posterior. Tick "
               "one of these as well.";
    const auto names = names_of(runs);
    for (std::size_t r = 0; r < runs.size(); ++r)
        if (!same_data(*runs[r].experiment, *runs[*reference].experiment))
            return "Run \"" + names[r] + "\" has different data from \"" + names[*reference]
                   + "\", the reference posterior. Tick runs on the same data.";
    return {};
}

}   // namespace credence::view_support
