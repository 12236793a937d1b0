// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/commands.h"
#include "command/progress_line.h"
#include "foundation/error.h"
#include "outputs/bridge_of_file.h"
#include "results/results.h"
#include "runs/moments.h"
#include "views/chosen_logits.h"
#include "views/image_rows.h"

#include <algorithm>
#include <cstdlib>

namespace {

using namespace credence;

std::size_t snapshotNearest(const KeptRun& run, long step)
{
    if (run.snapshots.empty() || step < 0)
        return run.snapshots.empty() ? 0 : run.snapshots.size() - 1;
    const auto distance = [&](const auto& snapshot) { return std::labs(snapshot->point.step - step); };
    const auto nearest  = std::min_element(run.snapshots.begin(), run.snapshots.end(),
                                           [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    return static_cast<std::size_t>(nearest - run.snapshots.begin());
}

KeptRun loadRun(std::filesystem::path file)
{
    if (std::filesystem::is_directory(file))
        file /= "run.credence";
    return load_run(file);
}

void requireInput(const std::vector<double>& input, const Experiment& experiment)
{
    const std::size_t expected = experiment.data->training.n_features;
    if (!input.empty() && input.size() != expected)
        throw Error("--input has " + std::to_string(input.size()) + " numbers, expected " + std::to_string(expected)
                    + ", one for each input of the data.");
}

/// A picture from outside, for the first of the runs: the others take the same numbers.
NamedInput pictureNamed(const FigureCommand& command, const Experiment& experiment,
                        const std::function<ImportTools()>& tools)
{
    const std::filesystem::path file = command.picture;
    if (const auto mistake = why_no_picture(experiment))
        throw Error("--picture: " + *mistake);
    try {
        const auto picture = tools().pictures.read(file);
        const ImageShape shape{static_cast<int>(picture.channels), static_cast<int>(picture.height),
                               static_cast<int>(picture.width)};
        const auto invert = command.invert.empty() ? std::nullopt : std::optional(command.invert == "yes");
        return picture_input(experiment, picture.pixels, shape, file.filename().string(), training_ground(experiment),
                             invert)
            .input;
    } catch (const Error& error) {
        throw Error(file.string() + ": " + error.what());
    }
}

/// The input that the views follow.
void chooseInput(ViewOptions& options, const FigureCommand& command, const RunMoment& moment,
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
}

void writeFigure(const Chart& chart, const Study& study, const FigureCommand& command, const DrawFigure& draw)
{
    const std::filesystem::path file = command.to;
    const std::string suffix         = file.extension().string();
    if (suffix == ".csv")
        write_whole(file, to_csv(data_table(chart), study_comments(study)));
    else if (suffix == ".tex")
        write_whole(file, to_latex(chart, study_comments(study)));
    else if ((suffix == ".pdf" || suffix == ".svg" || suffix == ".png") && draw)
        draw(chart, study, file, command.size);
    else
        throw Error(file.string() + ": the suffix is \"" + suffix + "\", expected .pdf, .svg, .png, .csv or .tex.");
}

MapQuantity quantityNamed(const std::string& name)
{
    constexpr std::pair<const char*, MapQuantity> quantities[] = {
        {"class_probability", MapQuantity::class_probability},
        {"predictive_entropy", MapQuantity::predictive_entropy},
        {"aleatoric", MapQuantity::aleatoric},
        {"epistemic", MapQuantity::epistemic},
        {"certainty", MapQuantity::certainty}};
    std::string names;
    for (const auto& [known, quantity] : quantities) {
        if (name == known)
            return quantity;
        names += (names.empty() ? "" : ", ") + std::string(known);
    }
    throw Error("--quantity is \"" + name + "\", expected one of " + names + ".");
}

std::string viewsOfSeveralRuns()
{
    std::string names;
    for (const View& view : views())
        if (view.compare)
            names += (names.empty() ? "" : ", ") + view.id;
    return names;
}

/// Nothing stops it: there is a chart.
Chart makeChart(const View& wanted, std::span<const RunMoment> moments, const ViewOptions& options)
{
    for (const auto& moment : moments)
        requireInput(options.input, *moment.experiment);
    if (options.prune.on() && wanted.when_pruned == WhenPruned::whole)
        throw Error("The view " + wanted.id + " is of the whole posterior: --prune changes nothing in it.");
    if (moments.size() > 1) {
        if (wanted.compare)
            return wanted.compare(moments, options, {}).value();
        throw Error("The view " + wanted.id + " draws one run, found " + std::to_string(moments.size())
                    + "; several are drawn by " + viewsOfSeveralRuns() + ".");
    }
    if (const auto sentence = wanted.why_not(*moments.front().experiment))
        throw Error("The view " + wanted.id + " does not apply to " + moments.front().experiment->study.name + ": "
                    + *sentence);
    return wanted.make(moments.front(), options, {}).value();
}

}   // namespace

int execute(const FigureCommand& command, const DrawFigure& draw, const std::function<ImportTools()>& tools)
{
    const View& wanted = view(command.view);
    std::vector<KeptRun> runs;
    for (const auto& run : command.runs)
        runs.push_back(loadRun(run));

    ProgressLine line;
    Threads threads(command.threads);
    threads.run([&] {
        const ProgressScope scope(shareOn(line, "computing"));
        std::vector<RunMoment> moments;
        for (const auto& run : runs)
            moments.push_back(moment_of(run, snapshotNearest(run, command.step)));
        ViewOptions options;
        chooseInput(options, command, moments.front(), tools);
        if (!command.quantity.empty())
            options.map_quantity = quantityNamed(command.quantity);
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
        options.rows  = command.rows;
        options.prune = command.prune;
        if (!command.pruneBy.empty())
            options.prune.by = prune_by_named(command.pruneBy);
        const Chart chart = makeChart(wanted, moments, options);
        if (!chart.message.empty())
            throw Error(chart.message);
        writeFigure(chart, runs.front().study, command, draw);
    });
    return exitOk;
}
