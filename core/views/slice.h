// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "data/input_groups.h"
#include "prediction/posterior_predictive.h"
#include "prediction/regression.h"

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

struct Experiment;
struct RunSnapshot;
struct ViewOptions;

/// How a slice fixes the inputs that it does not vary.
enum class SliceHold {
    row,       ///< at the selected input
    median,    ///< at typical_row of the training rows
    average,   ///< at training rows, over which it averages: partial dependence
};

/// The quantity that a slice shows.
enum class SliceQuantity {
    prediction,   ///< regression: f; classification: the probability of MapOptions::class_index
    total,        ///< regression: √ Var y; classification: H(p̄), nats
    epistemic,    ///< regression: sd of f over samples; classification: H(p̄) − E H(p_s), nats
    aleatoric,    ///< regression: √ mean s²; classification: E H(p_s), nats
};

/// The axes of numbers in a slice.
enum class SliceScale {
    automatic,   ///< logarithmic where LogAxis::proposed
    linear,
    logarithmic,   ///< where LogAxis::possible
};

/// The choices of the view slice.
struct SliceChoice {
    std::string first;    ///< the varied input; empty: the most influential one
    std::string second;   ///< a second varied input; empty: none
    SliceHold hold         = SliceHold::row;
    SliceQuantity quantity = SliceQuantity::prediction;
    bool individual        = false;   ///< averaged: also the curves of single rows
    SliceScale scale       = SliceScale::automatic;
    bool marks_input       = true;   ///< draws a line at the selected input; false: the window draws it, as a handle
    bool operator==(const SliceChoice&) const = default;
};

/// @throws Error "--hold is "x", expected one of row, median, average."
SliceHold slice_hold_named(const std::string& wanted);
/// @throws Error "--quantity is "x", expected one of prediction, total, epistemic, aleatoric."
SliceQuantity slice_quantity_named(const std::string& wanted);
/// @throws Error "--slice-scale is "x", expected one of automatic, linear, logarithmic."
SliceScale slice_scale_named(const std::string& wanted);
std::string title_of(SliceQuantity quantity, Task task);   ///< "Epistemic standard deviation"

/// Whether the axis of an input can be logarithmic.
struct LogAxis {
    bool possible = false;   ///< a number that is above 0 in all training rows
    bool proposed = false;   ///< also skewed: max/min ≥ 100 and moment skewness m₃/m₂^{3/2} ≥ 1
};
/// Decides from at most 10,000 evenly spaced rows.
LogAxis log_axis_for(const Dataset& training, const InputGroup& input);

/// One varied input and its values: numbers in the data's units, or the indices of categories.
struct SliceAxis {
    InputGroup input;
    std::vector<double> at;
    bool logarithmic = false;   ///< neighbouring values have the same ratio instead of the same difference
};

/// The points of a slice: the product of one or two axes, the first of which varies fastest.
struct SliceGrid {
    SliceAxis x;
    std::optional<SliceAxis> y = {};

    std::size_t n() const { return x.at.size() * (y ? y->at.size() : 1); }
    void set(std::span<double> row, std::size_t point) const;
};

/// The rows that give the values of the fixed inputs.
struct HeldInputs {
    std::size_t n = 0;
    std::vector<double> rows{};          ///< original units [n × n_features]
    std::string words{};                 ///< "with the other inputs at test row 41"
    std::optional<double> target = {};   ///< of a single row, if known
};

/// Predictions at the points of a slice, averaged over R held rows x_r:
///
///     g_s(v) = (1/R) Σ_r f_s(x_r with the varied inputs at v)     [S × n], classes: p_s of one class
///
/// and the mean over rows of the mean, total, epistemic and aleatoric uncertainty (see SliceQuantity).
/// Source: Friedman 2001, section 8.2, for each weight sample; Goldstein et al. 2015 for single rows.
struct SliceValues {
    RegressionSamples samples;   ///< f = g; regression: s = √ mean over rows of s²; classes: 0
    std::vector<double> mean, total, epistemic, aleatoric;   ///< [n]
    std::vector<std::vector<double>> individual;             ///< mean over samples for each row [R][n]

    const std::vector<double>& of(SliceQuantity quantity) const;
};

/// @return  empty: stopped
std::optional<SliceValues> slice_values(const Experiment& experiment, const PosteriorPredictive& predictive,
                                        const SliceGrid& grid, const HeldInputs& held, int class_index,
                                        const std::stop_token& stop);

/// Training rows by their InputDistance from a slice, original units.
struct SlicePoints {
    std::vector<std::size_t> near, middle, far;   ///< d ≤ 0.5, d ≤ 1, others
};
/// Selects from at most 2,000 evenly spaced rows; at most 300 of them are far.
/// @param point  null: all rows are far
SlicePoints points_near_slice(const Dataset& data, std::vector<InputGroup> others, const std::vector<double>* point);

}   // namespace credence
