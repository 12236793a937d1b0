// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace credence {

/// Where a step stands in the epochs of a training. They begin anew where its rows change. Not for use outside trainer.cpp.
struct EpochCount {
    int minibatches = 1;   ///< of an epoch
    long changed_at = 0;   ///< the step behind which the rows changed last
    long begun      = 0;   ///< epochs that began before that: each had a permutation of its own
    double before   = 0;   ///< epochs' worth of steps before that

    /// Tells how many epochs' worth of steps were made.
    double at(long done) const { return before + static_cast<double>(done - changed_at) / minibatches; }
    /// Tells which minibatch of its epoch comes next, 0-based.
    int minibatch(long done) const { return static_cast<int>((done - changed_at) % minibatches); }
    /// Tells which permutation of the rows it is cut from.
    std::uint32_t permutation(long done) const
    {
        return static_cast<std::uint32_t>(begun + (done - changed_at) / minibatches);
    }
    /// Begins anew behind this step: an epoch that was begun is not gone on with.
    void change(long step, int of_now)
    {
        begun += (step - changed_at + minibatches - 1) / minibatches;
        before      = at(step);
        changed_at  = step;
        minibatches = of_now;
    }
};

}   // namespace credence
