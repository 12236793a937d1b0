// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/draw_loop.h"

#include "foundation/lazily_made.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "network/network.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <memory>
#include <optional>
#include <vector>

namespace credence {

template <class T>
void Expansion<T>::subtract_means(std::span<T> weights) const
{
    parallel_chunks(weights.size(), elementwise_chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            weights[i] -= means[i];
    });
}

template <class T>
Expansion<T> expansion_around_means(const BasicPosterior<T>& posterior)
{
    Expansion<T> expansion{posterior.means()};
    const auto& blocks = posterior.layout().blocks;
    while (blocks[2 * static_cast<std::size_t>(expansion.lowest_layer)].begin < posterior.first_uncertain_weight())
        ++expansion.lowest_layer;
    return expansion;
}

template struct Expansion<float>;
template struct Expansion<double>;
template Expansion<float> expansion_around_means(const Posterior&);
template Expansion<double> expansion_around_means(const BasicPosterior<double>&);

namespace {

constexpr int draws_of_task            = 4;   // images: weight-independent work is shared by so many samples
constexpr int draws_of_linearised_task = 8;   // the network at the mean weights is evaluated once for so many samples
constexpr int floats_of_widest_layer   = 65536;   // of one task's activations, so that they stay in the L2 cache
constexpr int images_of_task =
    64;   // convolutions process a few images at a time in the cache; dense layers need many rows

int widest_layer(const Architecture& architecture)
{
    int widest = architecture.inputs;
    for (const ImageShape shape : shapes_of(architecture))
        widest = std::max(widest, shape.size());
    return widest;
}

}   // namespace

bool for_each_draw(const Model& model, const Posterior& posterior, std::uint64_t seed, int n_samples,
                   std::span<const float> inputs, int n, const std::stop_token& stop,
                   function_ref<void(int, int, std::span<const float>)> read,
                   function_ref<void(int, int, int, int)> reduced)
{
    using Workspace = Network<float>::Workspace;
    const Network<float> network(model.architecture);
    const int d = model.architecture.inputs;
    assert(inputs.size() >= static_cast<std::size_t>(n) * d);
    if (n < 1)
        return true;
    const bool images      = network.sees_images();
    const bool noisy       = posterior.has_weight_noise();
    const auto around      = noisy && model.linearised_at_prediction ? std::optional(expansion_around_means(posterior))
                                                                     : std::nullopt;
    const int floats       = floats_of_widest_layer / (around ? draws_of_linearised_task : 1);   // per sample
    const int rows_of_task = images ? images_of_task
                                    : std::clamp(floats / widest_layer(model.architecture), 16, std::max(16, n));
    const bool one_piece   = n <= rows_of_task && !around;
    const int task_draws   = around ? draws_of_linearised_task : images && !one_piece ? draws_of_task : 1;
    Lender<Workspace> workspaces(
        [&] { return std::make_unique<Workspace>(network, std::min(rows_of_task, n), around ? 0 : task_draws); });
    Lender<Draw<float>> own_draws([&] { return std::make_unique<Draw<float>>(posterior.make_draw()); });
    std::vector<Draw<float>> draws;
    const int held = !noisy ? 1 : one_piece ? 0 : std::min(draws_at_once, n_samples);
    for (int i = 0; i < held; ++i)
        draws.push_back(posterior.make_draw());
    /// θ_s, or θ_s − θ̄ if the network is linearised.
    const auto sample = [&](int number, Draw<float>& draw) {
        posterior.draw({seed, Stream::prediction, static_cast<std::uint32_t>(number)}, draw);
        if (around)
            around->subtract_means(draw.weights);
    };
    if (!noisy)
        sample(0, draws[0]);

    /// Evaluates samples first, first + 1, … on rows begin, begin + 1, …
    const auto evaluate = [&](std::span<const std::span<const float>> weights, int first, int begin, int rows) {
        const float* x = inputs.data() + static_cast<std::size_t>(begin) * d;
        std::vector<DropoutNoise> masks;
        if (model.dropout_at_prediction)
            for (std::size_t i = 0; i < weights.size(); ++i)
                masks.push_back({{seed, Stream::prediction_dropout,
                                  static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(i)},
                                 static_cast<std::uint64_t>(begin)});
        workspaces.lend([&](Workspace& workspace) {
            const auto read_draw = [&](std::size_t i, std::span<const float> raw) {
                read(first + static_cast<int>(i), begin, raw);
            };
            if (around)
                network.forward_linearised(around->means, weights, x, rows, workspace, around->lowest_layer, read_draw);
            else
                network.forward_draws(weights, x, rows, workspace, masks, read_draw);
        });
    };
    // Reported by the tasks of this thread only; other threads have no listener.
    const double all = static_cast<double>(n_samples) * n;
    std::atomic<std::int64_t> done{0};
    const auto tell = [&](std::size_t of_draws, int rows) {
        const auto now = static_cast<std::int64_t>(of_draws) * rows;
        tell_share(static_cast<double>(done += now) / all);
    };
    for (int first_draw = 0; first_draw < n_samples; first_draw += draws_at_once) {
        const int group = std::min(draws_at_once, n_samples - first_draw);
        if (one_piece) {
            parallel_for(static_cast<std::size_t>(group), [&](std::size_t i) {
                if (stop.stop_requested())
                    return;
                const int number = first_draw + static_cast<int>(i);
                if (noisy)
                    own_draws.lend([&](Draw<float>& draw) {
                        sample(number, draw);
                        evaluate(std::array{std::span<const float>(draw.weights)}, number, 0, n);
                    });
                else
                    evaluate(std::array{std::span<const float>(draws[0].weights)}, number, 0, n);
                tell(1, n);
            });
            if (stop.stop_requested())
                return false;
            reduced(first_draw, group, 0, n);
            continue;
        }
        if (noisy)
            parallel_for(static_cast<std::size_t>(group),
                         [&](std::size_t i) { sample(first_draw + static_cast<int>(i), draws[i]); });
        const int bundles = (group + task_draws - 1) / task_draws;
        for (int first_row = 0; first_row < n; first_row += rows_at_most) {
            const int rows   = std::min(rows_at_most, n - first_row);
            const int pieces = (rows + rows_of_task - 1) / rows_of_task;
            parallel_for(static_cast<std::size_t>(bundles) * pieces, [&](std::size_t task) {
                if (stop.stop_requested())
                    return;
                const int first = static_cast<int>(task) / pieces * task_draws;
                const int begin = first_row + static_cast<int>(task) % pieces * rows_of_task;
                std::vector<std::span<const float>> weights;
                for (int i = first; i < std::min(group, first + task_draws); ++i)
                    weights.emplace_back(draws[static_cast<std::size_t>(noisy ? i : 0)].weights);
                const int rows_now = std::min(rows_of_task, first_row + rows - begin);
                evaluate(weights, first_draw + first, begin, rows_now);
                tell(weights.size(), rows_now);
            });
            if (stop.stop_requested())
                return false;
            reduced(first_draw, group, first_row, rows);
        }
    }
    return true;
}

}   // namespace credence
