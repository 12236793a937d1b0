// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/progress.h"
#include "runs/archive.h"
#include "runs/other_data.h"
#include "sweeps/sweep_figure_parts.h"
#include "training/snapshot.h"
#include "views/classification_figures.h"
#include "views/compare_runs.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"
#include "views/weights.h"

#include <algorithm>

namespace credence {

namespace {

constexpr std::size_t most_overlaid = 24;   // combinations in one panel, limited by the colours

std::optional<std::string> why_no_archives(const SweepResults& results)
{
    if (!results.sweep.keep.archive)
        return "This figure needs the saved runs, but the sweep does not save them (\"keep\": {\"archive\": false}).";
    return why_nothing_done(results);
}

/// True for classification runs, judged by their scores.
bool counts_classes(const SweepResults& results)
{
    const auto scores = score_names(results);
    return std::any_of(scores.begin(), scores.end(), [](const ScoreName& score) { return score.name == "Error"; });
}

std::optional<std::string> why_no_class_archives(const SweepResults& results)
{
    if (const auto why = why_no_archives(results))
        return why;
    if (counts_classes(results))
        return {};
    return "This figure needs classification runs; those of this sweep have numeric targets or no scores.";
}

/// A finished cell of a combination with its saved run.
struct CellArchive {
    std::size_t cell = 0;
    std::filesystem::path file;
};

/// The combinations of a figure with their archives, as many as fit one panel.
struct OverlaidCells {
    struct Entry {
        std::string name;
        std::vector<CellArchive> runs;
    };
    std::vector<Entry> entries;
    std::size_t n_runs = 0, left_out = 0;   // surplus combinations
    bool seeds = false;                     // several runs of one combination
};

/// @param most_runs  per combination
/// @throws Error  if there is no archive
OverlaidCells overlaid_cells(const SweepFolder& folder, const SweepResults& results, std::size_t most_runs)
{
    OverlaidCells out;
    for (const auto& combination : combinations_of(results)) {
        const auto words = words_of_settings(results.sweep, combination.at);
        OverlaidCells::Entry entry{words.empty() ? shown_title(results.sweep) : words, {}};
        for (const std::size_t c : combination.cells) {
            const auto file = folder.cell(results.cells[c].hash) / "run.credence";
            std::error_code ignored;
            if (results.scores[c] && entry.runs.size() < most_runs && std::filesystem::is_regular_file(file, ignored))
                entry.runs.push_back({c, file});
        }
        if (entry.runs.empty())
            continue;
        if (out.entries.size() == most_overlaid) {
            ++out.left_out;
            continue;
        }
        out.n_runs += entry.runs.size();
        out.seeds = out.seeds || entry.runs.size() > 1;
        out.entries.push_back(std::move(entry));
    }
    if (out.entries.empty())
        throw Error(folder.path().string()
                    + ": this figure needs the run.credence of a finished cell, but there is none.");
    return out;
}

/// Reads the runs one after the other and passes each to `use`. @param use  (index of the
/// combination, run); false: stopped
template <class Use>
bool for_each_run(const OverlaidCells& cells, WhichSnapshots which, const std::stop_token& stop, Use use)
{
    std::size_t done = 0;
    for (std::size_t e = 0; e < cells.entries.size(); ++e)
        for (const auto& archive : cells.entries[e].runs) {
            if (stop.stop_requested())
                return false;
            const ProgressScope part(static_cast<double>(done) / static_cast<double>(cells.n_runs),
                                     static_cast<double>(done + 1) / static_cast<double>(cells.n_runs));
            if (!use(e, load_run(archive.file, which)))
                return false;
            report_share(1);
            ++done;
        }
    return true;
}

std::string left_out_in_words(const OverlaidCells& cells)
{
    return cells.left_out == 0 ? ""
                               : " The first " + std::to_string(most_overlaid) + " settings are drawn, "
                                     + std::to_string(cells.left_out) + " are omitted.";
}

/// Caches the prepared data of a run for the next run with the same data; curves need them for the
/// names of their measures.
class DataOfCells {
public:
    std::shared_ptr<const Experiment> of(const Study& study)
    {
        if (!last_ || !(last_->study.data == study.data))
            last_ = prepare(study);
        return last_;
    }

private:
    std::shared_ptr<const Experiment> last_;
};

std::optional<Chart> make_sweep_training(const SweepFolder& folder, const SweepResults& results,
                                         const SweepFigureOptions&, const std::stop_token& stop)
{
    if (const auto why = why_no_archives(results))
        throw Error(*why);
    const auto cells = overlaid_cells(folder, results, results.cells.size());
    std::vector<CurveGroup> groups;
    for (const auto& entry : cells.entries)
        groups.push_back({entry.name, {}, {}});
    DataOfCells data;
    const bool whole = for_each_run(cells, WhichSnapshots::none, stop, [&](std::size_t e, const SavedRun& run) {
        groups[e].runs.push_back(
            training_curves_of({data.of(run.study), nullptr, std::make_shared<const TrainingHistory>(run.history)}));
        if (const auto roughness = loss_roughness(run.history))
            groups[e].roughness.push_back(*roughness);
        return true;
    });
    if (!whole)
        return {};
    for (const auto& group : groups)
        for (const auto& run : group.runs)
            if (run.task != groups.front().runs.front().task)
                throw Error("Classification and regression runs have no common error measure.");
    Chart chart = to_chart(groups);
    chart.caption += left_out_in_words(cells);
    return of_sweep(std::move(chart), "sweep_training", "Training", results);
}

/// Predictions of the test set, as for the scores of a sweep, even if training uses a validation set.
std::shared_ptr<const ScoredPredictions> test_predictions(const RunSnapshot& snapshot, const ViewOptions& options,
                                                          const std::stop_token& stop)
{
    return view_support::final_test_set(*snapshot.experiment) ? final_test_predictions(snapshot, options, stop)
                                                              : scored_predictions(snapshot, options, stop);
}

/// Requires the same rows in all runs. @throws Error that names both
void require_same_rows(std::string& rows, const std::string& here, const std::string& name)
{
    if (!rows.empty() && rows != here)
        throw Error("Runs with different inputs cannot be shown in one figure: \"" + name + "\" uses " + here
                    + ", the previous ones " + rows + ".");
    rows = here;
}

std::optional<Chart> make_sweep_roc(const SweepFolder& folder, const SweepResults& results,
                                    const SweepFigureOptions& options, const std::stop_token& stop)
{
    if (const auto why = why_no_class_archives(results))
        throw Error(*why);
    const auto cells = overlaid_cells(folder, results, results.cells.size());
    std::vector<RocOfRuns> entries;
    for (const auto& entry : cells.entries)
        entries.push_back({entry.name, {}});
    std::string rows;
    const bool whole = for_each_run(cells, WhichSnapshots::last, stop, [&](std::size_t e, const SavedRun& run) {
        const auto snapshot = last_snapshot_of(run);
        const auto scored   = test_predictions(snapshot, options.view, stop);
        if (!scored)
            return false;
        if (scored->labels.empty())
            throw Error(view_support::no_labelled_inputs);
        require_same_rows(rows, snapshot.experiment->data->training.name + ", " + scored->name, entries[e].name);
        auto roc = one_against_all(scored->set.classes, scored->labels);
        if (!roc.mean)
            throw Error("All labelled inputs belong to one class; a ROC curve needs at least two.");
        entries[e].means.push_back(std::move(*roc.mean));
        return true;
    });
    if (!whole)
        return {};
    Chart chart = overlay_of_rocs(entries);
    chart.caption += " Rows: " + rows + "." + left_out_in_words(cells);
    return of_sweep(std::move(chart), "sweep_roc", "Mean ROC", results);
}

std::optional<Chart> make_sweep_uncertainty(const SweepFolder& folder, const SweepResults& results,
                                            const SweepFigureOptions& options, const std::stop_token& stop)
{
    if (const auto why = why_no_class_archives(results))
        throw Error(*why);
    const auto cells = overlaid_cells(folder, results, results.cells.size());
    std::vector<std::vector<OodFigure>> of_runs(cells.entries.size());
    std::string rows;
    const bool whole = for_each_run(cells, WhichSnapshots::last, stop, [&](std::size_t e, const SavedRun& run) {
        const auto snapshot = last_snapshot_of(run);
        const auto own      = test_predictions(snapshot, options.view, stop);
        const auto ood      = own ? ood_predictions(snapshot, options.view, stop) : nullptr;
        if (!ood)
            return false;
        if (own->rows.empty() || ood->rows.empty())
            throw Error("There are no inputs to compare. The Study needs test inputs and OOD data.");
        auto figure = ood_figure(own->set.classes, ood->set.classes,
                                 snapshot.experiment->data->training.name + ", " + own->name, ood->name);
        require_same_rows(rows, figure.in_name + " and " + figure.out_name, cells.entries[e].name);
        of_runs[e].push_back(std::move(figure));
        return true;
    });
    if (!whole)
        return {};
    std::vector<OodFigure> figures;
    std::vector<std::string> names;
    for (std::size_t e = 0; e < of_runs.size(); ++e) {
        figures.push_back(mean_of_uncertainties(of_runs[e]));
        names.push_back(cells.entries[e].name);
    }
    Chart chart = overlay_of_uncertainties(figures, names);
    if (cells.seeds)
        chart.caption += " Curves and numbers are means over the seeds.";
    chart.caption += left_out_in_words(cells);
    return of_sweep(std::move(chart), "sweep_doubt", "Uncertainty on OOD inputs", results);
}

std::optional<Chart> make_sweep_weights(const SweepFolder& folder, const SweepResults& results,
                                        const SweepFigureOptions& options, const std::stop_token& stop)
{
    if (const auto why = why_no_archives(results))
        throw Error(*why);
    const auto cells = overlaid_cells(folder, results, 1);
    std::vector<WeightsOfRun> all;
    const bool whole = for_each_run(cells, WhichSnapshots::last, stop, [&](std::size_t e, const SavedRun& run) {
        if (run.snapshots.empty())
            throw Error("The run \"" + run.name + "\" has no recorded step.");
        all.push_back(view_support::weights_of_run(*run.snapshots.back()->posterior, run.study.seed, options.view.prune,
                                                   cells.entries[e].name));
        return true;
    });
    if (!whole)
        return {};
    Chart chart = overlay_of_weights(all);
    if (results.sweep.replicate_axis() && results.sweep.replicate_axis()->values.size() > 1)
        chart.caption += " For each setting, the first finished seed.";
    chart.caption += left_out_in_words(cells);
    return of_sweep(std::move(chart), "sweep_weights", "Weights", results);
}

}   // namespace

SweepFigure sweep_training_figure()
{
    return {
        .id    = "sweep_training",
        .title = "Training curves",
        .help =
            "Data loss, KL to the prior and errors of all runs at their recorded steps: for each setting the mean over "
            "the seeds in one colour, mean ± standard deviation, and a thin line for each run. The table has the "
            "roughness of the data loss: the distance of each recorded loss from the straight line between its "
            "neighbours, relative to the loss; 0 is smooth. Computed from the saved runs of the sweep.",
        .view    = "training_curves",
        .why_not = why_no_archives,
        .make    = make_sweep_training};
}

SweepFigure sweep_weights_figure()
{
    return {
        .id    = "sweep_weights",
        .title = "Weights",
        .help =
            "The density of all weights and biases of each setting, for its first seed: one sample of them if they are "
            "random. Computed from the saved runs of the sweep. Source: Blundell et al. 2015, Fig. 3.",
        .view    = "weights",
        .why_not = why_no_archives,
        .make    = make_sweep_weights};
}

SweepFigure sweep_roc_figure()
{
    return {
        .id    = "sweep_roc",
        .title = "Mean ROC",
        .help =
            "How well the mean probability of each class separates it from all others: for each setting the mean of "
            "the curves over classes and seeds, and the area under it, AUROC, as mean ± standard deviation over the "
            "seeds. 1 is perfect, ½ is chance. The saved runs predict the test set again. Source: Steinbrener et al. "
            "2020, Fig. 3.",
        .cost    = Cost::all_rows,
        .view    = "roc",
        .why_not = why_no_class_archives,
        .make    = make_sweep_roc};
}

SweepFigure sweep_uncertainty_figure()
{
    return {
        .id    = "sweep_doubt",
        .title = "Uncertainty on OOD inputs",
        .help =
            "Share of the OOD inputs and of the test inputs with predictive entropy up to a given value: for each "
            "setting the mean over the seeds. The lower the curve of the OOD inputs, the more uncertain the network "
            "is; the curve of the test inputs should rise immediately. The saved runs predict both sets again. Source: "
            "the functional-BNN submission, Fig. 2.",
        .cost    = Cost::all_rows,
        .view    = "out_of_distribution",
        .why_not = why_no_class_archives,
        .make    = make_sweep_uncertainty};
}

}   // namespace credence
