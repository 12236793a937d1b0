// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/figure_files.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/progress_line.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/number_text.h"
#include "outputs/bridge_of_file.h"
#include "outputs/outputs_file.h"
#include "results/results.h"
#include "runs/archive.h"
#include "study/settings_table.h"
#include "views/chosen_logits.h"
#include "views/image_rows.h"
#include "views/view_support.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>

namespace {

using namespace credence;

/// credence figure
struct FigureCommand {
    std::vector<std::string>
        runs;   ///< run.credence, its folder, or imported predictions; several are compared in one figure
    std::string view;
    std::string to;              ///< file; the suffix selects pdf, svg, png, csv or tex
    std::vector<double> input;   ///< original units; empty: test row `row`
    std::size_t row = 0;
    std::string picture;                 ///< image file used as the selected input; empty: none
    std::string invert;                  ///< invert the image: "yes", "no"; empty: decided by its border
    std::optional<std::size_t> oodRow;   ///< row of the OOD data used as the selected input
    std::string quantity;                ///< for the decision map: "epistemic", …; empty: predictive entropy
    std::string variant;                 ///< for the Laplace Bridge: "plain", …; empty: projected
    double epsilon = -1;                 ///< attack strength in the units of the data; -1: that of ViewOptions
    std::string attack;                  ///< "projected_gradient", …; empty: fast gradient sign
    std::string gradient;                ///< attack loss: "one_draw", …; empty: mean_predictive
    int rows = 0;                        ///< maximum for views of the whole test set; 0: the view's default
    credence::PruneRule prune;           ///< weights set to zero before the figure is made
    std::string pruneBy;                 ///< "magnitude", …; empty: signal_to_noise
    bool keepBiases = false;             ///< prune weights only
    int longest     = 0;                 ///< maximum classes in an uncertainty-aware top-k list; 0: all
    std::string logits;                  ///< "linearisation" or "draws"; empty: default of the family
    int samples = 0;                     ///< posterior samples; 0: those of the run
    long step   = -1;                    ///< nearest recorded step; -1: the last
    FigureSize size;
    std::string page;               ///< "240x140" in mm, "column", …; empty: that of `size`
    std::optional<double> fontPt;   ///< font size, points; empty: that of the page
    std::string caption;            ///< format of a separate file with caption and settings: "txt", "tex"; empty: none
    bool each   = false;            ///< one figure per run instead of one for all
    int threads = 0;
    /// Use a logarithmic vertical axis for overlay_training_curves, whose `quantity` is "error",
    /// "loss" or "kl".
    bool logarithmic = false;
};

std::size_t snapshotNearest(const SavedRun& run, long step)
{
    if (run.snapshots.empty() || step < 0)
        return run.snapshots.empty() ? 0 : run.snapshots.size() - 1;
    const auto distance = [&](const auto& snapshot) { return std::labs(snapshot->point.step - step); };
    const auto nearest  = std::min_element(run.snapshots.begin(), run.snapshots.end(),
                                           [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    return static_cast<std::size_t>(nearest - run.snapshots.begin());
}

/// Imported predictions: an archive of arrays, or a folder of them that is not a run.
bool holdsOutputs(const std::filesystem::path& file)
{
    std::error_code ignored;
    return file.extension() == ".npz" || file.extension() == ".npy"
           || (!std::filesystem::exists(file / "run.credence", ignored) && outputs_in_folder(file));
}

RunSnapshot loadSnapshot(std::filesystem::path file, long step)
{
    if (holdsOutputs(file))
        return snapshot_of_outputs(open_outputs(file).value());
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))
        file /= "run.credence";
    const SavedRun run = load_run(file);
    return snapshot_of(run, snapshotNearest(run, step));
}

void requireInput(const std::vector<double>& input, const Experiment& experiment)
{
    const std::size_t expected = experiment.data->training.n_features;
    if (!input.empty() && input.size() != expected)
        throw Error("--input has " + std::to_string(input.size()) + " numbers, expected " + std::to_string(expected)
                    + ", one for each input of the data.");
}

/// An imported image, transformed for the first run; the other runs use the same numbers.
NamedInput pictureNamed(const FigureCommand& command, const Experiment& experiment,
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
void chooseInput(ViewOptions& options, const FigureCommand& command, const RunSnapshot& current,
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

/// Writes caption and settings next to a figure.
void writeCaption(const Chart& chart, const RunSnapshot& current, const std::filesystem::path& file,
                  const std::string& kind)
{
    const std::string stem  = file.stem().string();
    const auto caption_file = file.parent_path() / (stem + "_caption." + kind);
    const Table settings    = current.experiment->outputs ? Table{} : settings_table(current.experiment->study);
    write_whole(caption_file,
                kind == "txt" ? caption_as_text(chart, settings) : caption_as_latex(chart, settings, stem));
}

/// Includes the Study; imported predictions have none.
void writeFigure(const Chart& chart, const RunSnapshot& current, const std::filesystem::path& file,
                 const FigureSize& size, const DrawFigure& draw, const DrawPlainFigure& drawPlain)
{
    const std::string suffix = file.extension().string();
    const bool ours          = !current.experiment->outputs;
    const Study& study       = current.experiment->study;
    const auto comments      = [&] { return ours ? study_comments(study) : view_support::setting_of(current); };
    if (suffix == ".csv")
        write_whole(file, to_csv(data_table(chart), comments()));
    else if (suffix == ".tex")
        write_whole(file, to_latex(chart, comments()));
    else if ((suffix == ".pdf" || suffix == ".svg" || suffix == ".png") && ours && draw)
        draw(chart, study, file, size);
    else if ((suffix == ".pdf" || suffix == ".svg" || suffix == ".png") && !ours && drawPlain)
        drawPlain(chart, file, size);
    else
        throw Error(file.string() + ": the suffix is \"" + suffix + "\", expected .pdf, .svg, .png, .csv or .tex.");
}

/// Sets the quantity of the curves or the map.
void setQuantity(ViewOptions& options, const View& wanted, const std::string& name)
{
    if (wanted.id == "overlay_training_curves")
        options.curves.quantity = curve_quantity_named(name);
    else
        options.map.quantity = map_quantity_named(name);
}

std::string viewsOfSeveralRuns()
{
    std::string names;
    for (const View& view : views())
        if (view.compare)
            names += (names.empty() ? "" : ", ") + view.id;
    return names;
}

/// Never empty, since nothing can stop it.
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

std::vector<std::string> namesOf(const std::vector<RunSnapshot>& snapshots)
{
    std::vector<std::string> names;
    names.reserve(snapshots.size());
    for (const auto& current : snapshots)
        names.push_back(current.experiment->study.name);
    return names;
}

/// Returns the page given by --size, --font-size, --dpi and --title.
/// @throws credence::Error "--size is \"5x5\", expected WIDTHxHEIGHT of 10 to 2000 mm.", or the
///        sentence of figure_size_named
FigureSize pageOf(const FigureCommand& command)
{
    FigureSize size = command.size;
    if (const auto x = command.page.find('x'); x != std::string::npos) {
        const auto width  = number_from(std::string_view(command.page).substr(0, x));
        const auto height = number_from(std::string_view(command.page).substr(x + 1));
        if (!width || !height || !(*width >= 10 && *width <= 2000 && *height >= 10 && *height <= 2000))
            throw Error("--size is \"" + command.page + "\", expected WIDTHxHEIGHT of 10 to 2000 mm.");
        size.widthMm  = *width;
        size.heightMm = *height;
    } else if (!command.page.empty()) {
        const auto& named = figure_size_named(command.page);
        size.widthMm      = named.width_mm;
        size.heightMm     = named.height_mm;
        size.fontPt       = named.font_pt;
    }
    if (command.fontPt)
        size.fontPt = *command.fontPt;
    return size;
}

/// Returns one distinct file name per run: TO prefixed with the run's name,
/// "out/two-moons_map.pdf".
std::vector<std::filesystem::path> fileOfEach(const std::filesystem::path& to, const std::vector<std::string>& names)
{
    std::vector<std::filesystem::path> files;
    for (const auto& name : distinct_file_names(names))
        files.push_back(to.parent_path() / (name + "_" + to.filename().string()));
    return files;
}

ViewOptions optionsOf(const FigureCommand& command, const View& wanted, const RunSnapshot& first,
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
    options.top_k.longest = command.longest;
    options.rows          = command.rows;
    options.samples       = command.samples;
    options.prune         = command.prune;
    options.prune.biases  = !command.keepBiases;
    if (!command.pruneBy.empty())
        options.prune.by = prune_by_named(command.pruneBy);
    options.curves.logarithmic = command.logarithmic;
    return options;
}

/// @param tools  reads images; called only if the selected input is one
int execute(const FigureCommand& command, const DrawFigure& draw, const DrawPlainFigure& drawPlain,
            const std::function<ImportTools()>& tools)
{
    const View& wanted    = view(command.view);
    const FigureSize size = pageOf(command);
    ProgressLine line;
    Threads threads(command.threads);
    threads.run([&] {
        const ProgressScope scope(shareOn(line, "computing"));
        std::vector<RunSnapshot> snapshots;
        for (const auto& run : command.runs)
            snapshots.push_back(loadSnapshot(run, command.step));
        const ViewOptions options = optionsOf(command, wanted, snapshots.front(), tools);
        const auto write          = [&](std::span<const RunSnapshot> drawn, const std::filesystem::path& file) {
            const Chart chart = makeChart(wanted, drawn, options);
            if (!chart.message.empty())
                throw Error(chart.message);
            writeFigure(chart, drawn.front(), file, size, draw, drawPlain);
            if (!command.caption.empty())
                writeCaption(chart, drawn.front(), file, command.caption);
        };
        if (!command.each)
            return write(snapshots, command.to);
        const auto files = fileOfEach(command.to, namesOf(snapshots));
        for (std::size_t r = 0; r < snapshots.size(); ++r)
            write(std::span(snapshots).subspan(r, 1), files[r]);
    });
    return exitOk;
}

/// The input is selected by one of four options.
void addSelectedInput(CLI::App& app, FigureCommand& figure)
{
    auto* input = addValue(app, "--input", "X1,X2,…", figure.input, "Input to show, in the units of the data")
                      ->delimiter(',');
    auto* row = addValue(app, "--row", "N", figure.row,
                         "Input to show by its test-set row, instead of --input (default: 0)")
                    ->check(CLI::NonNegativeNumber)
                    ->excludes(input);
    auto* ood = addValue(app, "--foreign-row", "N", figure.oodRow,
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

void addQuantity(CLI::App& app, FigureCommand& figure)
{
    addValue(app, "--quantity", "NAME", figure.quantity,
             "For decision_map: class_probability, predictive_entropy (default), aleatoric, epistemic, certainty; "
             "for overlay_training_curves: error (default), loss, kl");
    app.add_flag("--log", figure.logarithmic, "For overlay_training_curves: use a logarithmic axis");
}

void addLogits(CLI::App& app, FigureCommand& figure)
{
    addValue(app, "--variant", "NAME", figure.variant,
             "For simplex, beta_marginals and list_lengths: preprocessing before the Laplace Bridge: plain, "
             "conditioned, projected (default), conditioned_normalised, projected_normalised");
    addValue(app, "--longest", "N", figure.longest,
             "For list_lengths and beta_marginals: maximum number of classes in a list (default: all)")
        ->check(CLI::PositiveNumber);
    addValue(app, "--samples", "N", figure.samples,
             "Posterior samples used by the view (default: prediction.samples of the run)")
        ->check(CLI::Range(1, 100000));
    addValue(app, "--logits", "NAME", figure.logits,
             "For simplex, beta_marginals and list_lengths: source of the Gaussian over the logits: linearisation "
             "(default for Laplace approximations) or draws (default otherwise)");
}

void addAttack(CLI::App& app, FigureCommand& figure)
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
        ->check(CLI::PositiveNumber);
}

void addPruning(CLI::App& app, FigureCommand& figure)
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

void addPage(CLI::App& app, FigureCommand& figure)
{
    addValue(app, "--size", "WxH", figure.page,
             "Width and height in mm, or a target: column (89x65), two_columns (183x100), slide (339x191, "
             "large font) (default: 120x90)");
    addValue(app, "--font-size", "PT", figure.fontPt, "Font size in points; lines scale with it (default: 8.25)")
        ->check(CLI::Range(3.0, 100.0));
    app.add_flag("--title", figure.size.title, "Write the title above the figure");
    addValue(app, "--dpi", "N", figure.size.dpi, "Resolution of a PNG, dots per inch (default: 300)")
        ->check(CLI::Range(30, 2400));
    addValue(app, "--caption", "txt|tex", figure.caption,
             "Write caption and all settings next to the figure, as text (txt) or LaTeX (tex)")
        ->check(CLI::IsMember({"txt", "tex"}));
    app.add_flag("--each", figure.each, "Draw one figure per run; file names start with the run's name");
}

}   // namespace

Action addFigure(CLI::App& app, const CommandTools& tools)
{
    const auto command = std::make_shared<FigureCommand>();
    app.add_option(
           "RUN", command->runs,
           "Run folder, run.credence, or predictions as accepted by open; several for a view that compares runs, "
           "such as decision_map or compare_truth")
        ->required();
    addValue(app, "--view", "NAME", command->view, "View to draw, for example decision_map")->required();
    addValue(app, "--to", "FILE", command->to, "File to write: pdf, svg, png, csv or tex")->required();
    for (const auto add : {addSelectedInput, addQuantity, addLogits, addAttack, addPruning, addPage})
        add(app, *command);
    addValue(app, "--step", "N", command->step, "Use the recorded step nearest to this one (default: the last)");
    addThreads(app, command->threads);
    return [command, &tools] { return execute(*command, tools.draw, tools.drawPlain, tools.import); };
}
