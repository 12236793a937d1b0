// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/active_learning.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/statistics.h"
#include "study/method.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace credence {
namespace {

constexpr const char* before_first_round = "The first training has not finished yet.";

/// Values of the runs of one function that have a round with this number of labels.
struct ScoreSpread {
    std::vector<double> x, mean, lower, upper, count;
};

ScoreSpread score_spread(const LabellingResult& result, Acquisition function, double LabellingRound::*score,
                         double factor)
{
    std::map<std::size_t, std::vector<double>> by_labels;
    for (const auto& run : result.runs)
        if (run.function == function)
            for (const auto& round : run.rounds)
                by_labels[round.labels].push_back(factor * round.*score);
    ScoreSpread out;
    for (const auto& [labels, values] : by_labels) {
        const auto over = mean_and_sd(values);
        if (!over || over->n != values.size())
            continue;   // a true class of probability 0: the NLL is infinite
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        const double sd          = over->sd.value_or(0);
        out.x.push_back(static_cast<double>(labels));
        out.mean.push_back(over->mean);
        out.lower.push_back(over->n >= 3 ? over->mean - sd : *least);
        out.upper.push_back(over->n >= 3 ? over->mean + sd : *most);
        out.count.push_back(static_cast<double>(over->n));
    }
    return out;
}

Panel learning_panel(const LabellingResult& result, const Axis& y, double LabellingRound::*score, double factor)
{
    Panel panel{.x = {.label = "Labelled rows"}, .y = y};
    std::vector<Series> lines;
    for (const Acquisition function : result.plan.functions) {
        const auto spread = score_spread(result, function, score, factor);
        const Tone tone   = function == Acquisition::random ? Tone{Tone::Kind::muted}
                                                            : category(static_cast<int>(function));
        if (std::any_of(spread.count.begin(), spread.count.end(), [](double n) { return n > 1; }))
            panel.series.push_back(
                Band{.x = spread.x, .lower = spread.lower, .upper = spread.upper, .tone = tone, .opacity = 0.18});
        lines.push_back(Points{.name = title_of(function), .x = spread.x, .y = spread.mean, .tone = tone, .size = 5});
        lines.push_back(Line{.name = title_of(function), .x = spread.x, .y = spread.mean, .tone = tone, .width = 2});
    }
    for (auto& series : lines)   // above all bands
        panel.series.push_back(std::move(series));
    return panel;
}

std::string repetitions_in_words(const LabellingResult& result)
{
    std::set<std::size_t> counts;
    for (const Acquisition function : result.plan.functions)
        for (const double n : score_spread(result, function, &LabellingRound::score, 1).count)
            counts.insert(static_cast<std::size_t>(n));
    if (counts.empty() || *counts.rbegin() == 1)
        return "one repetition";
    const std::string most = std::to_string(*counts.rbegin());
    std::string out        = *counts.begin() == *counts.rbegin()
                                 ? "mean over " + most + " repetitions"
                                 : "mean over " + std::to_string(*counts.begin()) + " to " + most + " repetitions";
    if (*counts.rbegin() >= 3)
        out += "; band: mean ± standard deviation";
    if (counts.contains(2))
        out += *counts.rbegin() >= 3 ? ", minimum to maximum for two" : "; band: minimum to maximum";
    return out;
}

std::string plan_in_words(const LabellingResult& result)
{
    const auto& plan  = result.plan;
    const auto& study = result.experiment->study;
    const auto& data  = *result.experiment->data;
    const auto last   = plan.study.seed + static_cast<std::uint64_t>(plan.repetitions) - 1;
    return "Data: " + data.training.name + " (pool of " + grouped_text(static_cast<long>(result.pool.size()))
           + " rows, " + grouped_text(static_cast<long>(data.test.n_rows))
           + " test rows). Posterior: " + method_of(study).title + ", " + std::to_string(plan.samples) + " samples. "
           + std::to_string(plan.starting_labels) + " starting labels, " + std::to_string(plan.labels_per_round)
           + " more in each round. "
           + (plan.repetitions == 1 ? "Seed " + std::to_string(plan.study.seed) + "."
                                    : "Seeds " + std::to_string(plan.study.seed) + " to " + std::to_string(last) + ".");
}

/// The quantity shown by the colours of a map.
std::string mapped_title(const LabellingResult& result, Acquisition function)
{
    switch (function) {
    case Acquisition::bald: return "Mutual information of label and weights";
    case Acquisition::entropy: return "Predictive entropy";
    case Acquisition::margin: return "1 − difference of the two largest probabilities";
    case Acquisition::variance: return "Variance of f";
    case Acquisition::random: break;
    }
    return mapped_title(result, result.task() == Task::classification ? Acquisition::entropy : Acquisition::variance);
}

HeatMap acquisition_heat(const LabellingResult& result, Acquisition function, const LabellingRound& round)
{
    HeatMap heat{.name = mapped_title(result, function),
                 .unit = function == Acquisition::margin || result.task() == Task::regression ? "" : "nats",
                 .nx   = result.grid->nx,
                 .ny   = result.grid->ny,
                 .x    = result.grid->x,
                 .y    = result.grid->y,
                 .z    = round.map};
    const float most = heat.z.empty() ? 0 : *std::max_element(heat.z.begin(), heat.z.end());
    heat.z_range     = {0, std::max(1e-6, static_cast<double>(most))};
    return heat;
}

/// The rows labelled before this round's queries.
std::set<std::uint32_t> labelled_rows(const LabellingRun& run, std::size_t round)
{
    std::set<std::uint32_t> out(run.start.begin(), run.start.end());
    for (std::size_t r = 0; r < round; ++r)
        out.insert(run.rounds[r].queried.begin(), run.rounds[r].queried.end());
    return out;
}

std::string class_suffix(const Dataset& training, std::size_t k)
{
    return training.task == Task::classification ? ", " + class_name(training.class_names, static_cast<int>(k)) : "";
}

/// Adds the pool hollow and the labelled rows filled, by class.
void add_rows(Panel& panel, const LabellingResult& result, const std::set<std::uint32_t>& labelled)
{
    const auto& training   = result.experiment->data->training;
    const bool has_classes = training.task == Task::classification;
    const std::size_t K    = has_classes ? training.n_classes() : 1;
    for (const bool filled : {false, true})
        for (std::size_t k = 0; k < K; ++k) {
            Points points{.name   = (filled ? "labelled" : "pool") + class_suffix(training, k),
                          .tone   = has_classes ? category(static_cast<int>(k)) : Tone{Tone::Kind::data},
                          .size   = filled ? 7.0 : 3.5,
                          .filled = filled};
            for (std::uint32_t row = 0; row < training.n_rows; ++row)
                if (labelled.contains(row) == filled && (!has_classes || training.labels[row] == static_cast<int>(k))) {
                    points.x.push_back(training.row(row)[0]);
                    points.y.push_back(training.row(row)[1]);
                }
            panel.series.push_back(std::move(points));
        }
}

Points next_queries(const LabellingResult& result, const LabellingRound& round)
{
    Points out{.name   = "to be labelled next",
               .tone   = {Tone::Kind::accent},
               .marker = Marker::square,
               .size   = 10,
               .filled = false};
    for (std::size_t i = 0; i < round.queried.size(); ++i) {
        const auto row = result.experiment->data->training.row(round.queried[i]);
        out.x.push_back(row[0]);
        out.y.push_back(row[1]);
        out.labels.push_back(std::to_string(i + 1));
    }
    return out;
}

std::string score_title(const LabellingResult& result)
{
    return result.task() == Task::classification ? "Accuracy" : "RMSE";
}

}   // namespace

Chart learning_chart(const LabellingResult& result)
{
    Chart chart{.id = "active_learning", .title = "Active learning", .columns = 2};
    if (std::all_of(result.runs.begin(), result.runs.end(), [](const auto& run) { return run.rounds.empty(); })) {
        chart.message = before_first_round;
        return chart;
    }
    const bool classes  = result.task() == Task::classification;
    const double factor = classes ? 100 : 1;
    Axis score{.label = classes ? "Test accuracy" : "Test RMSE"};
    if (classes)
        score.unit = "%";
    chart.panels.push_back(learning_panel(result, score, &LabellingRound::score, factor));
    chart.panels.push_back(learning_panel(result, {.label = "Test NLL", .unit = "nats"}, &LabellingRound::nll, 1));
    chart.panels.back().legend = false;
    const auto column          = [](const std::string& name, const std::string& unit) {
        return Column{.name = name, .unit = unit, .decimals = unit == "%" ? 1 : 3};
    };
    chart.table = Table{.columns = {{"Acquisition"},
                                    {"Labels"},
                                    column(score_title(result), score.unit),
                                    column(score_title(result) + " sd", score.unit),
                                    column("NLL", "nats"),
                                    column("NLL sd", "nats")},
                        .rows    = {}};
    for (const Acquisition function : result.plan.functions) {
        std::size_t labels = 0;
        for (const auto& run : result.runs)
            if (run.function == function && !run.rounds.empty())
                labels = std::max(labels, run.rounds.back().labels);
        std::vector<double> scores, nlls;
        for (const auto& run : result.runs)
            if (run.function == function && !run.rounds.empty() && run.rounds.back().labels == labels) {
                scores.push_back(factor * run.rounds.back().score);
                nlls.push_back(run.rounds.back().nll);
            }
        const auto cells = [](const std::vector<double>& values) {
            const auto over = mean_and_sd(values);
            return std::pair<Cell, Cell>{over ? Cell(over->mean) : Cell(std::string()),
                                         over && over->sd ? Cell(*over->sd) : Cell(std::string())};
        };
        const auto [score_mean, score_sd] = cells(scores);
        const auto [nll_mean, nll_sd]     = cells(nlls);
        if (labels > 0)
            chart.table->rows.push_back(
                {title_of(function), static_cast<long>(labels), score_mean, score_sd, nll_mean, nll_sd});
    }
    chart.caption = std::string(classes ? "Test accuracy and NLL" : "Test RMSE and NLL")
                    + " against the number of labelled rows, with a new training for each: "
                    + repetitions_in_words(result) + ". " + plan_in_words(result);
    return chart;
}

Chart query_map(const LabellingResult& result, Acquisition function, std::size_t round)
{
    Chart chart{.id = "active_learning_map", .title = "Queries on the map"};
    if (!result.grid) {
        chart.message = "A map needs data with two inputs. The queried rows are in the table.";
        return chart;
    }
    const auto& run = result.first_run(function);
    if (round >= run.rounds.size()) {
        chart.message = before_first_round;
        return chart;
    }
    const auto& shown    = run.rounds[round];
    const auto& training = result.experiment->data->training;
    Panel panel{.title = title_of(function) + ", " + grouped_text(static_cast<long>(shown.labels)) + " labelled rows",
                .x     = {.label = training.feature_names[0], .range = cell_edges(result.grid->x, result.grid->nx)},
                .y     = {.label = training.feature_names[1], .range = cell_edges(result.grid->y, result.grid->ny)}};
    panel.series.push_back(acquisition_heat(result, function, shown));
    add_rows(panel, result, labelled_rows(run, round));
    panel.series.push_back(next_queries(result, shown));
    chart.panels.push_back(std::move(panel));
    chart.caption = mapped_title(result, function)
                    + (function == Acquisition::random ? ", which the random choice does not use" : "")
                    + ", over the plane. Filled points are labelled, hollow ones are in the pool; squares are the rows "
                      "to be labelled next, numbered from the largest value. Test "
                    + (result.task() == Task::classification ? "accuracy " + percent_text(shown.score)
                                                             : "RMSE " + number_text(shown.score, 3))
                    + ". " + plan_in_words(result);
    return chart;
}

Chart query_table(const LabellingResult& result, Acquisition function)
{
    Chart chart{.id = "active_learning_queries", .title = "Queried rows"};
    const auto& run = result.first_run(function);
    if (run.rounds.empty()) {
        chart.message = before_first_round;
        return chart;
    }
    const auto& data   = *result.experiment->data;
    const bool classes = result.task() == Task::classification;
    Table table{.columns = {{"Round"},
                            {"Number"},
                            {data.image ? "Training image" : "Training row"},
                            {classes ? "Class" : data.training.target_name},
                            {.name = "Acquisition value", .decimals = 4}},
                .rows    = {}};
    const auto truth = [&](std::uint32_t row) {
        return classes ? Cell(class_name(data.training.class_names, data.training.labels[row]))
                       : Cell(data.training.targets[row]);
    };
    for (std::size_t i = 0; i < run.start.size(); ++i)
        table.rows.push_back({0L, static_cast<long>(i + 1), static_cast<long>(result.pool[run.start[i]]),
                              truth(run.start[i]), Cell(std::string("start"))});
    for (std::size_t r = 0; r < run.rounds.size(); ++r)
        for (std::size_t i = 0; i < run.rounds[r].queried.size(); ++i) {
            const auto row = run.rounds[r].queried[i];
            table.rows.push_back({static_cast<long>(r + 1), static_cast<long>(i + 1),
                                  static_cast<long>(result.pool[row]), truth(row), run.rounds[r].values[i]});
        }
    chart.table   = std::move(table);
    chart.caption = title_of(function)
                    + ": the rows of the first repetition in the order of labelling; rows of the "
                      "training set are numbered from 0. The rows of the last round have not been trained on. "
                    + plan_in_words(result);
    return chart;
}

Table labelling_table(const LabellingResult& result)
{
    const bool classes = result.task() == Task::classification;
    Table table{.columns = {{"function"}, {"seed"}, {"labels"}, {classes ? "accuracy" : "rmse"}, {"nll"}}, .rows = {}};
    for (const auto& run : result.runs)
        for (const auto& round : run.rounds)
            table.rows.push_back({name_of(run.function), static_cast<long>(run.seed), static_cast<long>(round.labels),
                                  round.score, round.nll});
    return table;
}

Table queries_table(const LabellingResult& result)
{
    Table table{.columns = {{"function"}, {"seed"}, {"round"}, {"number"}, {"row"}, {"value"}}, .rows = {}};
    for (const auto& run : result.runs) {
        const auto add = [&](std::size_t round, std::size_t i, std::uint32_t row, const Cell& value) {
            table.rows.push_back({name_of(run.function), static_cast<long>(run.seed), static_cast<long>(round),
                                  static_cast<long>(i + 1), static_cast<long>(result.pool[row]), value});
        };
        for (std::size_t i = 0; i < run.start.size(); ++i)
            add(0, i, run.start[i], std::string());
        for (std::size_t r = 0; r < run.rounds.size(); ++r)
            for (std::size_t i = 0; i < run.rounds[r].queried.size(); ++i)
                add(r + 1, i, run.rounds[r].queried[i], run.rounds[r].values[i]);
    }
    return table;
}

}   // namespace credence
