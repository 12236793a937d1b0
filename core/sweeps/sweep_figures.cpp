// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep_figures.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/find_listed.h"
#include "foundation/text.h"
#include "sweeps/sweep_figure_parts.h"

#include <algorithm>
#include <new>

namespace credence {

namespace {

/// Creates a folder for figures or their data.
void make_figure_folder(const std::filesystem::path& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error || !std::filesystem::is_directory(folder))
        throw Error(folder.string() + ": the folder cannot be created (" + error.message() + ").");
}

/// File names: "training.steps" → "training_steps", "one τ" → "one___".
std::string file_word(const std::string& name)
{
    std::string word;
    for (const char c : name)
        word += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ? c : '_';
    return word;
}

/// The files of one figure: name and axis of each.
std::vector<std::pair<std::string, std::string>> pictures_of(const SweepFigure& figure, const Sweep& sweep)
{
    if (!figure.along_axis)
        return {{figure.id, ""}};
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto* axis : figure_axes(sweep))
        out.emplace_back(out.empty() ? figure.id : figure.id + "_" + file_word(axis->name), axis->name);
    return out;
}

/// Empty: the figure is made by default.
std::optional<std::string> why_only_on_demand(const SweepFigure& figure, const Sweep& sweep)
{
    const auto& kept = sweep.keep.views;
    if (figure.cost == Cost::quick || std::find(kept.begin(), kept.end(), figure.view) != kept.end())
        return {};
    return "It predicts the test set again for every cell. Add \"" + figure.view
           + "\" to the views of the sweep (\"keep\": {\"views\": [\"" + figure.view + "\"]}).";
}

void write_sweep_chart(const Chart& chart, const std::string& name, const Sweep& sweep, const SweepFolder& folder,
                       const FigureWriter& draw)
{
    const auto comments = chart.caption + "\n" + to_text(sweep);
    write_whole(folder.path() / "data" / (name + ".csv"), to_csv(data_table(chart), comments));
    if (chart.table && !chart.panels.empty())   // next to the panels
        write_whole(folder.path() / "data" / (name + "_table.csv"), to_csv(*chart.table, comments));
    if (draw)
        draw(chart, folder.path() / "figures" / name);
}

}   // namespace

Chart of_sweep(Chart chart, const char* id, const char* title, const SweepResults& results)
{
    chart.id    = id;
    chart.title = title;
    chart.caption += " Sweep: " + shown_title(results.sweep) + ", " + std::to_string(results.n_done()) + " of "
                     + std::to_string(results.cells.size()) + " runs done.";
    return chart;
}

const std::vector<SweepFigure>& sweep_figures()
{
    static const std::vector<SweepFigure> figures{sweep_scores_figure(),   sweep_tau_figure(),
                                                  sweep_training_figure(), sweep_weights_figure(),
                                                  sweep_roc_figure(),      sweep_uncertainty_figure()};
    return figures;
}

const SweepFigure& sweep_figure(std::string_view id)
{
    if (const auto* figure = find_listed(sweep_figures(), id))
        return *figure;
    throw Error("There is no sweep figure \"" + std::string(id) + "\", expected one of " + listed_ids(sweep_figures())
                + ".");
}

WrittenSweepFigures write_sweep_figures(const SweepResults& results, const SweepFolder& folder,
                                        const FigureWriter& draw, std::stop_token stop)
{
    WrittenSweepFigures written;
    if (results.n_done() > 0) {
        make_figure_folder(folder.path() / "data");
        if (draw)
            make_figure_folder(folder.path() / "figures");
    }
    for (const auto& figure : sweep_figures()) {
        auto why = figure.why_not(results);
        if (!why)
            why = why_only_on_demand(figure, results.sweep);
        if (why) {
            written.left_out.emplace_back(figure.id, *why);
            continue;
        }
        for (const auto& [name, axis] : pictures_of(figure, results.sweep)) {
            std::optional<Chart> chart;
            try {
                chart = figure.make(folder, results, {.axis = axis, .scores = {}, .view = {}}, stop);
            } catch (const Error& error) {
                written.failed.emplace_back(name, error.what());
                continue;
            } catch (const std::bad_alloc&) {
                written.failed.emplace_back(name, "There is not enough memory for this.");
                continue;
            }
            if (!chart || stop.stop_requested())
                return written;
            if (!chart->message.empty()) {
                written.failed.emplace_back(name, chart->message);
                continue;
            }
            write_sweep_chart(*chart, name, results.sweep, folder, draw);
            written.made.push_back(name);
        }
    }
    written.whole = true;
    return written;
}

}   // namespace credence
