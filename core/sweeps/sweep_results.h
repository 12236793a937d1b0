// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/difference_of_means.h"
#include "sweeps/sweep_folder.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// A score on a data set.
struct ScoreName {
    bool validation = false;   ///< otherwise the test set
    std::string name;          ///< "NLL", as in results.json
    std::string unit;
    std::string column() const;   ///< "test NLL", "validation NLL"
    bool operator==(const ScoreName&) const = default;
};

/// Final τ, ρ, dropout rate and relative spread of one weight block.
struct CellLayer {
    std::string block;
    std::optional<double> tau, rho, dropout_rate;
    std::optional<double> relative_sd = {};   ///< median of σ/|μ|; empty: not finite
};

/// Contents of results.json and times.json of a finished cell. Always read from the files, so that
/// a resumed sweep has the same bits as an undisturbed one.
struct CellScores {
    std::vector<std::pair<ScoreName, std::optional<double>>>
        scores;              ///< in the order of the file; empty value: not finite
    std::string no_scores;   ///< why there are none
    std::vector<CellLayer> layers;
    long steps                           = 0;
    std::optional<double> seconds        = {};                   ///< wall time of the training; empty: unknown
    std::optional<double> loss_roughness = {};                   ///< see loss_roughness in training/snapshot.h
    std::optional<double> value(const ScoreName& score) const;   ///< by set and name
};
CellScores read_cell_scores(const std::filesystem::path& results_json);   ///< @throws Error that names the file

/// A sweep with the results of its cells so far.
struct SweepResults {
    Sweep sweep;
    std::vector<SweepCell> cells;
    std::vector<std::optional<CellScores>> scores;   ///< of each cell; empty: not done
    std::vector<CellStatus> states;                  ///< of each cell
    std::size_t n_done() const;
};
/// Reads the folder. @param cells  all of cells_of(sweep)
SweepResults collect_sweep(const Sweep& sweep, std::vector<SweepCell> cells, const SweepFolder& folder);

/// Every score of any cell, in the order of the first cell: test, then validation.
std::vector<ScoreName> score_names(const SweepResults& results);
/// Returns the scores without the number of inputs, which is not a score.
std::vector<ScoreName> summarised_scores(const SweepResults& results);

/// True if lower is better (NLL, Error, RMSE), false if higher is better (Accuracy, AUROC). Empty:
/// neither, a description (entropy, confidence).
std::optional<bool> less_is_better(const std::string& score);

/// The cells that differ only in their replicate.
struct SweepCombination {
    std::vector<std::size_t> at;      ///< index of the value on each axis; 0 for the replicates
    std::vector<std::size_t> cells;   ///< their indices, in the order of the replicates
    std::string words;                ///< "one τ, 300": without the seed and axes of one value
};
std::vector<SweepCombination> combinations_of(const SweepResults& results);

/// Mean and standard deviation (divisor n − 1; empty for one) over the finished seeds; n = 0: no mean.
struct SeedSummary {
    std::size_t n = 0;
    std::optional<double> mean, sd;
};
SeedSummary over_seeds(const SweepResults& results, const SweepCombination& combination, const ScoreName& score);

struct SweepComparison {
    std::string axis;     ///< the axis whose values are compared; empty: whole combinations
    std::string a, b;     ///< words of both sides
    std::string others;   ///< values of the other axes, the same on both sides
    ScoreName score;
    MeanDifference difference;        ///< paired by the replicates that both sides have
    std::optional<double> a_better;   ///< P(A better than B), empty with probability_less
    std::size_t n_compared = 0;       ///< comparisons with a p value for this score
    std::optional<double> p_holm{};   ///< p adjusted for their number (Holm 1979)
};
/// For every axis except the replicates (with at most 50 values), compares each pair of its values
/// at each combination of the others; for at most ten combinations, also all pairs that differ in
/// several axes. Uses the scores with a better direction; see docs/sweeps.md.
std::vector<SweepComparison> comparisons_of(const SweepResults& results);

/// The selected value at one combination of the other axes.
struct SweepChosen {
    std::vector<std::size_t> at;              ///< index of the value on each axis; 0 for the chosen axis and the seed
    std::optional<SweepCombination> chosen;   ///< empty: some cells are not done, or lack this score
};
/// For sweeps with `choose`: at each combination of the other axes, returns the value with the best
/// validation mean over the seeds; among equal values the first. With `each_replicate`, returns the
/// cells of the best value at each replicate.
std::vector<SweepChosen> choices_of(const SweepResults& results);

/// One row per finished cell: axes, hash, steps, every score, τ and ρ of blocks that have them,
/// roughness of the loss. No wall time.
Table cells_table(const SweepResults& results);
Table times_table(const SweepResults& results);         ///< axes, hash, state, steps, seconds
Table summary_table(const SweepResults& results);       ///< one row per combination: seeds, mean and sd of every score
Table comparisons_table(const SweepResults& results);   ///< one row per comparison
/// choices_of, with mean and sd of every score; empty: no choice.
std::optional<Table> chosen_table(const SweepResults& results);
/// The coverage of each kind of interval or set, pooled over the test rows of all replicates, with the
/// binomial interval (Clopper and Pearson 1934). The interval is too narrow: test rows of different
/// replicates overlap. Empty: no run has such a score.
std::optional<Table> coverage_table(const SweepResults& results);
/// Returns a few columns that fit a terminal or a page: axes, n, "0.123 ± 0.004" of the main
/// scores.
Table short_summary(const SweepResults& results);
Table short_choice(const SweepResults& results);   ///< the same for chosen_table; empty: no choice

/// Writes cells.csv, times.csv, summary.csv, summary.tex, comparisons.csv, chosen.csv, coverage.csv and
/// provenance.json (number of cells per build), each atomically.
void write_sweep_results(const SweepResults& results, const std::filesystem::path& folder);

}   // namespace credence
