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

/// Which score of which set.
struct ScoreName {
    bool validation = false;   ///< else of the test set
    std::string name;          ///< "NLL", as results.json has it
    std::string unit;
    std::string column() const;   ///< "test NLL", "validation NLL"
    bool operator==(const ScoreName&) const = default;
};

/// τ, ρ, the dropout rate and the relative spread of one block of weights at the end.
struct CellLayer {
    std::string block;
    std::optional<double> tau, rho, dropout_rate;
    std::optional<double> relative_sd = {};   ///< median of σ/|μ|; empty: not finite
};

/// What results.json and times.json of a done cell say. Always read from there, so that a resumed sweep has the bits of an undisturbed one.
struct CellScores {
    std::vector<std::pair<ScoreName, std::optional<double>>>
        scores;              ///< in the order of the file; empty value: not finite
    std::string no_scores;   ///< why there are none
    std::vector<CellLayer> layers;
    long steps                           = 0;
    std::optional<double> seconds        = {};                   ///< wall time of the training; empty: not known
    std::optional<double> loss_roughness = {};                   ///< training/loss_roughness.h
    std::optional<double> value(const ScoreName& score) const;   ///< by set and name
};
CellScores read_cell_scores(const std::filesystem::path& results_json);   ///< @throws Error that names the file

/// A sweep with what its cells say so far.
struct SweepResults {
    Sweep sweep;
    std::vector<SweepCell> cells;
    std::vector<std::optional<CellScores>> scores;   ///< of each cell; empty: not done
    std::vector<CellStatus> states;                  ///< of each cell
    std::size_t n_done() const;
};
/// Reads the folder. @param cells  all of cells_of(sweep)
SweepResults collect_sweep(const Sweep& sweep, std::vector<SweepCell> cells, const SweepFolder& folder);

/// Every score that any cell has, in the order of the first one: test, then validation.
std::vector<ScoreName> score_names(const SweepResults& results);
/// Returns those without the number of inputs, which is none.
std::vector<ScoreName> summarised_scores(const SweepResults& results);

/// Is less of it better (NLL, Error, RMSE), or more (Accuracy, AUROC)? Empty: neither, it is a description (entropy, confidence).
std::optional<bool> less_is_better(const std::string& score);

/// The cells that differ in their replicate alone.
struct SweepCombination {
    std::vector<std::size_t> at;      ///< which value of each axis; of the replicates 0
    std::vector<std::size_t> cells;   ///< their indices, in the order of the replicates
    std::string words;                ///< "one τ, 300": without the seed, and without axes of one value
};
std::vector<SweepCombination> combinations_of(const SweepResults& results);

/// Mean and standard deviation (divisor n − 1; empty for one) over the seeds that are done; n = 0: no mean.
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
    MeanDifference difference;        ///< paired by replicate, over those that both sides have
    std::optional<double> a_better;   ///< P(A better than B), empty with probability_less
    std::size_t n_compared = 0;       ///< comparisons under this score that have a p value
    std::optional<double> p_holm{};   ///< p adjusted for their number (Holm 1979)
};
/// Compares for every axis but the replicates (of at most 50 values), each pair of its values at each combination of the others; and of at most ten combinations all pairs that
/// differ in several axes. Under the scores of which less or more is better; see docs/sweeps.md.
std::vector<SweepComparison> comparisons_of(const SweepResults& results);

/// The choice at one combination of the axes that are not chosen on.
struct SweepChosen {
    std::vector<std::size_t> at;              ///< which value of each axis; of the chosen one and the seed 0
    std::optional<SweepCombination> chosen;   ///< empty: some of the cells are not done, or have no such score
};
/// For sweeps with `choose`: at each combination of the other axes the value whose mean over the seeds is best on validation, of equal ones the first.
std::vector<SweepChosen> choices_of(const SweepResults& results);

/// A row for each done cell: axes, hash, steps, every score, τ and ρ of blocks that have them, roughness of the loss. No wall time.
Table cells_table(const SweepResults& results);
Table times_table(const SweepResults& results);     ///< axes, hash, state, steps, seconds
Table summary_table(const SweepResults& results);   ///< a row for each combination: seeds, mean and sd of every score
Table comparisons_table(const SweepResults& results);   ///< a row for each of comparisons_of
/// choices_of, with mean and sd of every score; empty: nothing is to be chosen.
std::optional<Table> chosen_table(const SweepResults& results);
/// A few columns that fit a terminal or a page: axes, n, "0.123 ± 0.004" of the main scores.
Table short_summary(const SweepResults& results);
Table short_choice(const SweepResults& results);   ///< the same of chosen_table; empty: nothing is to be chosen

/// Writes cells.csv, times.csv, summary.csv, summary.tex, comparisons.csv, chosen.csv and provenance.json (which builds computed how many cells), each whole or not at all.
void write_sweep_results(const SweepResults& results, const std::filesystem::path& folder);

}   // namespace credence
