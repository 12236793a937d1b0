// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/experiment.h"

#include "formats/encode_rows.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/find_listed.h"
#include "foundation/hashes.h"
#include "foundation/number_text.h"
#include "foundation/progress.h"
#include "network/architecture.h"
#include "network/noise_model.h"
#include "posterior/prior.h"
#include "posterior/pruning.h"
#include "prediction/training_errors.h"
#include "runs/changed_points.h"
#include "runs/image_data.h"
#include "study/fields.h"
#include "study/method.h"
#include "study/source.h"
#include "study/study.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace credence {

std::string table_state(const DataSpec& data)
{
    const Source& source = source_of(data);
    if (!source.place || source.gives_images())
        return {};
    try {
        const auto bytes = read_file(source.place(data), "a table");
        return grouped_text(static_cast<long>(bytes.size())) + " bytes, hash " + text_hash(bytes);
    } catch (const Error&) {   // the file was deleted in the meantime
        return {};
    }
}

std::span<const std::uint8_t> ImportedOutputs::image(std::size_t row) const
{
    const bool first  = row < own.n;
    const auto& part  = first ? own : other;
    const auto number = first ? row : row - own.n;
    if (!part.images || number >= part.n || !own.images || part.images->channels != own.images->channels
        || part.images->height != own.images->height || part.images->width != own.images->width)
        return {};
    return part.images->image(number);
}

namespace {

/// The weights of network.class_weights. Empty: none.
std::vector<double> class_weights_of(const Study& study, const Dataset& training)
{
    const auto choice   = std::get<std::string>(field("network.class_weights").get(study));
    const std::size_t K = training.n_classes();
    if (choice == "list") {
        auto weights = std::get<std::vector<double>>(field("network.class_weight_list").get(study));
        if (weights.size() != K)
            throw Error("network.class_weight_list", "network.class_weight_list has " + std::to_string(weights.size())
                                                         + " numbers, expected " + std::to_string(K)
                                                         + ": one for each class.");
        return weights;
    }
    if (choice == "none")
        return {};
    std::vector<double> weights(K, 0);
    for (const int label : training.labels)
        ++weights[static_cast<std::size_t>(label)];
    for (double& weight : weights)   // a class without training rows keeps the unused weight 1
        weight = weight > 0 ? static_cast<double>(training.n_rows) / (static_cast<double>(K) * weight) : 1;
    return weights;
}

/// One likelihood for each target. A noise level is in standardised units, unless the Study lists one for
/// each target.
/// @param values  of the noise model's settings
Likelihood likelihood_of_several(const Study& study, const SplitData& data, const NoiseModel& model,
                                 const std::vector<double>& values)
{
    const std::size_t T = data.training.n_targets();
    std::vector<double> levels;
    if (const Field& list = field("network.noise_sd_list"); list.applies(study))
        levels = std::get<std::vector<double>>(list.get(study));
    if (!levels.empty() && levels.size() != T)
        throw Error("network.noise_sd_list", "network.noise_sd_list has " + std::to_string(levels.size())
                                                 + " numbers, expected " + std::to_string(T)
                                                 + ": one for each target, or none.");
    std::vector<Likelihood> targets;
    for (std::size_t t = 0; t < T; ++t)
        targets.push_back(
            model.likelihood(levels.empty() ? values : std::vector{levels[t] / data.target_scales().sd[t]}));
    return Likelihood::of_several(std::move(targets));
}

Likelihood likelihood_of(const Study& study, const SplitData& data)
{
    if (data.training.task == Task::classification) {
        auto weights = class_weights_of(study, data.training);
        return weights.empty() ? Likelihood::categorical() : Likelihood::weighted_categorical(std::move(weights));
    }
    const NoiseModel& model = noise_model(study.network.noise);
    std::vector<double> values;
    const bool several = data.training.n_targets() > 1;
    for (const NoiseSetting& setting : model.settings) {
        const double value = std::get<double>(field(setting.path).get(study));
        values.push_back(setting.in_target_units && !several ? value / data.target_sd
                                                             : value);   // the network works in standardised targets
    }
    return several ? likelihood_of_several(study, data, model, values) : model.likelihood(values);
}

}   // namespace

Architecture network_for(const NetworkSpec& network, int inputs, const std::optional<ImageShape>& image, int outputs)
{
    switch (network.kind) {
    case NetworkKind::mlp: break;
    case NetworkKind::lenet_caffe: return lenet_caffe(image.value(), network.units, outputs, network.dropout);
    case NetworkKind::lenet5: return lenet5(image.value(), outputs);
    case NetworkKind::signs_lenet: return signs_lenet(image.value(), outputs);
    case NetworkKind::bridge_cnn: return bridge_cnn(image.value(), outputs);
    case NetworkKind::cifar10_full: return cifar10_full(image.value(), outputs);
    case NetworkKind::resnet: return resnet(image.value(), network.blocks, outputs);
    case NetworkKind::layers: {
        Architecture written{inputs, layers_from_text(network.layers), image};
        written.layers.push_back(Dense{outputs});
        written.check();
        return written;
    }
    }
    Architecture dense = mlp(inputs, network.hidden, outputs, network.activation, network.dropout,
                             network.input_dropout);
    dense.image        = image;
    return dense;
}

namespace {

/// Adds the preprocessing steps of the data as layers without weights before the network's own
/// layers. Displayed, drawn or perturbed images and attacks are always the original colour image;
/// the network sees the preprocessed one in training, in scores and for out-of-distribution sets.
/// The gradient of an attack passes through these steps to the pixels.
Architecture after_data_steps(Architecture network, const ImageSpec& images)
{
    std::vector<Layer> steps;
    if (images.grey && network.image->channels > 1)
        steps.push_back(Grey{});
    if (images.local_normalisation > 0) {
        constexpr double floor = 0.02;   // of the range from black to white: about the noise of a camera in a flat area
        steps.push_back(LocalNorm{images.local_normalisation, floor * (255 / divisor_of(images.pixels))});
    }
    network.layers.insert(network.layers.begin(), steps.begin(), steps.end());
    network.check();
    return network;
}

/// The setting that determines the layers.
const char* field_of(NetworkKind kind)
{
    return kind == NetworkKind::mlp      ? "network.hidden"
           : kind == NetworkKind::layers ? "network.layers"
                                         : "network.kind";
}

Architecture architecture_of(const Study& study, const SplitData& data, const Likelihood& likelihood)
{
    const int outputs = likelihood->n_outputs(static_cast<int>(data.training.n_classes()));
    try {
        auto plain = network_for(study.network, static_cast<int>(data.training.n_features), data.image, outputs);
        if (data.image)
            plain = after_data_steps(std::move(plain), study.data.images);
        const auto& of_method = method_of(study).architecture;
        auto network          = of_method ? of_method(plain, study) : plain;
        if (const int constant = likelihood->n_constant_outputs(); constant > 0)
            std::get<Dense>(network.layers.back()).constant = constant;
        return network;
    } catch (const Error& error) {
        throw Error(field_of(study.network.kind), error.what());
    }
}

/// Limits the cost of errors at recorded steps: for images, a fifth of the training time. Uses the
/// same numbers as for tables if that is cheap enough; otherwise fewer rows and samples, and not at
/// every recorded step. Numbers other than the defaults are used at every recorded step.
struct ErrorPlan {
    ErrorEffort effort;
    int every = 1;
};
ErrorPlan error_plan(const Experiment& experiment)
{
    const TrainerOptions usual;
    const auto& asked = experiment.study.training;
    ErrorPlan plan{.effort = {.rows = asked.error_images, .draws = asked.error_draws}};
    const bool is_usual = asked.error_images == usual.error_images && asked.error_draws == usual.error_draws;
    if (!experiment.data->image || !is_usual)
        return plan;
    constexpr double records = 200,
                     share   = 0.2;   // a step has three passes: forward, and backward to weights and inputs
    const auto& training     = experiment.study.training;
    const double allowed     = share * 3 * training.batch_size * training.samples_per_step
                           * static_cast<double>(training.steps) / records;
    const auto cost = [&](const ErrorEffort& effort) {
        const bool varies = experiment.model.dropout_at_prediction
                            || method_of(experiment.study).posterior.is_sample_set;
        return 2.0 * effort.rows * (varies ? effort.draws : 1);
    };
    if (cost(plan.effort) <= allowed)
        return plan;
    plan.effort = {.rows = 500, .draws = 2};
    plan.every  = static_cast<int>(std::clamp(std::ceil(cost(plan.effort) / allowed), 1.0, 20.0));
    return plan;
}

Prior prior_of(const PriorSpec& spec, const ParameterLayout& layout)
{
    if (spec.kind == PriorKind::scale_mixture)
        return Prior::same(layout, spec.mixture);
    Prior prior;
    for (const auto& block : layout.blocks) {
        const bool weights = block.kind == BlockKind::weights;
        prior.blocks.push_back(
            GaussianPrior::from_sigma(of_layer(weights ? spec.weight_sd : spec.bias_sd, block.layer),
                                      of_layer(weights ? spec.weight_mean : spec.bias_mean, block.layer)));
    }
    return prior;
}

/// Sets how weight samples become predictions.
void set_predictive(Model& model, const Study& study)
{
    const Method& method           = method_of(study);
    model.dropout_at_prediction    = method.training.noise != NoiseIn::nothing;
    model.linearised_at_prediction = method.linearised_at_prediction && method.linearised_at_prediction(study);
}

void require_usable(const Dataset& data)
{
    if (data.n_rows < 2)
        throw Error("data", "The data set has " + std::to_string(data.n_rows) + " rows, expected at least 2.");
    if (data.n_features < 1)
        throw Error("data.columns", "The data set has no input column, expected at least one in addition to the "
                                    "target.");
    if (data.task == Task::classification && data.n_classes() < 2)
        throw Error("data.target",
                    "The target has " + std::to_string(data.n_classes()) + " class, expected at least 2.");
}

}   // namespace

Dataset load_data(const DataSpec& data)
{
    const auto& load = source_of(data).load;
    if (!load)
        throw Error("data.source",
                    "data.source is " + data.source + ", which gives images; expected a source of tables.");
    return load(data);
}

std::unique_ptr<VariationalFamily<float>> start_of(const Study& study, const ParameterLayout& layout,
                                                   std::span<const float> means)
{
    auto start = method_of(study).start(layout, study.posterior, means);
    if (learns_prior(study))
        start->learn_prior(prior_of(study.prior, layout));
    return start;
}

Prior prior_at(const RunSnapshot& snapshot)
{
    Prior prior      = snapshot.experiment->prior;
    const auto whole = snapshot.snapshot ? whole_of(snapshot.snapshot->posterior) : nullptr;
    if (whole && !whole->prior_parameters().empty())
        set_learned_parameters(prior, whole->prior_parameters());
    return prior;
}

CsvOptions table_options(const Study& study)
{
    CsvOptions options = study.data.csv;
    if (can_use_column(study.split.kind))
        options.split_column = study.split.column;
    return options;
}

static std::shared_ptr<const SplitData> split_data(const Study& study)
{
    if (is_images(study.data.source))
        return image_split(study.data, study.split.seed);
    DataSpec data     = study.data;
    data.csv          = table_options(study);
    const Dataset all = load_data(data);
    require_usable(all);
    const auto tests = study.data.source == DataSource::drawn ? study.data.test_points : std::nullopt;
    return std::make_shared<const SplitData>(tests ? split_before(all, all.n_rows - tests->size(), study.split)
                                                   : split(all, study.split));
}

std::shared_ptr<const Experiment> experiment_on(const Study& study, std::shared_ptr<const SplitData> data)
{
    auto experiment   = std::make_shared<Experiment>();
    experiment->study = study;
    experiment->data  = data;

    auto& model        = experiment->model;
    model.likelihood   = likelihood_of(study, *data);
    model.architecture = architecture_of(study, *data, model.likelihood);
    set_predictive(model, study);

    const auto layout = layout_of(model.architecture);
    experiment->prior = prior_of(study.prior, layout);
    const auto means  = initial_weights(layout, study.network.initialisation, study.seed, study.network.initial_sd);
    experiment->start = start_of(study, layout, means);
    require_method_fits(*experiment);
    return experiment;
}

/// Returns the experiment with the rows that are added during training.
static std::shared_ptr<const Experiment> with_changes(const std::shared_ptr<const Experiment>& experiment)
{
    const auto& changes = experiment->study.data.changes;
    if (changes.empty())
        return experiment;
    auto changing        = std::make_shared<Experiment>(*experiment);
    changing->first_data = experiment->data;
    for (const PointsChange& change : changes) {
        changing->data = std::make_shared<const SplitData>(with_change(*changing->data, change));
        changing->later.push_back({change.step, changing->data});
    }
    return changing;
}

/// Refuses invalid prediction points before training.
static void require_points(const Study& study, const SplitData& data)
{
    if (!study.prediction.points.empty() && !data.image)
        read_input_rows(study.prediction.points, data.training.feature_names);
}

/// Refuses data without calibration rows: a table can have too few rows or groups to set any aside,
/// or no rows marked as validation.
static void require_calibration_rows(const Study& study, const SplitData& data)
{
    const auto& prediction  = study.prediction;
    const bool recalibrates = prediction.recalibration != RecalibrationKind{};   // none
    const bool conformal    = prediction.conformal.score != ConformalScore::none;
    if (recalibrates && conformal && !data.calibration_groups.empty())
        require_two_groups(data.calibration_groups);
    if (!(recalibrates || conformal) || data.image || data.calibration.n_rows > 0)
        return;
    const bool marked = study.split.kind == SplitKind::column;
    throw Error(marked ? "split.column" : "split.calibration_fraction",
                marked ? "No row is marked as validation in column " + study.split.column
                             + ", but recalibration and conformal prediction need such rows. Mark some, or set "
                               "split.calibration_fraction above 0."
                       : "No rows are set aside for calibration: the table has too few rows or groups. Increase "
                         "split.calibration_fraction.");
}

static std::shared_ptr<const Experiment> made_ready(const Study& study)
{
    check(study);
    const auto data = split_data(study);
    require_calibration_rows(study, *data);
    auto experiment   = std::make_shared<Experiment>(*with_changes(experiment_on(study, data)));
    experiment->table = table_state(study.data);
    require_points(study, *data);
    return experiment;
}

static bool same_split(const Study& a, const Study& b)
{
    return std::ranges::none_of(changes_between(a, b),
                                [](const Change& change) { return change.path.starts_with("split."); });
}

std::shared_ptr<const Experiment> prepare_on_data_of(const Experiment& like, const Study& study)
{
    const bool shares = !like.outputs && study.data.changes.empty() && study.data == like.study.data
                        && same_split(study, like.study);
    if (!shares)
        return nullptr;
    check(study);
    require_calibration_rows(study, *like.data);
    auto experiment   = std::make_shared<Experiment>(*experiment_on(study, like.data));
    experiment->table = like.table;
    require_points(study, *like.data);
    return experiment;
}

std::shared_ptr<const Experiment> prepare(const Study& study, std::stop_token stop)
{
    const StopScope scope(stop);
    try {
        return made_ready(study);
    } catch (const Stopped&) {
        if (!stop.stop_requested())
            throw;   // an enclosing scope requested the stop
        return nullptr;
    }
}

/// Refuses weighted rows for methods that sample from the posterior or compute its curvature.
static void require_exact_likelihood(const Experiment& experiment)
{
    const Method& method = method_of(experiment.study);
    const bool samples   = method.training.prior == PriorUse::sampled || method.training.own_steps;
    if (experiment.model.likelihood->is_exact() || !(samples || method.training.fits_curvature))
        return;
    const Field& setting = field(experiment.task() == Task::classification ? "network.class_weights"
                                                                           : "network.noise_beta");
    throw Error(setting.path, setting.path + " is " + value_text(setting.get(experiment.study)) + ", but "
                                  + (method.short_title.empty() ? method.title : method.short_title)
                                  + (samples ? " samples from the posterior, which needs an unweighted likelihood"
                                             : " uses the curvature of the loss, which needs an unweighted likelihood")
                                  + "; expected " + value_text(setting.get(Study())) + ".");
}

/// Refuses the curvature of a layer whose last unit ignores its weights.
static void require_curvature_of_outputs(const Experiment& experiment)
{
    const Method& method = method_of(experiment.study);
    if (!method.training.fits_curvature || experiment.model.likelihood->n_constant_outputs() == 0)
        return;
    std::vector<NoiseModel> possible;
    for (const NoiseModel& model : noise_models()) {
        std::vector<double> usual;
        for (const NoiseSetting& setting : model.settings)
            usual.push_back(setting.usual);
        if (model.likelihood(usual)->n_constant_outputs() == 0)
            possible.push_back(model);
    }
    throw Error("network.noise", "network.noise is " + experiment.study.network.noise + ", but " + method.title
                                     + " has no curvature for this likelihood; expected one of " + listed_ids(possible)
                                     + ".");
}

/// Refuses several targets for methods with formulas for one.
static void require_targets_fit(const Experiment& experiment)
{
    const std::size_t T = experiment.data->training.n_targets();
    if (T == 1)
        return;
    const Method& method    = method_of(experiment.study);
    const std::string found = "The data have " + std::to_string(T) + " targets, but ";
    if (method.training.sees_all_rows || method.training.fits_curvature)
        throw Error("data.target", found + (method.short_title.empty() ? method.title : method.short_title)
                                       + " is limited to one. Train one network per target, or choose another method.");
    if (!experiment.study.split.standardise_targets)
        throw Error("split.standardise_targets",
                    found
                        + "split.standardise_targets is false; expected true, so that no target dominates the loss "
                          "because of its unit.");
}

void require_method_fits(const Experiment& experiment)
{
    require_targets_fit(experiment);
    require_curvature_of_outputs(experiment);
    require_exact_likelihood(experiment);
    if (!experiment.outputs) {
        check_prediction(experiment.study);
        require_recalibration_of(experiment.study.prediction.recalibration, experiment.task());
    }
    const auto& refuses = method_of(experiment.study).refuses;
    if (const auto refusal = refuses ? refuses(experiment) : std::nullopt)
        throw *refusal;
}

std::shared_ptr<const Experiment> with_study(const Experiment& experiment, const Study& study)
{
    auto copy = std::make_shared<Experiment>(experiment);   // data are shared
    copy->all_targets.reset();
    copy->study = study;
    set_predictive(copy->model, study);
    return copy;
}

Experiment::RecordedErrors Experiment::recorded_errors() const
{
    const auto plan = error_plan(*this);
    return {make_evaluator(model, *data_at_start(), study.seed, plan.effort), plan.every};
}

std::unique_ptr<Trainer> Experiment::make_trainer() const
{
    TrainerOptions options = study.training;
    options.seed           = study.seed;
    return make_trainer(start->clone(), options);
}

std::unique_ptr<Trainer> Experiment::make_trainer(std::unique_ptr<VariationalFamily<float>> from,
                                                  TrainerOptions options) const
{
    auto errors          = recorded_errors();
    options.errors_every = errors.every;
    auto with_errors     = later;
    for (RowsFrom& rows : with_errors)
        rows.evaluator = make_evaluator(model, *rows.data, study.seed, error_plan(*this).effort);
    auto trainer = std::make_unique<Trainer>(model, prior, data_at_start(), std::move(from), options,
                                             std::move(with_errors));
    trainer->set_evaluator(std::move(errors.evaluator));
    return trainer;
}

Training train(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
               const TrainingEvents& events)
{
    Training run = method_of(experiment.study).fit(experiment, std::move(stop), control, events);
    if (const auto words = changes_in_words(experiment.study.data, run.report.steps); !words.empty())
        run.report.message += ' ' + words;
    return run;
}

}   // namespace credence
