// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "data/table_schema.h"
#include "prediction/posterior_predictive.h"
#include "runs/experiment.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

// Predictions at the rows of a new table.

/// Returns how the columns of a run's data are read: those of its table, or numbers with the names
/// of the inputs. @throws Error for images and imported predictions
TableSchema prediction_schema(const Experiment& experiment);
/// The expected columns: name, kind, range of the training rows, categories; the target last.
Table prediction_columns(const TableSchema& schema);

/// New rows as inputs of a run.
struct NewRows {
    std::size_t n = 0;
    std::vector<double> inputs;         ///< [n × d], original units
    std::vector<std::string> notes;     ///< [n] what is unusual about the row; empty: nothing
    std::vector<double> targets;        ///< [n × n_targets] or empty: targets of a regression, NaN where missing
    std::vector<int> labels;            ///< [n] or empty: of a classification, −1 where missing or unseen
    std::vector<std::string> ignored;   ///< columns that the run does not use
    std::string decimal_mark;           ///< a sentence if the table has another one than the training table

    std::size_t n_notes() const;              ///< rows with a note
    NewRows first(std::size_t count) const;   ///< the first rows
    bool observed() const { return !targets.empty() || !labels.empty(); }
};
/// Reads new rows from a table whose columns are matched by name. @throws Error that names the file,
/// the line and the column
NewRows read_new_rows(const Experiment& experiment, const std::filesystem::path& file);

struct PredictOptions {
    std::optional<double> level = {};   ///< of intervals and sets; empty: that of the Study
    int samples                 = 0;    ///< posterior samples; 0: as in the Study
    /// Conformal intervals or sets, from the calibration rows: with the score of the Study, otherwise
    /// normalised residuals for a regression and THR for classes.
    bool conformal    = false;
    bool with_samples = false;   ///< fill PredictedRows::samples
};

/// Samples of consecutive rows, in double: those of a target with a large offset keep their digits.
struct PredictedSamples {
    std::size_t n_samples = 0, n_outputs = 0;
    std::vector<double> values;   ///< [n_samples × rows × n_outputs]
};

/// Predictions of consecutive rows.
struct PredictedRows {
    std::size_t first = 0;
    /// One row per new row. Regression: row, mean, sd, sd_epistemic, sd_aleatoric, lower, upper, or with
    /// several targets these as TARGET_mean, … and TARGET_observed for each;
    /// classification: row, predicted, p_CLASS for each class, entropy, epistemic, aleatoric (nats), and
    /// set with conformal sets. Then observed, if the new table has the target, and note.
    Table table;
    /// Classification: probabilities [S × rows × K]. Regression: f and the noise's standard deviation
    /// of each target [S × rows × 2 n_targets], in units of the target.
    PredictedSamples samples;
};

/// Results that exist only after all rows have been predicted.
struct PredictionSummary {
    Table scores;            ///< of the rows with an observed target; without rows if there are none
    std::string conformal;   ///< "THR at 90 %, calibrated on 200 calibration rows."; empty: not conformal
};

/// Predicts new rows block by block. A block begins at the same rows as in the view of the test rows,
/// so that the test rows of a run have the same predictions here, to the last bit.
/// Reports progress to the ProgressScope of the thread.
/// @param use  receives the blocks in order
/// @return     empty: stopped
/// @throws Error if conformal predictions are asked for and the run has no calibration rows, or an
/// option is out of range
std::optional<PredictionSummary> predict_rows(const RunSnapshot& run, const NewRows& rows,
                                              const PredictOptions& options, const std::stop_token& stop,
                                              const std::function<void(const PredictedRows&)>& use);

/// Writes predictions to a file: CSV, or for the suffix .npz the samples as an array "samples" with
/// "outputs" (names of the last axis), "notes", and "observed" if the table has the target. The file
/// is complete or does not exist. @return  empty: stopped
std::optional<PredictionSummary> write_predictions(const RunSnapshot& run, const NewRows& rows,
                                                   const PredictOptions& options, const std::filesystem::path& file,
                                                   const std::stop_token& stop);

}   // namespace credence
