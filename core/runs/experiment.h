// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/made_once.h"
#include "posterior/variational_family.h"
#include "prediction/posterior_predictive.h"
#include "runs/outputs_at_hand.h"
#include "study/study.h"

#include <memory>
#include <stop_token>
#include <string>

namespace credence {

struct OtherData;

/// A Study made ready: data loaded and split, model and prior built, start drawn. Immutable; shared by Trainer, views and files.
struct Experiment {
    Study study;
    std::shared_ptr<const SplitData> data;
    Model model;
    Prior prior;
    std::shared_ptr<const VariationalFamily<float>> start;
    /// Of a Study whose points change on the way: the data that training begins with, and those that come by and by; the last are `data`, which all else looks at. Else null and none.
    std::shared_ptr<const SplitData> first_data = nullptr;
    std::vector<RowsFrom> later                 = {};
    std::shared_ptr<const OutputsAtHand> outputs =
        nullptr;   ///< of a file from elsewhere, in the place of a net; null: a run of ours
    std::string table =
        {};   ///< the state of the file that a table was read from, see table_state; empty: made or images
    MadeOnce<OtherData> other_data = {};   ///< see runs/other_data.h

    Task task() const { return data->training.task; }
    const std::shared_ptr<const SplitData>& data_at_start() const { return first_data ? first_data : data; }
    /// The errors of recorded steps, and at every so many-th of these: of images a fifth of what the training costs that they stand beside, unless the Study
    /// says which.
    struct RecordedErrors {
        Evaluator evaluator;
        int every = 1;
    };
    RecordedErrors recorded_errors() const;
    std::unique_ptr<Trainer> make_trainer() const;
    /// One part of a method's run, from its own start: the errors of its recorded steps are computed as for the whole. @param options  with its seed
    std::unique_ptr<Trainer> make_trainer(std::unique_ptr<VariationalFamily<float>> from, TrainerOptions options) const;
};

/// The same data, network and start under a Study that differs from the experiment's own in nothing that training depends on: names, predictions, the Laplace approximation.
std::shared_ptr<const Experiment> with_study(const Experiment& experiment, const Study& study);

/// Where a training of this study begins, with the parameters of its prior behind it where these are learned. @param means  starting weights
std::unique_ptr<VariationalFamily<float>> start_of(const Study& study, const ParameterLayout& layout,
                                                   std::span<const float> means);

/// @throws Error (with the field) for what the Study's method refuses of its own settings, this net and these data
void require_method_fits(const Experiment& experiment);

/// @param stop  asked while data are read, split and scaled
/// @return      null: stopped
/// @throws Error with the field that is wrong, or the sentence of the data file
std::shared_ptr<const Experiment> prepare(const Study& study, std::stop_token stop = {});
/// What `prepare` makes of data that are there: model, prior and start; for those who have rows of their own. @param study  has passed `check`
std::shared_ptr<const Experiment> experiment_on(const Study& study, std::shared_ptr<const SplitData> data);
/// The whole table behind a Study. @param data  of a source of tables; images are split from the beginning, see image_data.h
Dataset load_data(const DataSpec& data);

/// Everything that a view may look at: one moment of one run. Its weights fit its net and its data, so that no view reads past them.
struct RunMoment {
    RunMoment() = default;
    /// @param snapshot  may be null: nothing is trained yet
    /// @throws Error    (field "data") if the snapshot is of another net: the data of a kept run may have gained a column or a class since
    RunMoment(std::shared_ptr<const Experiment> experiment, std::shared_ptr<const Snapshot> snapshot,
              std::shared_ptr<const TrainingHistory> history);

    std::shared_ptr<const Experiment> experiment;
    std::shared_ptr<const Snapshot> snapshot;
    std::shared_ptr<const TrainingHistory> history;   ///< up to and including the snapshot
};

/// The prior of a moment: that of the experiment, or what it has become where its parameters are learned.
Prior prior_at(const RunMoment& moment);

}   // namespace credence
