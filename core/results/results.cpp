// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/results.h"

#include "charts/figure_files.h"
#include "foundation/error.h"
#include "linter/lint.h"
#include "network/architecture.h"
#include "results/times_file.h"
#include "study/method.h"
#include "training/snapshot.h"
#include "views/scores.h"
#include "views/view_support.h"

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <functional>
#include <new>
#include <utility>

namespace credence {

/// Adds the linter's result to results.json. `findings`: objects with rule, severity ("error",
/// "warning"), title, evidence, reason, idea, threshold, and for a remedy its label and either
/// settings ({"training.kl_weight": "1"}) or view. `not_judged`, if there are such rules: objects
/// with rule and sentence.
void add_findings(nlohmann::ordered_json& json, const LintResult& result);

void add_findings(nlohmann::ordered_json& json, const LintResult& result)
{
    auto& list = json["findings"] = nlohmann::ordered_json::array();
    for (const auto& finding : result.findings) {
        nlohmann::ordered_json object{{"rule", finding.rule},
                                      {"severity", name_of(finding.severity)},
                                      {"title", finding.title},
                                      {"evidence", finding.evidence}};
        object["reason"] = finding.reason;
        if (!finding.idea.empty())
            object["idea"] = finding.idea;
        if (!finding.threshold.empty())
            object["threshold"] = finding.threshold;
        if (!finding.remedy.empty())
            object["remedy"]["label"] = finding.remedy.label;
        for (const auto& [path, value] : finding.remedy.settings)
            object["remedy"]["settings"][path] = value;
        if (!finding.remedy.view.empty())
            object["remedy"]["view"] = finding.remedy.view;
        list.push_back(std::move(object));
    }
    for (const auto& [rule, sentence] : result.not_judged)
        json["not_judged"].push_back({{"rule", rule}, {"sentence", sentence}});
}

namespace {

using nlohmann::ordered_json;

ordered_json layers_to_json(const LayerUncertainty& layers)
{
    ordered_json list = ordered_json::array();
    for (const auto& block : layers) {
        ordered_json object{{"block", block.block}};
        if (block.tau)
            object["tau"] = *block.tau;
        if (block.rho)
            object["rho"] = *block.rho;
        if (block.dropout_rate)
            object["dropout_rate"] = *block.dropout_rate;
        object["mean_abs"]           = cell_to_json(block.mean_abs);
        object["median_sd"]          = cell_to_json(block.median_sd);
        object["median_relative_sd"] = cell_to_json(block.median_relative_sd);
        list.push_back(std::move(object));
    }
    return list;
}

/// A learned prior: sd of each block, or π, σ_1 and σ_2 of a mixture.
ordered_json learned_prior_to_json(const TrainingPoint& point)
{
    const auto& values = point.prior;
    if (values.size() != point.layers.size())
        return {{"pi", cell_to_json(values.at(0))},
                {"sigma_wide", cell_to_json(values.at(1))},
                {"sigma_narrow", cell_to_json(values.at(2))}};
    ordered_json list = ordered_json::array();
    for (std::size_t b = 0; b < values.size(); ++b)
        list.push_back({{"block", point.layers[b].block}, {"sd", cell_to_json(values[b])}});
    return list;
}

void add_scores(ordered_json& json, const WrittenResults& written)
{
    json["scores"] = table_to_json(written.scores);
    if (!written.validation_scores.rows.empty())
        json["validation_scores"] = table_to_json(written.validation_scores);
    if (!written.no_scores.empty())
        json["no_scores"] = written.no_scores;
    if (written.findings)
        add_findings(json, *written.findings);
    for (const auto& [id, table] : written.tables)
        json["tables"][id] = table_to_json(without_wall_times(id, table));
    for (const auto& [view, sentence] : written.left_out)
        json["left_out"][view] = sentence;
}

ordered_json outputs_to_json(const RunSnapshot& opened, const WrittenResults& written)
{
    const auto& outputs = *opened.experiment->outputs;
    ordered_json json;
    json["credence"]   = 1;
    json["provenance"] = build_to_json(this_build());
    json["name"]       = opened.experiment->study.name;
    json["outputs"]    = {{"file", outputs.own.name},
                          {"numbers", outputs.numbers},
                          {"draws", opened.experiment->study.prediction.samples},
                          {"rows", outputs.own.n},
                          {"classes", opened.experiment->data->training.n_classes()}};
    if (!outputs.own.note.empty())
        json["outputs"]["note"] = outputs.own.note;
    if (outputs.other.n > 0)
        json["outputs"]["foreign"] = {{"file", outputs.other.name}, {"rows", outputs.other.n}};
    add_scores(json, written);
    return json;
}

ordered_json results_to_json(const SavedRun& run, const RunSnapshot& end, const WrittenResults& written)
{
    const auto& data = *end.experiment->data;
    const auto test  = view_support::final_test_set(*end.experiment);
    ordered_json json;
    json["credence"] = 1;
    if (run.provenance)
        json["provenance"] = provenance_to_json(*run.provenance);
    json["name"]    = run.name;
    json["stop"]    = name_of(run.report.stop);
    json["message"] = run.report.message;
    json["steps"]   = run.report.steps;
    if (run.report.stop == StopReason::not_finite) {
        json["bad_step"]  = run.report.bad_step;
        json["bad_block"] = run.report.bad_block;
    }
    json["data"] = {{"name", data.training.name},
                    {"task", data.training.task == Task::classification ? "classification" : "regression"},
                    {"training_rows", data.training.n_rows},
                    {"test_rows", test ? test->data->n_rows : data.test.n_rows},
                    {"features", data.training.n_features},
                    {"classes", data.training.n_classes()}};
    if (test)
        json["data"]["validation_rows"] = data.test.n_rows;
    if (data.image) {
        json["data"]["image"] = {data.image->channels, data.image->height, data.image->width};
        json["network"]       = {{"layers", layers_text(end.experiment->model.architecture)},
                                 {"weights", end.snapshot->posterior->layout().size()}};
    }
    if (const auto& add = method_of(run.study).results)
        add(*end.experiment, *end.snapshot->posterior, json);
    add_scores(json, written);
    json["layers"] = layers_to_json(end.snapshot->point.layers);
    if (!end.snapshot->point.prior.empty())
        json["learned_prior"] = learned_prior_to_json(end.snapshot->point);
    if (const auto roughness = loss_roughness(run.history))
        json["loss_roughness"] = *roughness;
    return json;
}

void make_folder(const std::filesystem::path& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error || !std::filesystem::is_directory(folder))
        throw Error(folder.string() + ": the folder cannot be created (" + error.message() + ").");
}

/// The error of `make`; empty if it succeeded.
std::string sentence_of(const std::function<void()>& make)
{
    try {
        make();
    } catch (const Error& error) {
        return error.what();
    } catch (const std::bad_alloc&) {
        return "There is not enough memory for this.";
    }
    return {};
}

void score(const RunSnapshot& end, const std::stop_token& stop, WrittenResults& written)
{
    if (!stop.stop_requested())
        written.no_scores = sentence_of([&] {
            Table own = scores(end, stop);
            if (view_support::final_test_set(*end.experiment)) {
                written.scores            = final_test_scores(end, stop);
                written.validation_scores = std::move(own);
            } else
                written.scores = std::move(own);
        });
    if (stop.stop_requested()) {
        written.scores = written.validation_scores = {};
        written.no_scores                          = "Cancelled.";
    }
}

void write_json_file(const ordered_json& json, const std::filesystem::path& folder)
{
    write_whole(folder / "results.json", json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

/// The comments of a CSV file, with the notes of the chart's panels, which have no column.
std::string with_notes(std::string comments, const Chart& chart)
{
    for (const auto& panel : chart.panels)
        if (!panel.note.empty())
            comments += (comments.empty() || comments.back() == '\n' ? "" : "\n") + panel.title + ": " + panel.note;
    return comments;
}

/// Writes one view as a table and with `draw`. False: stopped.
bool write_view(const View& view, const RunSnapshot& end, const ViewOptions& options,
                const std::filesystem::path& folder, const std::string& comments, const FigureWriter& draw,
                const std::stop_token& stop, WrittenResults& written)
{
    std::optional<Chart> chart;
    const auto sentence = sentence_of([&] { chart = view.make(end, options, stop); });
    if (stop.stop_requested())
        return false;
    if (!sentence.empty()) {
        written.left_out.emplace_back(view.id, sentence);
        return true;
    }
    if (!chart || !chart->message.empty())
        return true;
    write_whole(folder / "data" / (view.id + ".csv"), to_csv(data_table(*chart), with_notes(comments, *chart)));
    if (chart->table && !chart->panels.empty())   // next to the panels
        write_whole(folder / "data" / (view.id + "_table.csv"),
                    to_csv(without_wall_times(view.id, *chart->table), comments));
    if (view.table_in_results && chart->table)
        written.tables.emplace_back(view.id, *chart->table);
    if (draw)
        draw(*chart, folder / "figures" / view.id);
    return true;
}

/// Writes every view that applies. False: stopped.
bool write_views(const RunSnapshot& end, const ViewOptions& options, const std::filesystem::path& folder,
                 const std::string& comments, const FigureWriter& draw, const std::stop_token& stop,
                 WrittenResults& written)
{
    make_folder(folder / "data");
    if (draw)
        make_folder(folder / "figures");
    for (const auto& view : views())
        if (view.with_results && !view.why_not(*end.experiment)
            && !write_view(view, end, options, folder, comments, draw, stop, written))
            return false;
    return true;
}

}   // namespace

std::string study_comments(const Study& study) { return study_comments_of(to_text(study)); }

void keep_run(const SavedRun& run, const std::filesystem::path& folder)
{
    for (const auto& place : {folder, folder / "data", folder / "figures"})
        remove_leftovers(place);
    SavedRun timeless = run;
    timeless.started.clear();
    save_run(timeless, folder / "run.credence");   // first: it marks the folder as Credence's own
    save_study(run.study, folder / "study.json");
}

WrittenResults scores_of(const RunSnapshot& end, std::stop_token stop)
{
    WrittenResults made;
    score(end, stop, made);
    return made;
}

WrittenResults write_results(const SavedRun& run, const RunSnapshot& end, const std::filesystem::path& folder,
                             const FigureWriter& draw, std::stop_token stop)
{
    WrittenResults written;
    write_results(run, end, folder, written, draw, std::move(stop));
    return written;
}

void write_results(const SavedRun& run, const RunSnapshot& end, const std::filesystem::path& folder,
                   WrittenResults& written, const FigureWriter& draw, std::stop_token stop)
{
    const auto write_json = [&] {
        write_times(run.started, run.report.seconds, written.tables, folder);
        write_json_file(results_to_json(run, end, written), folder);
    };
    score(end, stop, written);
    const Table& shown = written.validation_scores.rows.empty() ? written.scores : written.validation_scores;
    if (const auto run_file = folder / "run.credence"; std::filesystem::exists(run_file))
        if (const auto score = final_score_in(shown))
            add_score(run_file, *score);
    written.findings = lint({.run = end, .report = run.report, .table = run.table}, stop);
    write_json();
    if (stop.stop_requested())
        return;

    if (!write_views(end, {}, folder, study_comments(run.study), draw, stop, written))
        return;
    if (!run.study.prediction.points.empty()) {
        std::optional<Table> table;
        const auto sentence = sentence_of([&] { table = posterior_at_points(end, stop); });
        if (stop.stop_requested())
            return;
        if (table)
            write_whole(folder / "data" / "posterior_at_points.csv", to_csv(*table));
        else
            written.left_out.emplace_back("posterior_at_points", sentence);
    }
    write_json();   // with the tables, and with the omitted views
    written.whole = true;
}

WrittenResults write_scores(const SavedRun& run, const RunSnapshot& end, const std::filesystem::path& folder,
                            std::span<const std::string> view_ids, std::stop_token stop, bool score_calibration_rows)
{
    WrittenResults written;
    score(end, stop, written);
    if (score_calibration_rows && written.validation_scores.rows.empty() && !stop.stop_requested())
        if (const auto why = sentence_of([&] { written.validation_scores = calibration_scores(end, stop); });
            !why.empty())
            written.no_scores = why;
    if (!view_ids.empty())
        make_folder(folder / "data");
    for (const auto& id : view_ids) {
        if (stop.stop_requested())
            return written;
        const View& wanted = view(id);
        if (const auto why = wanted.why_not(*end.experiment))
            written.left_out.emplace_back(id, *why);
        else if (!write_view(wanted, end, {}, folder, study_comments(run.study), {}, stop, written))
            return written;
    }
    if (stop.stop_requested())
        return written;
    write_times(run.started, run.report.seconds, written.tables, folder);
    write_json_file(results_to_json(run, end, written), folder);
    written.whole = true;
    return written;
}

WrittenResults write_results_of_outputs(const RunSnapshot& opened, const std::filesystem::path& folder,
                                        const ViewOptions& options, const FigureWriter& draw, std::stop_token stop)
{
    WrittenResults written;
    for (const auto& place : {folder, folder / "data", folder / "figures"})
        remove_leftovers(place);
    score(opened, stop, written);
    written.findings = lint({.run = opened, .options = options}, stop);
    write_json_file(outputs_to_json(opened, written), folder);
    if (stop.stop_requested()
        || !write_views(opened, options, folder, view_support::setting_of(opened), draw, stop, written))
        return written;
    write_times({}, {}, written.tables, folder);
    write_json_file(outputs_to_json(opened, written), folder);
    written.whole = true;
    return written;
}

}   // namespace credence
