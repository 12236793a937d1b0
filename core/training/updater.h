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

/// Moves parameters by their gradient, block by block; the blocks of one step are disjoint and can
/// come from several threads.
template <class T>
class Updater {
public:
    virtual ~Updater() = default;

    /// Begins step i (0-based): sets the learning rate and all other step-dependent values for the
    /// following `apply` calls.
    virtual void begin_step(double learning_rate) = 0;

    /// Sets the number of examples from the next step on, for trainings with growing rows.
    /// Optimisers ignore it.
    virtual void set_examples(double /*n*/) {}

    /// Large per-parameter state that `apply` reads and writes in addition to the parameter.
    virtual std::array<std::span<T>, 2> state() { return {}; }

    /// Reads or writes its gradient statistics and number of steps.
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
    /// @param factors  in the order of the parameters, not overlapping; elsewhere the factor is 1
    explicit Updater(std::vector<RateFactor> factors) : factors_(std::move(factors)) {}

    /// @param factor  of the step's learning rate
    virtual void apply_at(double factor, std::size_t first, std::span<const T> gradient, std::span<T> parameters) = 0;

private:
    std::vector<RateFactor> factors_;
};

}   // namespace credence
