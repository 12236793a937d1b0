// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/class_predictions.h"
#include "runs/experiment.h"
#include "views/views.h"

#include <optional>
#include <string>
#include <vector>

/// Shared by the view files.
namespace credence::view_support {

/// The selected input.
struct ChosenInput {
    std::vector<float> standardised;   ///< [n_features]
    std::optional<int> label;          ///< known for rows of the data
    std::optional<double> target;
    std::string name;   ///< "test row 3" or "(0.5, 1.2)"
};
/// @throws Error if the input has the wrong length or the row does not exist
ChosenInput chosen_input(const RunSnapshot& run, const InputChoice& choice);

/// Sampling mode of boxplots, intervals, verdict and logits of the selected input: weight samples
/// if the input also appears in tables, maps or image grids, so that the numbers agree; otherwise
/// InputChoice::draws.
DrawsOf draws_of_chosen(const RunSnapshot& run, const ViewOptions& options);

/// The sampled outputs at the selected input.
struct ChosenOutputs {
    ChosenInput input;
    OutputSamples samples;   ///< [S × 1 × outputs]
    int n_samples = 0;       ///< of the predictive: 1 if all draws agree
};
/// @return  empty: stopped
std::optional<ChosenOutputs> chosen_outputs(const RunSnapshot& run, const ViewOptions& options,
                                            const std::stop_token& stop);

/// The training data as points of a panel.
Points training_points(std::vector<double> x, std::vector<double> y);

inline constexpr const char* no_labelled_inputs = "There are no labelled inputs. Set a test share above 0.";

/// The scored rows: the test set, or the training set if there is no test set.
struct ScoredSet {
    const Dataset* data;
    std::span<const float> inputs;   ///< standardised
    std::string name;                ///< "test set"
};
ScoredSet scored_set(const Experiment& experiment);
/// The rows that recalibration and conformal prediction use: the calibration rows of a table, or
/// the validation set of images. Empty: the Study sets none aside.
std::optional<ScoredSet> calibration_set(const Experiment& experiment);
/// The use of a calibration row. If a Study requests both, each use gets a fixed half of the rows,
/// so that conformal scores stay exchangeable with those of new rows. If the split keeps groups
/// together, a group is in one half.
enum class CalibrationUse { recalibration, conformal };
/// Returns true if the Study requests both.
bool halves_calibration_rows(const Experiment& experiment);
/// Assigns each of n calibration rows to a half. Without groups, by the parity of the number of
/// ones in the row's binary index, which also halves evenly spaced rows. With groups, the largest
/// remaining group is repeatedly added to the half with fewer rows.
/// @param groups  SplitData::calibration_groups
/// @throws Error (field "split.calibration_fraction") if all rows are in one group
std::vector<CalibrationUse> calibration_halves(std::span<const std::uint32_t> groups, std::size_t n);
/// The calibration rows for a use: all n, or those of its half.
std::vector<std::size_t> calibration_rows_for(CalibrationUse use, const Experiment& experiment, std::size_t n);
/// The test set of a run whose scored set is a validation set; empty: there is no separate one.
std::optional<ScoredSet> final_test_set(const Experiment& experiment);

/// Returns the predictive, recalibrated if the Study requests it (views/recalibration_fit.h).
PosteriorPredictive predictive_of(const RunSnapshot& run, const ViewOptions& options);
/// Returns the posterior predictive without recalibration: for fits of the recalibration, and for
/// views that compare posteriors with a reference.
PosteriorPredictive unrecalibrated_predictive_of(const RunSnapshot& run, const ViewOptions& options);
/// Returns the predictive with weight samples, even if the run predicts with the linearised
/// network: for views that compare the two.
PosteriorPredictive weight_draws_of(const RunSnapshot& run, const ViewOptions& options);
Model model_of_weight_draws(const Experiment& experiment);

/// The variance that logits_by_moments adds: 0 except for imported predictions.
double added_variance(const Experiment& experiment);

/// Gives panels that are compared a common y axis: the widest stated range, or none if one panel
/// uses the range of its own data.
void share_height(std::vector<Panel>& panels);

/// Original units → network inputs.
std::vector<float> standardised(const Experiment& experiment, std::span<const double> inputs);

/// The image of an input; for imported predictions the image of the row: 0 to 255 [channels ×
/// height × width].
/// @param input  network input [n_features]; the data are images
std::vector<float> picture_values(const Experiment& experiment, std::span<const float> input);

/// "Data: Two moons (400 training and 100 test rows). Network: …. Seed 1, step 5000, 200 draws."
std::string setting_of(const RunSnapshot& run, std::optional<int> n_samples = {});

/// Names for runs in one picture: their studies' names, made distinct, without the common prefix:
/// "NUTS" and "SWAG" for "Two moons, NUTS" and "Two moons, SWAG", and the text in brackets for
/// "LeNet (SGLD)" and "LeNet (SWAG)".
std::vector<std::string> names_of(std::span<const RunSnapshot> runs);

/// Sets the size of all points, for small panels. @param size  typographic points
void set_point_size(Panel& panel, double size);

/// Adds the setting to the caption.
Chart with_setting(Chart chart, const RunSnapshot& run, std::optional<int> n_samples = {});

}   // namespace credence::view_support

/// Reasons why a view is not available for a run, shared by several views. Empty: it is available.
namespace credence::view_support {

std::optional<std::string> why_no_classes_to_count(const Experiment& experiment);
std::optional<std::string> why_no_page_of_images(const Experiment& experiment);
/// Returns a reason if there are no classes or all draws agree: then there is no distribution of
/// class probabilities, and no Gaussian over the logits.
std::optional<std::string> why_no_varying_classes(const Experiment& experiment);
std::optional<std::string> why_no_spread(const Experiment& experiment);   ///< of the weights

/// Shown before the curvature of a Laplace approximation is fitted.
inline constexpr auto before_curvature =
    "This is the point estimate. Its weights have no spread until the curvature is fitted, after the last step.";

}   // namespace credence::view_support

namespace credence {

/// The part of the captions that a run's figures share: "Data: Two moons (400 training and 100 test
/// rows). Network: …. Seed 1", without step and draws.
std::string shared_setting(const RunSnapshot& run);

/// "400 training and 100 test rows", "160 training, 40 validation and 50 test images".
std::string rows_of_parts(const Experiment& experiment);

}   // namespace credence

namespace credence::view_support {

/// Adds the input image to the left of a chart.
void add_input_picture(Chart& chart, const Experiment& experiment, const ChosenInput& input);

}   // namespace credence::view_support
