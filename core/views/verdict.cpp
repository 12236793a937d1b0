// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/intervals.h"

#include "charts/chart.h"
#include "prediction/class_predictions.h"
#include "views/conformal_sets.h"
#include "views/view_support.h"

namespace credence {

Verdict verdict_of(const SampleView<float>& probabilities, int input, double level,
                   const std::vector<std::string>& class_names, const std::string& name, std::optional<int> true_class)
{
    Verdict out{.input = name, .intervals = intervals(probabilities, input, level, class_names, true_class)};
    const auto predictions = class_predictions(probabilities);
    out.entropy            = predictions.entropy[input];
    out.expected_entropy   = predictions.expected_entropy[input];
    out.mutual_information = predictions.mutual_information[input];
    return out;
}

std::string headline(const Verdict& verdict)
{
    const auto& all = verdict.intervals;
    return verdict.input + ": " + (all.true_class ? "true " + all.names[*all.true_class] + ", " : "") + "predicted "
           + all.names[all.predicted] + " (p̄ = " + fixed_text(all.mean[all.predicted], 2) + ", entropy "
           + fixed_text(verdict.entropy, 2) + " nats)"
           + (verdict.conformal.empty() ? "" : ", conformal set " + verdict.conformal);
}

Chart to_chart(const Verdict& verdict)
{
    const auto& all = verdict.intervals;
    const int k     = all.predicted;
    Table table{.columns = {{"What"}, {"Value"}, {"Unit"}}, .rows = {}};
    const auto add = [&](const std::string& what, Cell value, const std::string& unit = "") {
        table.rows.push_back({what, std::move(value), unit});
    };
    add(verdict_row::headline, headline(verdict));
    add(verdict_row::predicted, all.names[k]);
    if (all.true_class)
        add(verdict_row::true_class, all.names[*all.true_class]);
    add("Mean probability of the predicted class", all.mean[k]);
    add("Its " + percent_text(all.level) + " interval, from", all.lower[k]);
    add("Its " + percent_text(all.level) + " interval, to", all.upper[k]);
    add("Predictive entropy", verdict.entropy, "nats");
    add("Aleatoric part", verdict.expected_entropy, "nats");
    add("Epistemic part", verdict.mutual_information, "nats");
    if (!verdict.conformal.empty())
        add(verdict_row::conformal, verdict.conformal);
    add(verdict_row::overlap, verdict_by_overlap(all));
    add(verdict_row::probability, verdict_by_probability(all));
    add("Draws", static_cast<long>(all.n_samples));
    return {.id      = "verdict",
            .title   = "Verdict",
            .caption = "Prediction for " + verdict.input + ".",
            .table   = std::move(table)};
}

bool verdict_is_certain(const Chart& chart, const std::string& row)
{
    return verdict_cell(chart, row).starts_with(certain_label);
}

std::string verdict_cell(const Chart& chart, const std::string& row)
{
    if (chart.table)
        for (const auto& cells : chart.table->rows)
            if (cells.size() > 1 && std::holds_alternative<std::string>(cells[0])
                && std::get<std::string>(cells[0]) == row)
                return cell_text(cells[1], chart.table->columns[1]);
    return {};
}

using namespace view_support;

namespace {

std::optional<std::string> why_not_verdict(const Experiment& experiment)
{
    if (experiment.task() == Task::classification)
        return {};
    return "A verdict needs classes. For regression see the regression band.";
}

std::optional<Chart> make_verdict(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto outputs     = chosen_outputs(run, options, stop);
    if (!outputs)
        return {};
    const auto& [input, samples, n_samples] = *outputs;

    const auto& names = experiment.data->training.class_names;
    auto value = verdict_of(view_of(samples), 0, experiment.study.prediction.level, names, input.name, input.label);
    if (const auto set = conformal_set_of_chosen(run, options, value.intervals.mean, input.standardised, stop))
        value.conformal = set_text(*set, names);
    if (stop.stop_requested())
        return {};
    return with_setting(to_chart(value), run, n_samples);
}

}   // namespace

View verdict_view()
{
    return {
        .id    = "verdict",
        .title = "Verdict",
        .group = ViewGroup::selected_input,
        .help =
            "The prediction for the selected input in words: the class with the largest mean probability p̄; "
            "predictive entropy H(p̄) in nats with its aleatoric part E H(p) and its epistemic part H(p̄) − E H(p); "
            "and whether the prediction is certain. By (i) it is if the credible interval of the predicted class at "
            "level α overlaps no other class's interval; by (ii) if its mean probability is at least α. With a conformal "
            "score (prediction.conformal), the conformal set contains the true class with probability α on average. Source: "
            "Posch and Pilz 2021, section IV-A.",
        .needs_input = true,
        .asks        = Asks::outputs,
        .why_not     = why_not_verdict,
        .make        = make_verdict};
}

}   // namespace credence
