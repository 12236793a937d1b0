// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"
#include "foundation/function_ref.h"
#include "foundation/state_bytes.h"
#include "runs/probe_places.h"
#include "study/fields.h"

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

// When chains have agreed for long enough that a run may end before its last draw.
namespace credence::method_parts {

/// What has to hold, both where both are on.
struct StopRule {
    double ess   = 0;   ///< the smallest bulk ESS reaches it; 0: off
    double r_hat = 0;   ///< the largest R̂ is at most this; 0: off
    bool on() const { return ess > 0 || r_hat > 0; }
};

// Each makes one setting, the same for all methods that list it.
Field stop_ess_field();
Field stop_r_hat_field();
/// Off for a method that does not list these settings.
StopRule stop_rule_of(const Study& study);
/// The sentence against a rule that no chains could ever meet; empty: it can be met.
std::optional<Error> refusal_of_stop_rule(const Study& study);

/// Looks at what chains say of a few places, inside the data, between them and outside: the class probabilities (of two classes the first's, of many the first ten's), or the
/// function. It looks at fixed numbers of draws, twenty times at most and behind the first twenty draws, so that where a run ends is a function of its Study.
class ConvergenceWatch {
public:
    /// @param experiment  borrowed; @param draws  that each chain will make
    ConvergenceWatch(const Experiment& experiment, const StopRule& rule, std::size_t n_chains, long draws);

    /// Passes what it has seen so far.
    void serialise(StateBytes& state);

    /// The number of draws of each chain at which it looks next; empty: not again.
    std::optional<long> next_look(long draws) const;

    /// Takes the draws that it has not seen yet, and judges all. Called at the numbers that next_look named, in their order.
    /// @param draws   of each chain so far
    /// @param weights  of draw i, from 0, of chain k; finite
    /// @return        why the run ends, "Stopped by its rule after 640 of 1000 draws a chain: smallest bulk ESS 412 ≥ 400, worst R̂ 1.006 ≤ 1.01."; empty: it goes on, or it
    ///                was stopped here
    std::optional<std::string> look(long draws,
                                    function_ref<std::span<const float>(std::size_t k, std::size_t i)> weights,
                                    const std::stop_token& stop);

private:
    const Experiment& experiment_;
    StopRule rule_;
    std::size_t n_chains_, per_place_;
    long draws_, every_;
    ProbePlaces places_;
    std::size_t seen_ = 0;        // draws of each chain
    std::vector<float> values_;   // [seen × n_chains × quantities]
};

}   // namespace credence::method_parts
