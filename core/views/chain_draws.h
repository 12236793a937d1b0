// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/convergence.h"
#include "chains/scalar_draws.h"
#include "charts/chart.h"
#include "posterior/sample_set.h"
#include "prediction/posterior_predictive.h"
#include "views/views.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

/// Draws of predictions, in the order of the chains that made them.
namespace credence::view_support {

/// Assigns the draws of a set to chains.
struct ChainOrder {
    std::vector<int> chains;                         ///< chain numbers, from 0 [n_chains]
    std::vector<std::vector<std::size_t>> numbers;   ///< indices of the draws in the set [n_chains][n_draws]
    std::size_t n_left_out = 0;                      ///< draws of the set that belong to none of these chains

    std::size_t n_chains() const { return numbers.size(); }
    std::size_t n_draws() const { return numbers.front().size(); }   ///< of each chain
    std::size_t size() const { return n_chains() * n_draws(); }
};

/// Assigns the draws of a set to chains of equal length. A chain with fewer than half the draws of
/// the longest chain is omitted; from the others, the first draws are used, as many as the shortest
/// has. Empty: the set has no chain information.
std::optional<ChainOrder> chain_order(const SampleSet& set);

inline constexpr auto nowhere = std::numeric_limits<std::size_t>::max();
/// Returns, for draw s of a predictive with as many draws as the set, its index in a list ordered
/// chain by chain; `nowhere` if it was omitted [set.n_draws()].
std::vector<std::size_t> places_of_draws(const SampleSet& set, const ChainOrder& order, std::uint64_t seed);

/// Draws of quantities: class probabilities, or the function value in the target's units, without
/// noise. Quantity q is quantity q mod `per_input` of input q / `per_input`.
struct QuantityDraws {
    std::size_t n_inputs = 0, per_input = 1, n_draws = 0;
    std::vector<double> values;   ///< [n_inputs × per_input × n_draws]

    std::size_t n_quantities() const { return n_inputs * per_input; }
    std::span<const double> of(std::size_t quantity) const
    {
        return std::span(values).subspan(quantity * n_draws, n_draws);
    }
    std::span<double> of(std::size_t quantity) { return std::span(values).subspan(quantity * n_draws, n_draws); }
};

/// The predictive of a whole set, using each draw once.
PosteriorPredictive predictive_of_set(const RunSnapshot& run, const SampleSet& set);

/// @param inputs     standardised [n × n_features]
/// @param per_input  the number of leading classes; 1 for regression
/// @param places     index of each draw of the predictive, see places_of_draws; empty: unchanged
/// order
/// @return  empty: stopped
/// @throws Error if an output is not finite
std::optional<QuantityDraws> draws_at(const RunSnapshot& run, const PosteriorPredictive& predictive,
                                      std::span<const float> inputs, std::size_t per_input,
                                      std::span<const std::size_t> places, const std::stop_token& stop);

/// A snapshot whose posterior consists of enough chain draws for diagnostics.
struct ChainSnapshot {
    std::shared_ptr<const SampleSet> set;   ///< unpruned, even when weights are pruned; `predictive` applies the
                                            ///< pruning
    ChainOrder order;
    std::vector<std::size_t> places;   ///< indices of the draws of `predictive`
    PosteriorPredictive predictive;    ///< of the whole set

    /// The draws of one quantity, ordered chain by chain.
    ScalarDraws by_chain(std::span<const double> draws) const { return {draws, order.n_chains(), order.n_draws()}; }
    const ChainStatistics* statistics() const { return set->origin().statistics.get(); }
    /// Energies of Hamiltonian chains, ordered chain by chain; empty for all others.
    std::vector<double> energies() const;
};
/// @throws Error "At this step …": there are no draws yet, or fewer than four per chain
ChainSnapshot chain_snapshot(const RunSnapshot& run);

/// Marks the selected draws, ordered chain by chain [order.size()]. Without statistics
/// no draw counts as divergent.
std::vector<bool> selected_draws(const ChainSnapshot& chains, const ChainSelection& chain_selection);
/// The selection for legends: "divergent draws", "draws of steps 400 to 500". @param n  1:
/// "divergent draw"
std::string selection_words(const ChainSelection& chain_selection, std::size_t n = 2);
/// The chain's step after which a draw was made; if steps are unknown, the draw's number in the
/// chain, from 1.
long step_of(const ChainSnapshot& chains, std::size_t chain, std::size_t draw);

/// Returns why a run has no chains: its method does not produce draws, or they are not states of
/// chains. Empty: it has chains.
std::optional<std::string> why_no_chains(const Experiment& experiment);

/// "4 chains of 500 draws each." and what was left out, for captions.
std::string chains_text(const ChainOrder& order);

}   // namespace credence::view_support

/// Chain diagnostics as a table and as sentences.
namespace credence::view_support {

inline constexpr double agreeing_r_hat =
    1.01;   ///< below it chains may be used (Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021)

struct JudgedWeights {
    ConvergenceSummary summary;
    std::size_t n = 0, n_all = 0;   ///< weights with diagnostics, and all weights
};

/// The input of the table and the sentences. Does not own its data.
struct JudgedChains {
    const ChainSnapshot& chains;
    const std::vector<std::string>& places;   ///< names of the probe points
    const std::string& what;                  ///< all of them: "24 × 24 places of the plane"
    std::vector<std::string> class_names;     ///< empty: a regression
    const ConvergenceSummary& summary;        ///< point by point, and within a point class by class
    const JudgedWeights& weights;
};

/// Rows: diagnostic, value, reference value, and where or why not. An undefined value is an empty
/// cell with its reason.
Table chain_table(const JudgedChains& judged);
/// The main results for captions; files with a picture's numbers contain them too.
std::string chain_sentences(const JudgedChains& judged);

}   // namespace credence::view_support
