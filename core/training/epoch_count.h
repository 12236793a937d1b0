// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace credence {

/// Position of a step within the epochs of a training. Counting restarts when the rows change. Not
/// for use outside trainer.cpp.
struct EpochCount {
    int minibatches = 1;   ///< per epoch
    long changed_at = 0;   ///< step after which the rows last changed
    long begun      = 0;   ///< epochs started before that, each with its own permutation
    double before   = 0;   ///< epochs completed before that, with fractions

    /// Number of epochs after `done` steps, with fractions.
    double at(long done) const { return before + static_cast<double>(done - changed_at) / minibatches; }
    /// Index of the next minibatch within its epoch, from 0.
    int minibatch(long done) const { return static_cast<int>((done - changed_at) % minibatches); }
    /// Index of the permutation of the rows that it is taken from.
    std::uint32_t permutation(long done) const
    {
        return static_cast<std::uint32_t>(begun + (done - changed_at) / minibatches);
    }
    /// Restarts after this step; an unfinished epoch is abandoned.
    void change(long step, int of_now)
    {
        begun += (step - changed_at + minibatches - 1) / minibatches;
        before      = at(step);
        changed_at  = step;
        minibatches = of_now;
    }
};

}   // namespace credence
