// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/dataset.h"
#include "data/image_shape.h"
#include "foundation/aligned_vector.h"

#include <optional>
#include <span>
#include <string>

namespace credence {

/// z = (x - mean) / sd, per feature, with mean and sd (divisor n) of the training inputs. A
/// constant feature has sd = 1. Computed in double; z is a float. mean and sd are rounded to float32
/// if that changes no z by more than 1e-6, that is, unless the mean is large compared with the sd.
struct Standardiser {
    std::vector<double> mean;   ///< [n_features]
    std::vector<double> sd;     ///< [n_features], > 0

    static Standardiser identity(std::size_t n_features);
    static Standardiser fit(const Dataset& training);

    aligned_vector<float> standardised(std::span<const double> rows) const;   ///< any number of rows
    std::vector<double> undone(std::span<const float> rows) const;            ///< back to original units
    void apply(std::span<float> rows) const;   ///< in place: pixels, which are small whole numbers
    void undo(std::span<float> rows) const;
    std::string describe(const Dataset& data) const;   ///< displayed text: "x1: (x − 0.48) / 0.87, …"
    bool operator==(const Standardiser&) const = default;
};

/// A data set divided into training and test part, with the standardisation that the network uses.
struct SplitData {
    Dataset training;   ///< original units
    Dataset test;
    Standardiser inputs;      ///< identity if standardisation is off
    double target_mean = 0;   ///< regression: the network learns (y - target_mean) / target_sd
    double target_sd   = 1;
    Standardiser other_targets{};            ///< the same of the targets after the first
    aligned_vector<float> training_inputs;   ///< standardised [n × d]
    aligned_vector<float> test_inputs;
    aligned_vector<float> training_targets;   ///< standardised [n × n_targets], regression only
    aligned_vector<float> test_targets;
    std::optional<ImageShape> image;      ///< images: the inputs of `training` and `test` are empty, since they equal
                                          ///< undo(training_inputs)
    std::string test_name = "test set";   ///< "validation set" if images were held out from training for it
    /// The test set of data whose `test` is a validation set: scored in addition, and used for
    /// nothing else. No rows: `test` is the test set itself.
    Dataset final_test                      = {};
    aligned_vector<float> final_test_inputs = {};   ///< standardised [n × d]
    /// Rows set aside for recalibration and conformal prediction: neither trained on nor scored.
    /// Standardised with the scales of the training rows.
    Dataset calibration                       = {};
    aligned_vector<float> calibration_inputs  = {};   ///< standardised [n × d]
    aligned_vector<float> calibration_targets = {};   ///< standardised, regression only
    /// The group of each calibration row if the split keeps groups together; empty: it does not.
    std::vector<std::uint32_t> calibration_groups = {};

    Standardiser target_scales() const;   ///< of all targets
};

/// The same split with one of the targets. @param target  from 0
SplitData with_one_target(SplitData all, std::size_t target);

enum class SplitKind {
    random,   ///< round(test_fraction · n) rows without replacement
    column,   ///< a column of the table marks each row as train, test or validation (calibration)
    groups,   ///< rows with the same value of a column stay in one part; groups are drawn at random
    time,     ///< the last rows, in the order of a column or of the table
    folds,    ///< one of k parts of equal size, drawn at random; each row is in one of them. With a column,
              ///< rows with the same value are in one part and sizes are as equal as such groups allow
    file,     ///< the rows whose numbers a file lists
};

/// True if SplitOptions::column has a meaning. For time and folds it can be empty.
constexpr bool can_use_column(SplitKind kind) { return kind != SplitKind::random && kind != SplitKind::file; }

/// True if rows with the same value of SplitOptions::column stay in one part.
constexpr bool keeps_groups(SplitKind kind) { return kind == SplitKind::groups || kind == SplitKind::folds; }

struct SplitOptions {
    double test_fraction        = 0.2;   ///< in [0, 1); random, groups and time
    std::uint64_t seed          = 1;
    bool standardise_inputs     = true;
    bool standardise_targets    = false;   ///< regression only
    double calibration_fraction = 0;       ///< of the rows that are not test rows, in [0, 1)
    SplitKind kind              = SplitKind::random;
    std::string column          = {};   ///< name or 1-based number; see can_use_column
    int folds                   = 5;    ///< folds: at least 2
    int fold                    = 1;    ///< folds: the one that is the test part, from 1
    std::string test_rows       = {};   ///< file: its path

    bool operator==(const SplitOptions&) const = default;
};

/// Divides the rows according to `options`. At least one row remains for training, and each part
/// keeps the order of the table. Rows for calibration are then chosen from those that are not test
/// rows: whole groups, the last rows in time order, the rows marked "validation", or random rows.
/// They use their own random numbers, so that they do not change the test part. Scales and fill
/// values of missing cells are those of the training rows.
SplitData split(const Dataset& all, const SplitOptions& options);

/// Recalibration and conformal prediction use different groups of calibration rows.
/// @param groups  SplitData::calibration_groups, not empty
/// @throws Error  (field "split.calibration_fraction") if there is only one
void require_two_groups(std::span<const std::uint32_t> groups);

/// Estimates the standard deviation of the noise of a numeric target without a model:
///
///     s² = 1/(2n) Σ_i (y_i − y_{j(i)})²
///
/// j(i) is the training row nearest to row i in standardised inputs. The estimate is too large where the target
/// changes much between neighbours, and exact in the limit of many rows. Neighbours that repeat a row, including
/// its target, are skipped: copies contain no information about the noise. With many rows or inputs, evenly
/// spaced rows are used, so that at most 2e8 differences are computed.
///
/// @param target  from 0
/// @return        units of the target; empty: a classification, or fewer than 10 different rows
/// Source: Rice 1984; Liitiäinen, Corona and Lendasse 2010
std::optional<double> noise_by_neighbours(const SplitData& data, std::size_t target = 0);

}   // namespace credence
