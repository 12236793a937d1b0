// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/view_choice.h"

#include "cli/common_options.h"
#include "foundation/error.h"
#include "foundation/text.h"
#include "outputs/bridge_of_file.h"
#include "outputs/outputs_file.h"
#include "views/chosen_logits.h"
#include "views/image_rows.h"
#include "views/view_support.h"

#include <algorithm>

namespace {

using namespace credence;

void requireInput(const std::vector<double>& input, const Experiment& experiment)
{
    const std::size_t expected = experiment.data->training.n_features;
    if (!input.empty() && input.size() != expected)
        throw Error("--input has " + std::to_string(input.size()) + " numbers, expected " + std::to_string(expected)
                    + ", one for each input of the data.");
}

/// An imported image, transformed for the first run; the other runs use the same numbers.
NamedInput pictureNamed(const ViewChoice& command, const Experiment& experiment,
                        const std::function<ImportTools()>& tools)
{
    const std::filesystem::path file = command.picture;
    if (const auto mistake = why_no_picture(experiment))
        throw Error("--picture: " + *mistake);
    try {
        const auto invert = command.invert.empty() ? std::nullopt : std::optional(command.invert == "yes");
        return picture_input(experiment, tools().pictures.read(file), file.filename().string(),
                             training_ground(experiment), invert)
            .input;
    } catch (const Error& error) {
        throw Error(file.string() + ": " + error.what());
    }
}

/// Sets the input that the views follow.
void chooseInput(ViewOptions& options, const ViewChoice& command, const RunSnapshot& current,
                 const std::function<ImportTools()>& tools)
{
    options.input.values = command.input;
    options.input.row    = command.row;
    if (command.picture.empty() && !command.oodRow)
        return;
    auto chosen = command.oodRow ? other_input(*current.experiment, *other_data(current.experiment), *command.oodRow)
                                 : pictureNamed(command, *current.experiment, tools);
    options.input.values = std::move(chosen.input);
    options.input.name   = std::move(chosen.name);
    if (!command.picture.empty())
        options.input.draws = DrawsOf::outputs;   // as in the window
}

/// Sets the quantity of the curves or the map.
void setQuantity(ViewOptions& options, const View& wanted, const std::string& name)
{
    if (wanted.id == "overlay_training_curves")
        options.curves.quantity = curve_quantity_named(name);
    else if (wanted.id == "slice")
        options.slice.quantity = slice_quantity_named(name);
    else
        options.map.quantity = map_quantity_named(name);
}

/// The number of a target of a run.
std::size_t targetNamed(const std::string& name, const Experiment& experiment)
{
    const auto names = experiment.data->training.target_names();
    const auto found = std::ranges::find(names, name);
    if (experiment.task() == Task::regression && found != names.end())
        return static_cast<std::size_t>(found - names.begin());
    std::vector<std::string> known;
    known.reserve(names.size());
    for (const auto& one : names)
        known.push_back(quoted_text(one));
    throw Error(
        "--target is " + quoted_text(name) + ", expected "
        + (experiment.task() == Task::regression ? "one of " + some_names(known, 20) : "a run with numeric targets")
        + ".");
}

std::string viewsOfSeveralRuns()
{
    std::string names;
    for (const View& view : views())
        if (view.compare)
            names += (names.empty() ? "" : ", ") + view.id;
    return names;
}

/// The input is selected by one of four options.
void addSelectedInput(CLI::App& app, ViewChoice& figure)
{
    auto* input = addValue(app, "--input", "X1,X2,…", figure.input, "Input to show, in the units of the data")
                      ->delimiter(',');
    auto* row = addValue(app, "--row", "N", figure.row,
                         "Input to show by its test-set row, instead of --input (default: 0)")
                    ->check(CLI::NonNegativeNumber)
                    ->excludes(input);
    auto* ood = addValue(app, "--ood-row,--foreign-row", "N", figure.oodRow,   // the second: in earlier versions
                         "Input to show by its row in the out-of-distribution data, instead of --row")
                    ->check(CLI::NonNegativeNumber)
                    ->excludes(input)
                    ->excludes(row);
    auto* picture =
        addValue(app, "--picture", "FILE", figure.picture,
                 "Image file as the input to show, instead of --row: resized to the training images, and inverted "
                 "if its border is light and theirs is dark, or vice versa")
            ->excludes(input)
            ->excludes(row)
            ->excludes(ood);
    addValue(app, "--invert", "yes|no", figure.invert, "Invert that image: yes or no (default: decided by its border)")
        ->check(CLI::IsMember({"yes", "no"}))
        ->needs(picture);
}

void addQuantity(CLI::App& app, ViewChoice& figure)
{
    addValue(app, "--target", "NAME", figure.target,
             "Numeric target to show, by its column name, of a run with several (default: the first)");
    addValue(
        app, "--quantity", "NAME", figure.quantity,
        "For decision_map: class_probability, predictive_entropy (default), aleatoric, epistemic, certainty, "
        "set_size; for slice: prediction (default), total, epistemic, aleatoric; for overlay_training_curves: error "
        "(default), loss, kl");
    addValue(app, "--class", "N", figure.classIndex,
             "For class probabilities of decision_map and slice: number of the class, from 0 (default: 1)")
        ->check(CLI::NonNegativeNumber);
    app.add_flag("--log", figure.logarithmic, "For overlay_training_curves: use a logarithmic axis");
}

void addSlice(CLI::App& app, ViewChoice& figure)
{
    auto* first = addValue(app, "--slice-input", "NAME", figure.slice.first,
                           "For slice: input along which to predict, by its column name (default: the most "
                           "influential one)");
    addValue(app, "--slice-by", "NAME", figure.slice.second, "For slice: second input, for a map over both")
        ->needs(first);
    addValue(app, "--hold", "NAME", figure.hold,
             "For slice: values of the other inputs: row (those of --row or --input, default), median, average "
             "(partial dependence over training rows)");
    addValue(app, "--slice-scale", "NAME", figure.sliceScale,
             "For slice: axes of the inputs: automatic (default: logarithmic for skewed inputs above 0), linear, "
             "logarithmic");
    app.add_flag("--individual", figure.slice.individual,
                 "For slice with --hold average: also draw the curves of single rows");
}

void addLogits(CLI::App& app, ViewChoice& figure)
{
    addValue(app, "--variant", "NAME", figure.variant,
             "For simplex, beta_marginals and list_lengths: preprocessing before the Laplace Bridge: plain, "
             "conditioned, projected (default), conditioned_normalised, projected_normalised");
    addValue(app, "--longest", "N", figure.longest,
             "For list_lengths and beta_marginals: maximum number of classes in a list (default: all)")
        ->check(counts());
    addValue(app, "--samples", "N", figure.samples,
             "Posterior samples used by the view (default: prediction.samples of the run)")
        ->check(CLI::Range(1, 100000));
    addValue(app, "--logits", "NAME", figure.logits,
             "For simplex, beta_marginals and list_lengths: source of the Gaussian over the logits: linearisation "
             "(default for Laplace approximations) or draws (default otherwise)");
}

void addAttack(CLI::App& app, ViewChoice& figure)
{
    addValue(app, "--epsilon", "E", figure.epsilon,
             "For attack_input and attack_arrows: attack strength in the units of the data; for images 1 is the "
             "step from black to white (default: 0.1)")
        ->check(CLI::NonNegativeNumber);
    addValue(app, "--attack", "NAME", figure.attack,
             "For attack views: fast_gradient_sign (default), projected_gradient, random_signs");
    addValue(app, "--gradient", "NAME", figure.gradient,
             "For attack views, the loss to increase: one_draw, mean_loss, mean_predictive (default)");
    addValue(app, "--rows", "N", figure.rows,
             "For views of the whole test set: number of evenly spaced rows to use (default: all; 1000 for "
             "attack_curve, 500 for corruptions)")
        ->check(counts());
}

void addPruning(CLI::App& app, ViewChoice& figure)
{
    addValue(app, "--prune", "SHARE", figure.prune.share,
             "Fraction of weights, 0 to 1, set to zero before the figure is made (default: 0)")
        ->check(CLI::Range(0.0, 1.0));
    addValue(app, "--prune-by", "NAME", figure.pruneBy,
             "Weights to prune first: signal_to_noise (smallest |mean|/sd, default), magnitude (smallest |mean|), "
             "spread (largest sd)");
    app.add_flag("--prune-each-layer", figure.prune.per_layer,
                 "Prune that fraction of each layer separately instead of all layers together");
    app.add_flag("--prune-keep-biases", figure.keepBiases, "Prune weights only, not biases");
}

}   // namespace

void addView(CLI::App& app, ViewChoice& choice)
{
    addValue(app, "--view", "NAME", choice.view, "View to draw, for example decision_map")->required();
}

void addViewChoice(CLI::App& app, ViewChoice& choice)
{
    for (const auto add : {addSelectedInput, addQuantity, addSlice, addLogits, addAttack, addPruning})
        add(app, choice);
}

bool holdsOutputs(const std::filesystem::path& file)
{
    std::error_code ignored;
    return file.extension() == ".npz" || file.extension() == ".npy"
           || (!std::filesystem::exists(file / "run.credence", ignored) && outputs_in_folder(file));
}

std::filesystem::path fileOfRun(std::filesystem::path run)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(run, ignored))
        run /= "run.credence";
    return run;
}

Chart makeChart(const View& wanted, std::span<const RunSnapshot> snapshots, const ViewOptions& options)
{
    for (const auto& current : snapshots)
        requireInput(options.input.values, *current.experiment);
    if (options.prune.on() && wanted.when_pruned == WhenPruned::whole)
        throw Error("The view " + wanted.id + " shows the whole posterior, so --prune does not affect it.");
    if (snapshots.size() > 1) {
        if (wanted.compare)
            return wanted.compare(snapshots, options, {}).value();
        throw Error("The view " + wanted.id + " draws one run, found " + std::to_string(snapshots.size())
                    + "; views for several runs: " + viewsOfSeveralRuns() + ".");
    }
    if (const auto sentence = wanted.why_not(*snapshots.front().experiment))
        throw Error("The view " + wanted.id + " does not apply to " + snapshots.front().experiment->study.name + ": "
                    + *sentence);
    return wanted.make(snapshots.front(), options, {}).value();
}

ViewOptions optionsOf(const ViewChoice& command, const View& wanted, const RunSnapshot& first,
                      const std::function<ImportTools()>& tools)
{
    ViewOptions options;
    chooseInput(options, command, first, tools);
    if (!command.quantity.empty())
        setQuantity(options, wanted, command.quantity);
    if (!command.variant.empty())
        options.simplex.density.variant = bridge_variant_named(command.variant);
    if (!command.logits.empty())
        options.logits_by = logits_by_named(command.logits);
    if (command.epsilon >= 0)
        options.attack.epsilon = command.epsilon;
    if (!command.attack.empty())
        options.attack.method.kind = attack_kind_named(command.attack);
    if (!command.gradient.empty())
        options.attack.method.gradient = attack_gradient_named(command.gradient);
    if (!command.target.empty())
        options.target = targetNamed(command.target, *first.experiment);
    options.top_k.longest = command.longest;
    options.rows          = command.rows;
    options.samples       = command.samples;
    options.prune         = command.prune;
    options.prune.biases  = !command.keepBiases;
    if (!command.pruneBy.empty())
        options.prune.by = prune_by_named(command.pruneBy);
    options.curves.logarithmic = command.logarithmic;
    options.slice.first        = command.slice.first;
    options.slice.second       = command.slice.second;
    options.slice.individual   = command.slice.individual;
    if (!command.hold.empty())
        options.slice.hold = slice_hold_named(command.hold);
    if (!command.sliceScale.empty())
        options.slice.scale = slice_scale_named(command.sliceScale);
    if (command.classIndex >= 0)
        options.map.class_index = command.classIndex;
    return options;
}
