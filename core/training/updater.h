// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/state_bytes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace credence {

/// The learning rate of parameters begin..end-1 is multiplied by `factor`, as by lr_mult in Caffe.
struct RateFactor {
    std::size_t begin = 0, end = 0;
    double factor = 1;
};

/// Moves parameters by their gradient, piece by piece; the pieces of one step are disjoint and may come from several threads.
template <class T>
class Updater {
public:
    virtual ~Updater() = default;

    /// Begins step i (0-based): fixes the rate of all following `apply` calls, and whatever else belongs to the step.
    virtual void begin_step(double learning_rate) = 0;

    /// From the next step on the gradient is that of so many examples: of trainings whose rows become more. Optimisers do not ask.
    virtual void set_examples(double /*n*/) {}

    /// What `apply` reads and writes of each parameter beside the parameter itself, if that is much.
    virtual std::array<std::span<T>, 2> state() { return {}; }

    /// Passes what it has learnt of the gradients, and its number of steps.
    virtual void serialise(StateBytes& state) = 0;

    /// Moves parameters[first..] by one step for `gradient`. Allocates nothing.
    void apply(std::size_t first, std::span<const T> gradient, std::span<T> parameters)
    {
        std::size_t at        = first;
        const std::size_t end = first + gradient.size();
        const auto update_to  = [&](std::size_t to, double factor) {
            if (at < to)
                apply_at(factor, at, gradient.subspan(at - first, to - at), parameters);
            at = to;
        };
        for (const RateFactor& range : factors_) {
            if (range.end <= at || range.begin >= end)
                continue;
            update_to(std::max(at, range.begin), 1);
            update_to(std::min(end, range.end), range.factor);
        }
        update_to(end, 1);
    }

protected:
    /// @param factors  in the order of the parameters, none overlapping; outside of them the factor is 1
    explicit Updater(std::vector<RateFactor> factors) : factors_(std::move(factors)) {}

    /// @param factor  of the step's learning rate
    virtual void apply_at(double factor, std::size_t first, std::span<const T> gradient, std::span<T> parameters) = 0;

private:
    std::vector<RateFactor> factors_;
};

}   // namespace credence
