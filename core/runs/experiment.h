// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"
#include "foundation/lazily_made.h"
#include "posterior/variational_family.h"
#include "prediction/posterior_predictive.h"
#include "study/study.h"

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// Imported predictions in an Experiment. There is no network: the inputs are row numbers, first
/// those of the file itself, then those of the OOD file. The posterior
/// (posterior/outputs_posterior.h) returns the stored outputs of a row. See docs/architecture.md,
/// "Imported predictions".
struct ImportedOutputs {
    /// The rows of one file.
    struct Part {
        std::string name;                         ///< of the file
        std::size_t n = 0;                        ///< rows
        std::vector<int> labels;                  ///< [n], or empty
        std::vector<std::string> class_names;     ///< [K]
        std::shared_ptr<const ImageSet> images;   ///< [n], or null
        std::vector<double> inputs;               ///< [n × n_inputs], original units, or empty
        std::size_t n_inputs = 0;
        std::string note;   ///< a sentence about changes made on reading; may be empty
    };
    Part own, other;       ///< other.n is 0 without an OOD file
    std::string numbers;   ///< "probabilities", "logits", "mean and variance"

    /// Returns the bytes of the image of a row, numbered through both files; empty: no image of the
    /// size used by the file.
    std::span<const std::uint8_t> image(std::size_t row) const;
};

struct OtherData;

/// A prepared Study: data loaded and split, model and prior built, initial weights drawn.
/// Immutable; shared by Trainer, views and files.
struct Experiment {
    Study study;
    std::shared_ptr<const SplitData> data;
    Model model;
    Prior prior;
    std::shared_ptr<const VariationalFamily<float>> start;
    /// For a Study whose points change during training: the initial data and the later ones. The
    /// last of these are `data`, which everything else uses. Otherwise null and empty.
    std::shared_ptr<const SplitData> first_data = nullptr;
    std::vector<RowsFrom> later                 = {};
    std::shared_ptr<const ImportedOutputs> outputs =
        nullptr;              ///< imported predictions instead of a network; null: a Credence run
    std::string table = {};   ///< state of the table's file, see table_state; empty: generated data or images
    /// One target of a run with several (runs/derived_runs.h); 0: the whole run.
    std::size_t target_of = 0;
    /// For one target: the experiment with all targets, whose samples it shares, and the target's
    /// number from 0. Empty in a copy with another Study.
    std::weak_ptr<const Experiment> all_targets = {};
    std::size_t target                          = 0;
    MadeOnce<OtherData> other_data              = {};   ///< see runs/other_data.h

    Task task() const { return data->training.task; }
    const std::shared_ptr<const SplitData>& data_at_start() const { return first_data ? first_data : data; }
    /// The errors of recorded steps and how often they are computed: for images they take a fifth
    /// of the training time unless the Study sets them.
    struct RecordedErrors {
        Evaluator evaluator;
        int every = 1;
    };
    RecordedErrors recorded_errors() const;
    std::unique_ptr<Trainer> make_trainer() const;
    /// Makes the trainer of one part of a method's run, with its own initial state; the errors of
    /// its recorded steps are computed as for the whole run.
    /// @param options  including the seed of this part
    std::unique_ptr<Trainer> make_trainer(std::unique_ptr<VariationalFamily<float>> from, TrainerOptions options) const;
};

/// The same data, network and start with a Study that differs only in settings that do not affect
/// training: names, predictions, the Laplace approximation.
std::shared_ptr<const Experiment> with_study(const Experiment& experiment, const Study& study);

/// Initial state of the training of this study, including the prior's parameters if they are
/// learned. @param means  initial weights
std::unique_ptr<VariationalFamily<float>> start_of(const Study& study, const ParameterLayout& layout,
                                                   std::span<const float> means);

/// @throws Error (with the field) if the Study's method refuses its settings, this network or these
/// data, or if the requested predictions are not possible
void require_method_fits(const Experiment& experiment);

/// @param stop  checked while data are read, split and scaled
/// @return      null: stopped
/// @throws Error with the wrong field, or the error of the data file
std::shared_ptr<const Experiment> prepare(const Study& study, std::stop_token stop = {});
/// Prepares a Study with the data and split of `like`, sharing its rows instead of reading them
/// again.
/// @return  null: data or split differ, or points change during training
std::shared_ptr<const Experiment> prepare_on_data_of(const Experiment& like, const Study& study);
/// Prepares model, prior and initial state for given data, for callers with their own rows.
/// @param study  has passed `check`
std::shared_ptr<const Experiment> experiment_on(const Study& study, std::shared_ptr<const SplitData> data);
/// Identifies the state of the file that a Study's table is read from: "4,711 bytes, hash
/// 1c291ca3f0e4b7d2". Empty: the data are not from such a file, or it cannot be read.
std::string table_state(const DataSpec& data);
/// Loads the whole table of a Study.
/// @param data  from a source of tables; images have predefined parts, see ImageData in
/// data/image_set.h
Dataset load_data(const DataSpec& data);
/// Returns the options for reading the table of a Study, including the column that splits its rows.
CsvOptions table_options(const Study& study);
/// Returns the network described by the settings, before the layers added by the data and by the
/// method.
/// @param image  shape of the inputs; empty if they are not images
Architecture network_for(const NetworkSpec& network, int inputs, const std::optional<ImageShape>& image, int outputs);

/// The input of all views: one recorded step of one run. Its weights match its network and data, so
/// that no view reads out of bounds.
struct RunSnapshot {
    RunSnapshot() = default;
    /// @param snapshot  null: nothing is trained yet
    /// @throws Error    (field "data") if the snapshot is of another network: the data of a saved
    /// run may have a new column or class
    RunSnapshot(std::shared_ptr<const Experiment> experiment, std::shared_ptr<const Snapshot> snapshot,
                std::shared_ptr<const TrainingHistory> history);

    std::shared_ptr<const Experiment> experiment;
    std::shared_ptr<const Snapshot> snapshot;
    std::shared_ptr<const TrainingHistory> history;   ///< up to and including the snapshot
    /// The recorded snapshots up to this one, in order, as the path of training; may be empty.
    std::vector<std::shared_ptr<const Snapshot>> recorded = {};
};

/// The prior at this step: that of the experiment, or the learned one.
Prior prior_at(const RunSnapshot& run);

struct Training {
    TrainingReport report;
    TrainingHistory history;   ///< the recorded steps
};

/// Runs a whole Study. Laplace approximations: trains the point estimate, then fits the curvature
/// as a last phase that can be paused and stopped like training; the fitted snapshot is recorded
/// again at the last step. If this phase is stopped, or the curvature is refused, the result is the
/// point estimate, and the report's message states this.
/// Runs in the threads of the enclosing Threads::run.
Training train(const Experiment& experiment, std::stop_token stop = {}, TrainingControl* control = nullptr,
               const TrainingEvents& events = {});

}   // namespace credence
