// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/figure_files.h"
#include "command/commands.h"
#include "command/figure_page.h"
#include "command/progress_line.h"
#include "foundation/error.h"
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

namespace {

using namespace credence;

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

RunSnapshot loadMoment(std::filesystem::path file, long step)
{
    if (holdsOutputs(file))
        return moment_of_outputs(open_outputs(file).value());
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))
        file /= "run.credence";
    const SavedRun run = load_run(file);
    return moment_of(run, snapshotNearest(run, step));
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
void chooseInput(ViewOptions& options, const FigureCommand& command, const RunSnapshot& moment,
                 const std::function<ImportTools()>& tools)
{
    options.input = command.input;
    options.row   = command.row;
    if (command.picture.empty() && !command.foreignRow)
        return;
    auto chosen        = command.foreignRow
                             ? other_input(*moment.experiment, *other_data(moment.experiment), *command.foreignRow)
                             : pictureNamed(command, *moment.experiment, tools);
    options.input      = std::move(chosen.input);
    options.input_name = std::move(chosen.name);
    if (!command.picture.empty())
        options.input_draws = DrawsOf::outputs;   // as in the window
}

/// Writes caption and settings next to a figure.
void writeCaption(const Chart& chart, const RunSnapshot& moment, const std::filesystem::path& file,
                  const std::string& kind)
{
    const std::string stem = file.stem().string();
    const auto beside      = file.parent_path() / (stem + "_caption." + kind);
    const Table settings   = moment.experiment->outputs ? Table{} : settings_table(moment.experiment->study);
    write_whole(beside, kind == "txt" ? caption_as_text(chart, settings) : caption_as_latex(chart, settings, stem));
}

/// Includes the Study; imported predictions have none.
void writeFigure(const Chart& chart, const RunSnapshot& moment, const std::filesystem::path& file,
                 const FigureSize& size, const DrawFigure& draw, const DrawPlainFigure& drawPlain)
{
    const std::string suffix = file.extension().string();
    const bool ours          = !moment.experiment->outputs;
    const Study& study       = moment.experiment->study;
    const auto comments      = [&] { return ours ? study_comments(study) : view_support::setting_of(moment); };
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
        options.map_quantity = map_quantity_named(name);
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
Chart makeChart(const View& wanted, std::span<const RunSnapshot> moments, const ViewOptions& options)
{
    for (const auto& moment : moments)
        requireInput(options.input, *moment.experiment);
    if (options.prune.on() && wanted.when_pruned == WhenPruned::whole)
        throw Error("The view " + wanted.id + " shows the whole posterior, so --prune does not affect it.");
    if (moments.size() > 1) {
        if (wanted.compare)
            return wanted.compare(moments, options, {}).value();
        throw Error("The view " + wanted.id + " draws one run, found " + std::to_string(moments.size())
                    + "; views for several runs: " + viewsOfSeveralRuns() + ".");
    }
    if (const auto sentence = wanted.why_not(*moments.front().experiment))
        throw Error("The view " + wanted.id + " does not apply to " + moments.front().experiment->study.name + ": "
                    + *sentence);
    return wanted.make(moments.front(), options, {}).value();
}

std::vector<std::string> namesOf(const std::vector<RunSnapshot>& moments)
{
    std::vector<std::string> names;
    names.reserve(moments.size());
    for (const auto& moment : moments)
        names.push_back(moment.experiment->study.name);
    return names;
}

}   // namespace

int execute(const FigureCommand& command, const DrawFigure& draw, const DrawPlainFigure& drawPlain,
            const std::function<ImportTools()>& tools)
{
    const View& wanted    = view(command.view);
    const FigureSize size = pageOf(command);
    ProgressLine line;
    Threads threads(command.threads);
    threads.run([&] {
        const ProgressScope scope(shareOn(line, "computing"));
        std::vector<RunSnapshot> moments;
        for (const auto& run : command.runs)
            moments.push_back(loadMoment(run, command.step));
        ViewOptions options;
        chooseInput(options, command, moments.front(), tools);
        if (!command.quantity.empty())
            setQuantity(options, wanted, command.quantity);
        if (!command.variant.empty())
            options.bridge_variant = bridge_variant_named(command.variant);
        if (!command.logits.empty())
            options.logits_by = logits_by_named(command.logits);
        if (command.epsilon >= 0)
            options.epsilon = command.epsilon;
        if (!command.attack.empty())
            options.attack.kind = attack_kind_named(command.attack);
        if (!command.gradient.empty())
            options.attack.gradient = attack_gradient_named(command.gradient);
        options.top_k_longest = command.longest;
        options.rows          = command.rows;
        options.samples       = command.samples;
        options.prune         = command.prune;
        if (!command.pruneBy.empty())
            options.prune.by = prune_by_named(command.pruneBy);
        options.curves.logarithmic = command.logarithmic;
        const auto write           = [&](std::span<const RunSnapshot> drawn, const std::filesystem::path& file) {
            const Chart chart = makeChart(wanted, drawn, options);
            if (!chart.message.empty())
                throw Error(chart.message);
            writeFigure(chart, drawn.front(), file, size, draw, drawPlain);
            if (!command.caption.empty())
                writeCaption(chart, drawn.front(), file, command.caption);
        };
        if (!command.each)
            return write(moments, command.to);
        const auto files = fileOfEach(command.to, namesOf(moments));
        for (std::size_t r = 0; r < moments.size(); ++r)
            write(std::span(moments).subspan(r, 1), files[r]);
    });
    return exitOk;
}
