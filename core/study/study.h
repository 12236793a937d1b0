// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"
#include "data/split.h"
#include "formats/csv.h"
#include "foundation/field_value.h"
#include "posterior/options.h"
#include "posterior/prior.h"
#include "prediction/conformal.h"
#include "sources/stroke_digits.h"
#include "sources/toy.h"
#include "training/trainer.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace credence {

/// Ids of the sources (study/source.h) that other code uses.
struct DataSource {
    static constexpr auto toy = "toy", drawn = "drawn", csv = "csv", strokes = "strokes",
                          traffic_signs = "traffic_signs", images = "images";
};
bool is_images(const std::string& source);

struct DrawnPoint {
    double x = 0, y = 0;                            ///< classification: both are inputs; regression: y is the target
    int label                                = 0;   ///< classification
    bool operator==(const DrawnPoint&) const = default;
};

/// Points added and removed during training; they take effect at the step after `step`. Added
/// points are training points; removed points are given by their exact values.
struct PointsChange {
    long step = 0;
    std::vector<DrawnPoint> added{}, erased{};
    bool operator==(const PointsChange&) const = default;
};

/// Selection of images. Counts of 0 mean all.
struct ImageSpec {
    StrokeAlphabet alphabet = StrokeAlphabet::digits;   ///< strokes; they use the seed of the toys
    int training_images = 10000, test_images = 2000;    ///< strokes, traffic signs
    double variation        = 1;                        ///< strokes
    double difficulty       = 0.6;                      ///< traffic signs
    bool grey               = false;       ///< the network sees the luma of colours; see runs/experiment.cpp
    int local_normalisation = 0;           ///< side of the window in pixels, odd; 0: none (images/image_transforms.h)
    std::string set         = "mnist";     ///< images: an id or a path, see load_image_data
    bool exchanged          = false;       ///< swap training and test part (Steinbrener et al. 2020)
    std::vector<int> only_classes;         ///< empty: all
    int per_class = 0, first_images = 0;   ///< of the training part
    int validation_images =
        0;   ///< set aside from training at random, used instead of the test part, which is scored in addition
    PixelScaling pixels                     = PixelScaling::divide_256;
    bool operator==(const ImageSpec&) const = default;
};

struct DataSpec {
    std::string source = DataSource::toy;   ///< id of one of study/source.h
    ToyOptions toy;
    Task drawn_task = Task::classification;
    std::vector<DrawnPoint> points;   ///< drawn
    /// Drawn: the test rows; then all of `points` are training rows. Empty: the Study's split
    /// chooses the test rows.
    std::optional<std::vector<DrawnPoint>> test_points = {};
    /// For generated or drawn points in the plane or on a curve: changes during training, by step.
    /// The same Study repeats them.
    std::vector<PointsChange> changes = {};
    std::string file;   ///< csv: path as entered by the user, absolute when saved
    CsvOptions csv;
    ImageSpec images;   ///< strokes, traffic signs, images
    std::map<std::string, FieldValue> own =
        {};   ///< other settings of the source, by path; its file in study/sources has their defaults
    bool operator==(const DataSpec&) const = default;
};

enum class NetworkKind {
    mlp,   ///< hidden layers of `hidden` units
    lenet_caffe,
    lenet5,
    signs_lenet,
    bridge_cnn,
    cifar10_full,
    resnet,   ///< images, see network/architecture.h
    layers,   ///< written out in `layers`
};

struct NetworkSpec {
    NetworkKind kind = NetworkKind::mlp;
    std::vector<int> hidden{50, 50};                    ///< mlp: units of the hidden layers
    ActivationKind activation = ActivationKind::relu;   ///< mlp
    int units                 = 500;                    ///< lenet_caffe: units of its hidden dense layer
    int blocks                = 1;                      ///< resnet: residual blocks of each width
    /// network/architecture.h; the last dense layer is added automatically
    std::string layers   = "conv 20 5, max 2, conv 50 5, max 2, dense 500, relu";
    double dropout       = 0;   ///< mlp: after each hidden activation; lenet_caffe: after its first dense layer
    double input_dropout = 0;   ///< mlp: before its first layer
    Initialisation initialisation = Initialisation::he;
    std::vector<double> initial_sd{0.01};   ///< Initialisation::gaussian: per layer; a shorter list repeats its last
    std::string noise                         = "given";   ///< regression: id of a NoiseModel
    std::map<std::string, FieldValue> own     = {};        ///< settings of the noise models, by path
    bool operator==(const NetworkSpec&) const = default;
};

enum class PriorKind { gaussian, scale_mixture };

/// Lists have one number per layer; a shorter list repeats its last number.
struct PriorSpec {
    PriorKind kind = PriorKind::gaussian;
    std::vector<double> weight_mean{0}, weight_sd{1}, bias_mean{0}, bias_sd{1};
    ScaleMixturePrior mixture;
    bool learned = false;   ///< its scales (and π) are initial values of learning, see posterior/prior.h
    bool operator==(const PriorSpec&) const = default;
};

/// The calibration rows that share a threshold in conformal prediction.
enum class ConformalBy {
    all,      ///< all calibration rows: coverage on average over all rows
    class_,   ///< those of one class: coverage within each class
    column,   ///< those with the same value in a column: coverage within each group
};
enum class RecalibrationKind;   // prediction/recalibration.h

struct PredictionSpec {
    int samples                     = 200;    ///< weight samples per prediction
    double level                    = 0.95;   ///< of credible intervals and of certainty, α in (0, 1)
    RecalibrationKind recalibration = {};     ///< fitted on the calibration rows
    std::string
        other_data;   ///< images: out-of-distribution data, an id or a path; empty: the default for the training data
    std::string points;                              ///< tables: a file of inputs at which to predict; empty: none
    ConformalOptions conformal = {};                 ///< sets and intervals at `level`; score none: none
    ConformalBy conformal_by   = ConformalBy::all;   ///< rows that share a threshold
    std::string conformal_column;                    ///< of the table, for ConformalBy::column
    bool operator==(const PredictionSpec&) const = default;
};

/// All settings that determine a run. The same Study gives the same bits on any number of threads.
struct Study {
    std::string name = "Two moons, mean field";
    std::string note;         ///< why these settings; shown under the preset's name
    std::uint64_t seed = 1;   ///< of initial weights, minibatches, noise and predictions; data and split have their own
    DataSpec data;
    SplitOptions split;
    NetworkSpec network;
    PosteriorOptions posterior{.initial_tau = {0.4, 0.1}, .initial_rho = {0.01, 0.01}};
    PriorSpec prior;
    TrainerOptions training{.kl_weighting = KlWeighting::uniform,
                            .kl_weight    = 1};   ///< the ELBO itself; its seed is the Study's
    PredictionSpec prediction;
};
bool operator==(const Study& a, const Study& b);

/// Reads and writes JSON, version 1. Keys are the field paths of fields.h, nested: {"credence": 1,
/// "name": …, "data": {…}, …}. In addition data.points is a list of [x, y, label], and data.changes
/// a list of {"step": …, "added": […], "erased": […]} if points changed during training. Defaults
/// are written too, except as stated at Field::written_if_used. Missing keys have their defaults
/// (data.noise: that of data.kind); unknown keys and values out of range are errors that name the
/// key.
nlohmann::json to_json(const Study& study);
Study study_from_json(const nlohmann::json& json);
std::string to_text(const Study& study);                                     ///< indented JSON with a final newline
Study study_from_text(const std::string& text, const std::string& origin);   ///< @param origin  file name for messages
/// Makes relative data paths absolute, relative to `folder`. Ids of data sets stay unchanged.
void resolve_paths(Study& study, const std::filesystem::path& folder);
Study load_study(const std::filesystem::path& file);   ///< relative data files are resolved against the study's folder
void save_study(const Study& study, const std::filesystem::path& file);   ///< atomically

/// "training.learning_rate=0.01". @throws Error with the path and the expected values
void set_field(Study& study, const std::string& assignment);

/// @throws Error (with the field's path) for settings out of range, alone or in combination
void check(const Study& study);

/// Refuses a Study whose table, file of test rows or set of images does not exist, without reading
/// them. @throws Error with the field, the path and how to get the file
void require_data_files(const Study& study);
/// Checks only the prediction settings, which can change after training.
void check_prediction(const Study& study);
/// @throws Error (field "prediction.recalibration") if this kind is for another task
void require_recalibration_of(RecalibrationKind kind, Task task);

}   // namespace credence
