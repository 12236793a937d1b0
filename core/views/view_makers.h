// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/views.h"

/// The functions behind the list of views. Not for use outside core/study.
namespace credence::view_makers {

Chart decision_map_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart regression_band_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart boxplots_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart intervals_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart simplex_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart verdict_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart nearest_images_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart disturbance_curve_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart layers_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart layers_over_training_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart laplace_evidence_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart weights_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart signal_to_noise_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart one_weight_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart prior_and_start_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart training_curves_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart certainty_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart confusion_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart calibration_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart roc_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart kernels_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart certain_but_wrong_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart image_list_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart out_of_distribution_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart beta_marginals_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart list_lengths_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart laplace_maps_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart bridge_scores_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);
Chart scores_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop);

bool has_map(const Experiment& experiment);            ///< two inputs and classes
bool has_band(const Experiment& experiment);           ///< one input and a number to predict
bool has_laplace_maps(const Experiment& experiment);   ///< a map, and the Laplace approximation
std::pair<Range, Range>
region_of(const Experiment& experiment);                 ///< of a map: the data's range widened by 40 % on each side
bool has_law_of_classes(const Experiment& experiment);   ///< classes, and weights or masks that vary

}   // namespace credence::view_makers
