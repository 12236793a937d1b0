// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/class_predictions.h"
#include "views/views.h"

/// What the files of the views share.
namespace credence::view_support {

/// The input that a view follows.
struct ChosenInput {
    std::vector<float> standardised;   ///< [n_features]
    std::optional<int> label;          ///< known for rows of the data
    std::optional<double> target;
    std::string name;   ///< "test row 3" or "(0.5, 1.2)"
};
/// @throws Error if the input has the wrong length or the row does not exist
ChosenInput chosen_input(const RunMoment& moment, const ViewOptions& options);

/// Those of the boxplots, intervals, verdict and logits of the chosen input: of weights, as in tables, maps and image grids, wherever the input stands there too;
/// otherwise as ViewOptions::input_draws says.
DrawsOf draws_of_chosen(const RunMoment& moment, const ViewOptions& options);

/// What the draws of a moment say of the chosen input.
struct ChosenOutputs {
    ChosenInput input;
    OutputSamples samples;   ///< [S × 1 × outputs]
    int n_samples = 0;       ///< of the predictive: 1 where all draws agree
};
/// @return  empty: stopped
std::optional<ChosenOutputs> chosen_outputs(const RunMoment& moment, const ViewOptions& options,
                                            const std::stop_token& stop);

/// The rows that scores are about: the test set, or the training set where there is no test set.
struct ScoredSet {
    const Dataset* data;
    std::span<const float> inputs;   ///< standardised
    std::string name;                ///< "test set"
};
ScoredSet scored_set(const Experiment& experiment);
/// The test set of a run whose scored set is a validation set; empty: the scored set is all there is.
std::optional<ScoredSet> final_test_set(const Experiment& experiment);

PosteriorPredictive predictive_of(const RunMoment& moment, const ViewOptions& options);
/// The same at draws of the weights themselves, also where the run predicts by the linearised net: for views that set the two side by side.
PosteriorPredictive weight_draws_of(const RunMoment& moment, const ViewOptions& options);
Model model_of_weight_draws(const Experiment& experiment);

/// What logits_by_moments adds: nothing for runs of ours.
double added_variance(const Experiment& experiment);

/// One y axis for panels that are compared: the widest that any of them states, or none where one of them fits its own.
void share_height(std::vector<Panel>& panels);

/// Original units → what the network sees.
std::vector<float> standardised(const Experiment& experiment, std::span<const double> inputs);

/// The image that an input is, or, of outputs from elsewhere, that belongs to the row it names: 0 to 255 [channels × height × width].
/// @param input  what the network sees [n_features]; the data are images
std::vector<float> picture_values(const Experiment& experiment, std::span<const float> input);

/// "Data: Two moons (400 training and 100 test rows). Network: …. Seed 1, step 5000, 200 draws."
std::string setting_of(const RunMoment& moment, std::optional<int> n_samples = {});

/// What to call runs that stand in one picture: their studies' names, told apart where they are the same, without the words that all begin with: of "Two moons, NUTS" and
/// "Two moons, SWAG" the ends, of "LeNet (SGLD)" and "LeNet (SWAG)" what stands in brackets.
std::vector<std::string> names_of(std::span<const RunMoment> runs);

/// Adds the setting to the caption.
Chart with_setting(Chart chart, const RunMoment& moment, std::optional<int> n_samples = {});

}   // namespace credence::view_support
