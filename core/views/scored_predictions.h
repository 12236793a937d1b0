// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/set_predictions.h"
#include "views/views.h"

#include <memory>

namespace credence {

/// What a run says at one moment about a whole set of inputs. Many pages are made of it (certainty, confusion, ROC, calibration, scores, …): it is computed
/// once for all of them. Draws are not kept: a row takes 8 bytes a class and about 60 more.
struct ScoredPredictions {
    SetPredictions set;
    std::vector<std::uint32_t> rows;   ///< of the data, in the order of `set`
    std::vector<int> labels;           ///< [rows]; empty for inputs without classes of the net
    std::size_t n_all = 0;             ///< rows that there are: more than `rows` where options.rows is a limit
    std::string name;                  ///< "test set", with the number of rows looked at where these are not all
    double level   = 0.95;             ///< the study's α; the first of set.levels
    double seconds = 0;                ///< wall time of the draws and of what is made of them

    const Certainty& at_level() const { return set.certainty.front(); }
};

/// Of the test rows (the training rows where there are none). Levels: the study's, then the published ones (Posch and Pilz 2021, Table III).
/// The last few are kept: asking again for the same moment and options costs nothing. May be called from many threads; a call that finds another thread
/// at work on the same waits for it, and still stops when asked.
/// @return  null if `stop` was requested
std::shared_ptr<const ScoredPredictions> scored_predictions(const RunMoment& moment, const ViewOptions& options,
                                                            std::stop_token stop);
/// The same if they are kept: computes nothing and waits for nobody. @return  null: they are not
std::shared_ptr<const ScoredPredictions> scored_predictions_at_hand(const RunMoment& moment,
                                                                    const ViewOptions& options);
/// Of the final test set (view_support::final_test_set).
std::shared_ptr<const ScoredPredictions> final_test_predictions(const RunMoment& moment, const ViewOptions& options,
                                                                std::stop_token stop);
/// Of other_data(experiment).
std::shared_ptr<const ScoredPredictions> foreign_predictions(const RunMoment& moment, const ViewOptions& options,
                                                             std::stop_token stop);

/// Adds the name of the rows to the caption, and how the draws were made.
Chart on_rows(Chart chart, const RunMoment& moment, const ScoredPredictions& scored);

}   // namespace credence
