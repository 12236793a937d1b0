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
    const ParameterLayout& layout = posterior.layout();
    while (layout.layer(expansion.lowest_layer).weights.begin < posterior.first_uncertain_weight())
        ++expansion.lowest_layer;
    return expansion;
}

template struct Expansion<float>;
template struct Expansion<double>;
template Expansion<float> expansion_around_means(const Posterior&);
template Expansion<double> expansion_around_means(const BasicPosterior<double>&);

namespace {

constexpr int draws_of_task = 4;   // images: number of samples that share the work independent of the weights
constexpr int draws_of_linearised_task = 8;       // number of samples that share one evaluation at the mean weights
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

/// One call of for_each_draw: how its work is divided into tasks, and the memory of the tasks.
class DrawLoop {
public:
    using Workspace = Network<float>::Workspace;
    using Read      = function_ref<void(int, int, std::span<const float>)>;
    using Reduced   = function_ref<void(int, int, int, int)>;

    DrawLoop(const Model& model, const Posterior& posterior, std::uint64_t seed, int n_samples,
             std::span<const float> inputs, int n, const std::stop_token& stop, Read read, Reduced reduced)
        : model_(model), posterior_(posterior), seed_(seed), n_samples_(n_samples), inputs_(inputs), n_(n), stop_(stop),
          read_(read), reduced_(reduced), network_(model.architecture), noisy_(posterior.has_weight_noise()),
          around_(noisy_ && model.linearised_at_prediction ? std::optional(expansion_around_means(posterior))
                                                           : std::nullopt),
          rows_of_task_(most_rows_of_task()), one_piece_(n <= rows_of_task_ && !around_),
          task_draws_(around_                                 ? draws_of_linearised_task
                      : network_.sees_images() && !one_piece_ ? draws_of_task
                                                              : 1),
          workspaces_([this] {
              return std::make_unique<Workspace>(network_, std::min(rows_of_task_, n_), around_ ? 0 : task_draws_);
          }),
          own_draws_([this] { return std::make_unique<Draw<float>>(posterior_.make_draw()); })
    {
        const int held = !noisy_ ? 1 : one_piece_ ? 0 : std::min(draws_at_once, n_samples);
        for (int i = 0; i < held; ++i)
            draws_.push_back(posterior.make_draw());
        if (!noisy_)
            sample(0, draws_[0]);
    }

    bool run()
    {
        for (int first_draw = 0; first_draw < n_samples_; first_draw += draws_at_once) {
            const int group = std::min(draws_at_once, n_samples_ - first_draw);
            if (!(one_piece_ ? evaluate_one_piece(first_draw, group) : evaluate_blocks(first_draw, group)))
                return false;
        }
        return true;
    }

private:
    int most_rows_of_task() const
    {
        if (network_.sees_images())
            return images_of_task;
        const int floats = floats_of_widest_layer / (around_ ? draws_of_linearised_task : 1);   // per sample
        return std::clamp(floats / widest_layer(model_.architecture), 16, std::max(16, n_));
    }

    /// θ_s, or θ_s − θ̄ if the network is linearised.
    void sample(int number, Draw<float>& draw) const
    {
        posterior_.draw({seed_, Stream::prediction, static_cast<std::uint32_t>(number)}, draw);
        if (around_)
            around_->subtract_means(draw.weights);
    }

    /// Evaluates samples first, first + 1, … on rows begin, begin + 1, …
    void evaluate(std::span<const std::span<const float>> weights, int first, int begin, int rows)
    {
        const float* x = inputs_.data() + static_cast<std::size_t>(begin) * model_.architecture.inputs;
        std::vector<DropoutNoise> masks;
        if (model_.dropout_at_prediction)
            for (std::size_t i = 0; i < weights.size(); ++i)
                masks.push_back({{seed_, Stream::prediction_dropout,
                                  static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(i)},
                                 static_cast<std::uint64_t>(begin)});
        workspaces_.borrow([&](Workspace& workspace) {
            const auto read_draw = [&](std::size_t i, std::span<const float> raw) {
                read_(first + static_cast<int>(i), begin, raw);
            };
            if (around_)
                network_.forward_linearised(around_->means, weights, x, rows, workspace, around_->lowest_layer,
                                            read_draw);
            else
                network_.forward_draws(weights, x, rows, workspace, masks, read_draw);
        });
    }

    // Reported by the tasks of this thread only; other threads have no listener.
    void add_share(std::size_t of_draws, int rows)
    {
        const auto now = static_cast<std::int64_t>(of_draws) * rows;
        report_share(static_cast<double>(done_ += now) / (static_cast<double>(n_samples_) * n_));
    }

    /// All inputs are one block: a task makes its weights and uses them while they are in the cache.
    bool evaluate_one_piece(int first_draw, int group)
    {
        parallel_for(static_cast<std::size_t>(group), [&](std::size_t i) {
            if (stop_.stop_requested())
                return;
            const int number = first_draw + static_cast<int>(i);
            if (noisy_)
                own_draws_.borrow([&](Draw<float>& draw) {
                    sample(number, draw);
                    evaluate(std::array{std::span<const float>(draw.weights)}, number, 0, n_);
                });
            else
                evaluate(std::array{std::span<const float>(draws_[0].weights)}, number, 0, n_);
            add_share(1, n_);
        });
        if (stop_.stop_requested())
            return false;
        reduced_(first_draw, group, 0, n_);
        return true;
    }

    /// Makes a group of samples first; a task evaluates some of them on one block of the inputs.
    bool evaluate_blocks(int first_draw, int group)
    {
        if (noisy_)
            parallel_for(static_cast<std::size_t>(group),
                         [&](std::size_t i) { sample(first_draw + static_cast<int>(i), draws_[i]); });
        const int bundles = (group + task_draws_ - 1) / task_draws_;
        for (int first_row = 0; first_row < n_; first_row += rows_at_most) {
            const int rows   = std::min(rows_at_most, n_ - first_row);
            const int pieces = (rows + rows_of_task_ - 1) / rows_of_task_;
            parallel_for(static_cast<std::size_t>(bundles) * pieces, [&](std::size_t task) {
                if (stop_.stop_requested())
                    return;
                const int first = static_cast<int>(task) / pieces * task_draws_;
                const int begin = first_row + static_cast<int>(task) % pieces * rows_of_task_;
                std::vector<std::span<const float>> weights;
                for (int i = first; i < std::min(group, first + task_draws_); ++i)
                    weights.emplace_back(draws_[static_cast<std::size_t>(noisy_ ? i : 0)].weights);
                const int rows_now = std::min(rows_of_task_, first_row + rows - begin);
                evaluate(weights, first_draw + first, begin, rows_now);
                add_share(weights.size(), rows_now);
            });
            if (stop_.stop_requested())
                return false;
            reduced_(first_draw, group, first_row, rows);
        }
        return true;
    }

    const Model& model_;
    const Posterior& posterior_;
    const std::uint64_t seed_;
    const int n_samples_;
    const std::span<const float> inputs_;
    const int n_;
    const std::stop_token& stop_;
    const Read read_;
    const Reduced reduced_;
    const Network<float> network_;
    const bool noisy_;
    const std::optional<Expansion<float>> around_;
    const int rows_of_task_;
    const bool one_piece_;
    const int task_draws_;
    ObjectPool<Workspace> workspaces_;
    ObjectPool<Draw<float>> own_draws_;
    std::vector<Draw<float>> draws_;
    std::atomic<std::int64_t> done_{0};
};

}   // namespace

bool for_each_draw(const Model& model, const Posterior& posterior, std::uint64_t seed, int n_samples,
                   std::span<const float> inputs, int n, const std::stop_token& stop,
                   function_ref<void(int, int, std::span<const float>)> read,
                   function_ref<void(int, int, int, int)> reduced)
{
    assert(inputs.size() >= static_cast<std::size_t>(n) * model.architecture.inputs);
    return n < 1 || DrawLoop(model, posterior, seed, n_samples, inputs, n, stop, read, reduced).run();
}

}   // namespace credence
