// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/state_bytes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace credence {

/// What the losses of a training say of its course: whether they still make progress, and whether one is far above those of the start.
class LossWatch {
public:
    /// Tells whether the smoothed loss was at its lowest within the last `patience` steps, if there is such a limit.
    /// @param loss  of step `done`, the first of which is 1
    bool makes_progress(double loss, long done, long patience)
    {
        if (patience <= 0)
            return true;
        smoothed_ = done == 1 ? loss : smoothing * smoothed_ + (1 - smoothing) * loss;
        if (smoothed_ < lowest_) {
            lowest_    = smoothed_;
            lowest_at_ = done;
        }
        return done - lowest_at_ < patience;
    }
    void begin_patience_at(long step) { lowest_at_ = step; }

    /// Tells whether a loss is a doubtful one beside that of the first recorded step, which this may be.
    bool far_from_start(double loss)
    {
        if (!start_)
            start_ = loss;
        return loss > *start_ + far_above_start * std::max(1.0, std::fabs(*start_));
    }

    void rows_changed()   ///< losses of other rows say nothing of these
    {
        lowest_ = std::numeric_limits<double>::infinity();
        start_.reset();
    }

    void serialise(StateBytes& state)
    {
        state.value(start_);
        state.value(smoothed_);
        state.value(lowest_);
        state.within(lowest_at_, 0, std::numeric_limits<long>::max());
    }

private:
    static constexpr double smoothing       = 0.99;   // per step
    static constexpr double far_above_start = 10;     // so many times the loss of the start

    std::optional<double> start_;   // at the first recorded step
    double smoothed_ = 0;
    double lowest_   = std::numeric_limits<double>::infinity();
    long lowest_at_  = 0;   // the step of the lowest one
};

}   // namespace credence
