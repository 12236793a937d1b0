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

// Stopping rules that end a run of chains before its last draw.
namespace credence::method_parts {

/// The conditions for stopping; if both are on, both must hold.
struct StopRule {
    double ess   = 0;   ///< required smallest bulk ESS; 0: off
    double r_hat = 0;   ///< largest allowed R̂; 0: off
    bool on() const { return ess > 0 || r_hat > 0; }
};

// Each function returns one setting, with the same definition in every method that uses it.
Field stop_ess_field();
Field stop_r_hat_field();
/// Returns the Study's stopping rule; off for a method without these settings.
StopRule stop_rule_of(const Study& study);
/// Returns an error for a rule that no chains could meet; empty: it can be met.
std::optional<Error> refusal_of_stop_rule(const Study& study);

/// Monitors the predictions of chains at a few inputs: inside the data, in gaps between them and
/// outside. It uses class probabilities (for two classes the first, for many the first ten) or the
/// function value. It checks after fixed numbers of draws, at most twenty times and not before
/// twenty draws, so that the end of a run is a function of its Study.
class ConvergenceWatch {
public:
    /// @param experiment  not owned
    /// @param draws       planned per chain
    ConvergenceWatch(const Experiment& experiment, const StopRule& rule, std::size_t n_chains, long draws);

    /// Reads or writes the draws seen so far.
    void serialise(StateBytes& state);

    /// Returns the number of draws per chain at the next check; empty: no further check.
    std::optional<long> next_look(long draws) const;

    /// Adds the new draws and checks the rule. Call it at the numbers returned by next_look, in
    /// order; call it again with the same number if `stop` was requested during the check.
    /// @param draws    per chain so far
    /// @param weights  of draw i, from 0, of chain k; finite
    /// @return         why the run ends, "Stopped by the stopping rule after 640 of 1000 draws per
    /// chain: smallest bulk ESS 412 ≥ 400, worst R̂ 1.006 ≤ 1.01."; empty: it continues, or was
    /// cancelled here
    std::optional<std::string> look(long draws,
                                    function_ref<std::span<const float>(std::size_t k, std::size_t i)> weights,
                                    const std::stop_token& stop);

private:
    /// Checks the rule on the draws seen so far.
    std::optional<std::string> verdict(long draws, const std::stop_token& stop) const;

    const Experiment& experiment_;
    StopRule rule_;
    std::size_t n_chains_, per_place_;
    long draws_, every_;
    ProbePlaces places_;
    std::size_t seen_ = 0;        // draws per chain
    std::vector<float> values_;   // [seen × n_chains × quantities]
};

}   // namespace credence::method_parts
