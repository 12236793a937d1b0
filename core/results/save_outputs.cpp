// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/save_outputs.h"

#include "formats/npy.h"
#include "foundation/error.h"
#include "foundation/progress.h"
#include "foundation/softmax.h"
#include "posterior/outputs_posterior.h"
#include "posterior/sample_set.h"
#include "prediction/logit_samples.h"
#include "prediction/set_predictions.h"
#include "runs/provenance.h"
#include "views/image_rows.h"
#include "views/recalibration_fit.h"
#include "views/view_support.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace credence {

namespace {

NumberArray images_as_numpy(const Experiment& experiment, const view_support::ScoredSet& set)
{
    const ImageShape shape = *experiment.data->image;
    const auto part        = set.data == &experiment.data->test ? ImagePart::test : ImagePart::training;
    const auto C = static_cast<std::size_t>(shape.channels), H = static_cast<std::size_t>(shape.height),
               W = static_cast<std::size_t>(shape.width), n = set.data->n_rows;
    std::vector<std::uint8_t> pixels(n * H * W * C);
    for (std::size_t i = 0; i < n; ++i) {
        const auto image = image_bytes(experiment, part, i);
        for (std::size_t c = 0; c < C; ++c)   // channels last, as matplotlib expects
            for (std::size_t j = 0; j < H * W; ++j)
                pixels[(i * H * W + j) * C + c] = image[c * H * W + j];
    }
    NumberArray array{{n, H, W}, std::move(pixels)};
    if (C > 1)
        array.shape.push_back(C);
    return array;
}

void add_inputs(NpzWriter& writer, const RunSnapshot& run, const view_support::ScoredSet& set)
{
    const auto& experiment = *run.experiment;
    if (has_images(experiment)) {
        writer.add("images", images_as_numpy(experiment, set));
        return;
    }
    if (experiment.outputs) {   // its inputs are row numbers
        const auto& own = experiment.outputs->own;
        if (!own.inputs.empty())
            writer.add("inputs", NumberArray{{own.n, own.n_inputs}, own.inputs});
        return;
    }
    writer.add("inputs", NumberArray{{set.data->n_rows, set.data->n_features}, set.data->inputs});
}

/// An array with one text: JSON of the program that computed the file, and of its inputs.
void add_provenance(NpzWriter& writer, const Experiment& experiment)
{
    const auto json = experiment.outputs ? build_to_json(this_build()) : provenance_to_json(provenance_of(experiment));
    writer.add("provenance", std::vector<std::string>{json.dump()});
}

/// Chain by chain, each in its own order. Empty lists: the origin of the draws is unknown.
struct DrawOrder {
    std::vector<std::size_t> place;   ///< [S] position of draw s in the file
    std::vector<std::int32_t> chain;
    std::vector<std::int64_t> iteration;   ///< both [S], by place
};
DrawOrder order_of_draws(const RunSnapshot& run, std::size_t S)
{
    DrawOrder order;
    order.place.resize(S);
    std::iota(order.place.begin(), order.place.end(), std::size_t{0});
    const auto* set = run.experiment->outputs ? nullptr : sample_set_of(*run.snapshot->posterior);
    if (!set || set->origin().chains.empty() || set->origin().steps.empty())
        return order;
    const auto& [chains, steps, statistics] = set->origin();
    std::vector<std::tuple<int, long, std::size_t, std::size_t>> draws;   // chain, step, number in the set, s
    for (std::size_t s = 0; s < S; ++s) {
        const NoiseKey key{run.experiment->study.seed, Stream::prediction, static_cast<std::uint32_t>(s)};
        const std::size_t number = set->number_of(key);
        draws.emplace_back(chains[number], steps[number], number, s);
    }
    std::ranges::sort(draws);
    for (const auto& [chain, step, number, s] : draws) {
        order.place[s] = order.chain.size();
        order.chain.push_back(chain);
        order.iteration.push_back(step);
    }
    return order;
}

std::vector<float> probabilities_of(const ClassSamples& samples)
{
    std::vector<float> p(samples.values.size());
    for (std::size_t i = 0; i < p.size(); ++i)
        p[i] = static_cast<float>(samples.logarithms ? std::exp(samples.values[i]) : samples.values[i]);
    return p;
}

/// What PosteriorPredictive::sample_classes makes of these logits.
ClassSamples classes_of(const OutputSamples& z)
{
    ClassSamples samples{z.n_samples, z.n_inputs, z.n_outputs, std::vector<double>(z.values.size())};
    log_softmax_rows(z.values, static_cast<std::size_t>(z.n_outputs), samples.values);
    return samples;
}

}   // namespace

void require_saveable_outputs(const Experiment& experiment)
{
    if (experiment.task() != Task::classification)
        throw Error("Outputs can only be saved for classification: the run \"" + experiment.study.name
                    + "\" has a numeric target. Save its scores and figures as tables instead.");
}

bool save_outputs(const RunSnapshot& run, const std::filesystem::path& file, std::stop_token stop)
{
    const auto& experiment = *run.experiment;
    require_saveable_outputs(experiment);
    const auto set        = view_support::scored_set(experiment);
    const auto predictive = view_support::predictive_of(run, {});
    const auto S = static_cast<std::size_t>(predictive.n_samples()), N = set.data->n_rows,
               K          = static_cast<std::size_t>(predictive.n_outputs());
    const DrawOrder order = order_of_draws(run, S);
    NpzWriter writer(file);
    const std::size_t d  = experiment.data->training.n_features;
    const auto* imported = outputs_of(*run.snapshot->posterior);
    // Logits, too, where they are known, so that the file gives the same scores as the run.
    const bool with_logits   = !imported || imported->exact_kind() != RowOutputs::Kind::probabilities;
    const auto probabilities = writer.begin("probabilities", {S, N, K});
    const auto logits        = with_logits ? writer.begin("logits", {S, N, K}) : probabilities;
    const std::size_t block  = predictive.rows_at_once(values_of_a_set);
    for (std::size_t first = 0; first < N; first += block) {
        const std::size_t rows = std::min(block, N - first);
        const ProgressScope of_block(static_cast<double>(first) / static_cast<double>(N),
                                     static_cast<double>(first + rows) / static_cast<double>(N));
        const auto inputs = set.inputs.subspan(first * d, rows * d);
        /// [S × rows × K]
        const auto put = [&](std::size_t array, std::span<const float> values) {
            for (std::size_t s = 0; s < S; ++s)
                writer.put(array, (order.place[s] * N + first) * K, values.subspan(s * rows * K, rows * K));
        };
        OutputSamples z;
        if (with_logits) {
            z = sample_logits(experiment.model, *run.snapshot->posterior, inputs, static_cast<int>(rows),
                              static_cast<int>(S), experiment.study.seed, stop);
            const auto recalibration = recalibration_of(run, stop);
            if (stop.stop_requested() || !recalibration)
                return false;
            recalibrate_logits(*recalibration, z.values, z.n_outputs);
            put(logits, z.values);
        }
        const auto p = probabilities_of(imported ? predictive.sample_classes(inputs, static_cast<int>(rows), stop)
                                                 : classes_of(z));
        if (stop.stop_requested())
            return false;
        put(probabilities, p);
    }
    writer.finish(probabilities);
    if (with_logits)
        writer.finish(logits);
    if (!set.data->labels.empty())
        writer.add("labels",
                   NumberArray{{N}, std::vector<std::int32_t>(set.data->labels.begin(), set.data->labels.end())});
    if (!order.chain.empty()) {
        writer.add("chain", NumberArray{{S}, order.chain});
        writer.add("iteration", NumberArray{{S}, order.iteration});
    }
    writer.add("class_names", experiment.data->training.class_names);
    add_inputs(writer, run, set);
    add_provenance(writer, experiment);
    writer.keep();
    return true;
}

void save_weights(const RunSnapshot& run, const std::filesystem::path& file)
{
    const auto& posterior = *run.snapshot->posterior;
    const auto& layout    = posterior.layout();
    std::vector<float> mean(layout.size()), sd(layout.size());
    posterior.moments(mean, sd);
    std::vector<std::string> names;
    std::vector<std::int64_t> begins;
    for (const auto& block : layout.blocks) {
        names.push_back(block.name);
        begins.push_back(static_cast<std::int64_t>(block.begin));
    }
    NpzWriter writer(file);
    writer.add("mean", NumberArray{{layout.size()}, std::move(mean)});
    writer.add("sd", NumberArray{{layout.size()}, std::move(sd)});
    writer.add("block_names", names);
    writer.add("block_begins", NumberArray{{names.size()}, std::move(begins)});
    add_provenance(writer, *run.experiment);
    writer.keep();
}

}   // namespace credence
