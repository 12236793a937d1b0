// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/posterior_predictive.h"

#include "foundation/elementary.h"
#include "foundation/parallel.h"
#include "network/network.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <mutex>

namespace credence {
namespace {

constexpr int draws_at_once = 16;              // held in memory together
constexpr int draws_of_task = 4;               // of images: what does not depend on the weights is made once for so many
constexpr int floats_of_widest_layer = 65536;  // of one task's activations: stays in the L2 cache
constexpr int images_of_task = 64;             // those have the cache to themselves a few at a time, dense layers want many rows
constexpr int rows_at_most = 16384;            // of the inputs between two reductions

int widest_layer(const Architecture& architecture)
{
    int widest = architecture.inputs;
    for (const ImageShape shape : shapes_of(architecture)) widest = std::max(widest, shape.size());
    return widest;
}

/// Things lent to tasks: as many as there are threads at work, made when first needed.
template <class Thing>
class Lender {
public:
    explicit Lender(std::function<std::unique_ptr<Thing>()> make) : make_(std::move(make)) {}

    template <class Body>
    void lend(Body body)
    {
        std::unique_ptr<Thing> thing;
        {
            std::lock_guard lock(mutex_);
            if (!free_.empty()) {
                thing = std::move(free_.back());
                free_.pop_back();
            }
        }
        if (!thing) thing = make_();
        body(*thing);
        std::lock_guard lock(mutex_);
        free_.push_back(std::move(thing));
    }

private:
    std::function<std::unique_ptr<Thing>()> make_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Thing>> free_;
};

constexpr int lanes = 16;   // rows whose softmax is computed side by side

/// Softmax of `n` rows of logits [n × k] in place, and the entropy of each row: H = ln Σe^{z-top} - Σ p (z - top), nats.
/// Rows are handled in groups of `lanes`, transposed, so that small K makes full use of vectors.
void softmax_rows(float* z, int n, int k, float* entropy)
{
    constexpr int largest_transposed = 64;
    float columns[largest_transposed * lanes];
    for (int first = 0; first < n; first += lanes) {
        const int rows = std::min(lanes, n - first);
        float* block = z + static_cast<std::size_t>(first) * k;
        if (k > largest_transposed || rows < lanes) {
            for (int r = 0; r < rows; ++r) {
                float* row = block + static_cast<std::size_t>(r) * k;
                const float top = *std::max_element(row, row + k);
                float sum = 0, dot = 0;
#pragma omp simd reduction(+ : sum, dot)
                for (int c = 0; c < k; ++c) {
                    const float t = row[c] - top, e = fast_exp(t);
                    sum += e;
                    dot += e * t;
                    row[c] = e;
                }
                const float inverse = 1 / sum;
                for (int c = 0; c < k; ++c) row[c] *= inverse;
                entropy[first + r] = std::max(0.0f, fast_log(sum) - dot * inverse);
            }
            continue;
        }
        for (int c = 0; c < k; ++c)
            for (int r = 0; r < lanes; ++r) columns[c * lanes + r] = block[r * k + c];
        float top[lanes], sum[lanes] = {}, dot[lanes] = {}, inverse[lanes];
        std::copy_n(columns, lanes, top);
        for (int c = 1; c < k; ++c)
            for (int r = 0; r < lanes; ++r) top[r] = top[r] > columns[c * lanes + r] ? top[r] : columns[c * lanes + r];
        for (int c = 0; c < k; ++c) {
#pragma omp simd
            for (int r = 0; r < lanes; ++r) {
                const float t = columns[c * lanes + r] - top[r], e = fast_exp(t);
                sum[r] += e;
                dot[r] += e * t;
                columns[c * lanes + r] = e;
            }
        }
#pragma omp simd
        for (int r = 0; r < lanes; ++r) {
            inverse[r] = 1 / sum[r];
            const float h = fast_log(sum[r]) - dot[r] * inverse[r];
            entropy[first + r] = h > 0 ? h : 0;
        }
        for (int c = 0; c < k; ++c)
            for (int r = 0; r < lanes; ++r) block[r * k + c] = columns[c * lanes + r] * inverse[r];
    }
}

/// Classification: logits to probabilities, in place; entropy of each row. Regression: (f, s), s the noise's standard deviation.
void read_outputs(const Likelihood& likelihood, std::span<const float> raw, int n, float* outputs, float* entropy)
{
    if (likelihood.kind == LikelihoodKind::softmax) {
        std::copy(raw.begin(), raw.end(), outputs);
        softmax_rows(outputs, n, static_cast<int>(raw.size()) / n, entropy);
        return;
    }
    for (int i = 0; i < n; ++i) {
        const bool learned = likelihood.kind == LikelihoodKind::gaussian_learned;
        outputs[2 * i] = learned ? raw[2 * i] : raw[i];
        outputs[2 * i + 1] = static_cast<float>(learned ? softplus(static_cast<double>(raw[2 * i + 1])) + smallest_noise_sd : likelihood.noise_sd);
        entropy[i] = 0;
    }
}

int outputs_read(const Model& model) { return model.likelihood.kind == LikelihoodKind::softmax ? model.architecture.outputs() : 2; }

/// Calls `destination(draw, first row)` for every draw and every piece of the inputs, on all threads, and writes there the outputs and entropies;
/// after each group of draws and rows `reduced(first_draw, draws, first_row, rows)` runs alone. Returns false if it was stopped.
///
/// Where all inputs are one piece, a task draws its weights and uses them while they are in the cache. Else a group of draws is made first, and a
/// task takes one piece through some of them.
template <class Destination, class Reduced>
bool for_each_draw(const Model& model, const WeightDistribution<float>& posterior, std::uint64_t seed, int n_samples, std::span<const float> inputs, int n,
                   const std::stop_token& stop, Destination destination, Reduced reduced)
{
    using Workspace = Network<float>::Workspace;
    const Network<float> network(model.architecture);
    const int d = model.architecture.inputs;
    assert(inputs.size() >= static_cast<std::size_t>(n) * d);
    if (n < 1) return true;
    const bool images = network.sees_images();
    const int rows_of_task = images ? images_of_task : std::clamp(floats_of_widest_layer / widest_layer(model.architecture), 16, std::max(16, n));
    const bool one_piece = n <= rows_of_task;
    const int task_draws = images && !one_piece ? draws_of_task : 1;
    const bool noisy = posterior.has_weight_noise();
    Lender<Workspace> workspaces([&] { return std::make_unique<Workspace>(network, std::min(rows_of_task, n), task_draws); });
    Lender<Draw<float>> own_draws([&] { return std::make_unique<Draw<float>>(posterior.make_draw()); });
    std::vector<Draw<float>> draws;
    const int held = !noisy ? 1 : one_piece ? 0 : std::min(draws_at_once, n_samples);
    for (int i = 0; i < held; ++i) draws.push_back(posterior.make_draw());
    if (!noisy) posterior.sample({seed, Stream::prediction, 0}, draws[0]);

    /// Draws first, first + 1, … on rows begin, begin + 1, …
    const auto evaluate = [&](std::span<const std::span<const float>> weights, int first, int begin, int rows) {
        std::vector<DropoutNoise> masks;
        if (model.dropout_at_prediction)
            for (std::size_t i = 0; i < weights.size(); ++i)
                masks.push_back({{seed, Stream::prediction_dropout, static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(i)}, static_cast<std::uint64_t>(begin)});
        workspaces.lend([&](Workspace& workspace) {
            network.forward_draws(weights, inputs.data() + static_cast<std::size_t>(begin) * d, rows, workspace, masks, [&](std::size_t i, std::span<const float> raw) {
                const auto [outputs, entropy] = destination(first + static_cast<int>(i), begin);
                read_outputs(model.likelihood, raw, rows, outputs, entropy);
            });
        });
    };
    for (int first_draw = 0; first_draw < n_samples; first_draw += draws_at_once) {
        const int group = std::min(draws_at_once, n_samples - first_draw);
        if (one_piece) {
            parallel_for(static_cast<std::size_t>(group), [&](std::size_t i) {
                if (stop.stop_requested()) return;
                const int number = first_draw + static_cast<int>(i);
                if (!noisy) return evaluate(std::array{std::span<const float>(draws[0].weights)}, number, 0, n);
                own_draws.lend([&](Draw<float>& draw) {
                    posterior.sample({seed, Stream::prediction, static_cast<std::uint32_t>(number)}, draw);
                    evaluate(std::array{std::span<const float>(draw.weights)}, number, 0, n);
                });
            });
            if (stop.stop_requested()) return false;
            reduced(first_draw, group, 0, n);
            continue;
        }
        if (noisy)
            parallel_for(static_cast<std::size_t>(group), [&](std::size_t i) {
                posterior.sample({seed, Stream::prediction, static_cast<std::uint32_t>(first_draw) + static_cast<std::uint32_t>(i)}, draws[i]);
            });
        const int bundles = (group + task_draws - 1) / task_draws;
        for (int first_row = 0; first_row < n; first_row += rows_at_most) {
            const int rows = std::min(rows_at_most, n - first_row);
            const int pieces = (rows + rows_of_task - 1) / rows_of_task;
            parallel_for(static_cast<std::size_t>(bundles) * pieces, [&](std::size_t task) {
                if (stop.stop_requested()) return;
                const int first = static_cast<int>(task) / pieces * task_draws;
                const int begin = first_row + static_cast<int>(task) % pieces * rows_of_task;
                std::vector<std::span<const float>> weights;
                for (int i = first; i < std::min(group, first + task_draws); ++i) weights.emplace_back(draws[static_cast<std::size_t>(noisy ? i : 0)].weights);
                evaluate(weights, first_draw + first, begin, std::min(rows_of_task, first_row + rows - begin));
            });
            if (stop.stop_requested()) return false;
            reduced(first_draw, group, first_row, rows);
        }
    }
    return true;
}

bool all_draws_agree(const Model& model, const WeightDistribution<float>& posterior)
{
    if (posterior.has_weight_noise()) return false;
    if (!model.dropout_at_prediction) return true;
    return std::none_of(model.architecture.layers.begin(), model.architecture.layers.end(), [](const Layer& layer) {
        const auto* dropout = std::get_if<Dropout>(&layer);
        return dropout && dropout->rate > 0;
    });
}

}  // namespace

PosteriorPredictive::PosteriorPredictive(const Model& model, std::shared_ptr<const WeightDistribution<float>> posterior, int n_samples, std::uint64_t seed)
    : model_(model), posterior_(std::move(posterior)), n_samples_(all_draws_agree(model_, *posterior_) ? 1 : std::max(1, n_samples)), seed_(seed)
{
}

int PosteriorPredictive::n_outputs() const { return outputs_read(model_); }

OutputSamples PosteriorPredictive::sample_outputs(std::span<const float> inputs, int n, std::stop_token stop) const
{
    const int k = outputs_read(model_);
    OutputSamples samples{n_samples_, n, k, std::vector<float>(static_cast<std::size_t>(n_samples_) * n * k)};
    std::vector<float> entropy(static_cast<std::size_t>(draws_at_once) * std::max(1, n));
    const bool whole = for_each_draw(
        model_, *posterior_, seed_, n_samples_, inputs, n, stop,
        [&](int draw, int row) {
            return std::pair{samples.values.data() + (static_cast<std::size_t>(draw) * n + row) * k,
                             entropy.data() + static_cast<std::size_t>(draw % draws_at_once) * n + row};
        },
        [](int, int, int, int) {});
    if (!whole) return {};
    return samples;
}

bool PosteriorPredictive::stream_outputs(std::span<const float> inputs, int n_features, std::stop_token stop,
                                         const std::function<void(const OutputSamples& block, std::size_t first)>& use, std::size_t most_values) const
{
    const std::size_t d = static_cast<std::size_t>(n_features), n = inputs.size() / d;
    const std::size_t values = static_cast<std::size_t>(n_samples_) * static_cast<std::size_t>(n_outputs());   // of a row
    const std::size_t block  = std::clamp<std::size_t>(most_values / values, 1, 4096);
    for (std::size_t first = 0; first < n; first += block) {
        const std::size_t size = std::min(block, n - first);
        const auto samples = sample_outputs(inputs.subspan(first * d, size * d), static_cast<int>(size), stop);
        if (stop.stop_requested())
            return false;
        use(samples, first);
    }
    return !stop.stop_requested();
}

PredictiveSummary PosteriorPredictive::summarise(std::span<const float> inputs, int n, std::stop_token stop) const
{
    const bool classes = model_.likelihood.kind == LikelihoodKind::softmax;
    const int k = outputs_read(model_);
    const int kept = classes ? k : 1;   // regression: the mean of f only
    const int held = std::min(n, rows_at_most);
    std::vector<float> outputs(static_cast<std::size_t>(std::min(draws_at_once, n_samples_)) * held * k);
    std::vector<float> entropy(static_cast<std::size_t>(std::min(draws_at_once, n_samples_)) * held);
    PredictiveSummary summary{n, kept, std::vector<double>(static_cast<std::size_t>(n) * kept), std::vector<double>(classes ? n : 0)};
    const bool whole = for_each_draw(
        model_, *posterior_, seed_, n_samples_, inputs, n, stop,
        [&](int draw, int row) {
            const std::size_t place = static_cast<std::size_t>(draw % draws_at_once) * held + row % rows_at_most;
            return std::pair{outputs.data() + place * k, entropy.data() + place};
        },
        [&](int, int group, int first_row, int rows) {
            parallel_chunks(rows, 512, [&](std::size_t begin, std::size_t end) {   // each row by one task, draws in order
                for (int draw = 0; draw < group; ++draw) {
                    const std::size_t place = static_cast<std::size_t>(draw) * held;
                    const float* values = outputs.data() + place * k;
                    double* mean = summary.mean.data() + static_cast<std::size_t>(first_row) * kept;
                    if (classes) {
                        const float* h = entropy.data() + place;
                        double* expected = summary.expected_entropy.data() + first_row;
                        for (std::size_t i = begin * k; i < end * k; ++i) mean[i] += values[i];
                        for (std::size_t i = begin; i < end; ++i) expected[i] += h[i];
                    } else {
                        for (std::size_t i = begin; i < end; ++i) mean[i] += values[2 * i];
                    }
                }
            });
        });
    if (!whole) return {};
    for (double& value : summary.mean) value /= n_samples_;
    for (double& value : summary.expected_entropy) value /= n_samples_;
    return summary;
}

}  // namespace credence
