// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/intervals.h"

#include "charts/chart.h"
#include "prediction/class_predictions.h"
#include "prediction/regression.h"
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

namespace {

constexpr std::size_t longest_unit = 10;   // bytes: a longer one would be cut off next to its number

constexpr const char *mean_probability = "Mean probability of the predicted class", *interval_from = " interval, from",
                     *interval_to = " interval, to";

}   // namespace

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
    add(mean_probability, all.mean[k]);
    add("Its " + percent_text(all.level) + interval_from, all.lower[k]);
    add("Its " + percent_text(all.level) + interval_to, all.upper[k]);
    add("Predictive entropy", verdict.entropy, "nats");
    add(verdict_row::aleatoric, verdict.expected_entropy, "nats");
    add(verdict_row::epistemic, verdict.mutual_information, "nats");
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

std::vector<std::pair<std::string, std::string>> verdict_lines(const Chart& verdict)
{
    const auto rounded = [&](const std::string& row) -> std::string {
        if (verdict.table)
            for (const auto& cells : verdict.table->rows)
                if (std::get<std::string>(cells[0]) == row)
                    if (const auto* number = std::get_if<double>(&cells[1]))
                        return display_text(*number, 3);
        return verdict_cell(verdict, row);
    };
    const auto unit = [&](const std::string& row) -> std::string {   // " MPa"
        if (verdict.table)
            for (const auto& cells : verdict.table->rows)
                if (cells.size() > 2 && std::get<std::string>(cells[0]) == row)
                    if (const auto& text = std::get<std::string>(cells[2]);
                        !text.empty() && text.size() <= longest_unit)
                        return " " + text;
        return {};
    };
    std::vector<std::pair<std::string, std::string>> lines;
    for (const char* row : {verdict_row::true_class, verdict_row::predicted, verdict_row::observed, verdict_row::mean})
        if (const auto text = rounded(row); !text.empty())
            lines.emplace_back(row, text + unit(row));
    if (const auto text = rounded(mean_probability); !text.empty())
        lines.emplace_back("Its mean probability", text);
    if (verdict.table)
        for (const auto& cells : verdict.table->rows)
            if (const auto& row = std::get<std::string>(cells[0]); row.ends_with(interval_from)) {
                const auto name = row.substr(0, row.find(','));
                lines.emplace_back(name, rounded(row) + " to " + rounded(name + ", to") + unit(row));
            }
    if (const auto text = verdict_cell(verdict, verdict_row::conformal); !text.empty())
        lines.emplace_back(verdict_row::conformal, text);
    if (const auto text = rounded(verdict_row::epistemic); !text.empty())
        lines.emplace_back("Epistemic / aleatoric",
                           text + " / " + rounded(verdict_row::aleatoric) + unit(verdict_row::epistemic));
    return lines;
}

using namespace view_support;

namespace {

/// The prediction of a numeric target at one input, in its units.
/// @param conformal  its ends; empty: none is asked for
Chart verdict_of_number(const RunSnapshot& run, const ChosenInput& input, const RegressionSamples& samples,
                        const std::optional<Range>& conformal)
{
    const double level       = run.experiment->study.prediction.level;
    const std::string unit   = unit_in_name(run.experiment->data->training.target_name);
    const double mean        = mean_function(samples).front();
    const auto spread        = spread_at(samples, mean, 0);
    const auto ends          = predictive_quantiles(samples, std::vector<double>{(1 - level) / 2, (1 + level) / 2});
    const std::string of_new = percent_text(level);
    Table table{.columns = {{"What"}, {"Value"}, {"Unit"}}, .rows = {}};
    const auto add = [&](const std::string& what, Cell value) { table.rows.push_back({what, std::move(value), unit}); };
    const auto words = [&](double value) { return display_text(value, 3); };
    table.rows.push_back({verdict_row::headline,
                          input.name + ": " + (input.target ? "observed " + words(*input.target) + ", " : "")
                              + "predicted " + words(mean) + " (" + of_new + " predictive interval " + words(ends[0][0])
                              + " to " + words(ends[1][0]) + ")",
                          std::string()});
    if (input.target)
        add(verdict_row::observed, *input.target);
    add(verdict_row::mean, mean);
    add(of_new + interval_from, ends[0][0]);
    add(of_new + interval_to, ends[1][0]);
    if (conformal) {
        add(of_new + " conformal" + interval_from, conformal->first);
        add(of_new + " conformal" + interval_to, conformal->second);
    }
    add("Standard deviation of a new observation", spread.y);
    add(verdict_row::aleatoric, spread.noise);
    add(verdict_row::epistemic, spread.function);
    table.rows.push_back({"Draws", static_cast<long>(samples.n_samples), std::string()});
    return {.id      = "verdict",
            .title   = "Verdict",
            .caption = "Prediction for " + input.name + ".",
            .table   = std::move(table)};
}

std::optional<Chart> make_verdict(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto outputs     = chosen_outputs(run, options, stop);
    if (!outputs)
        return {};
    const auto& [input, samples, n_samples] = *outputs;

    if (experiment.task() == Task::regression) {
        const auto numbers = regression_samples(view_of(samples), experiment.model.likelihood,
                                                experiment.data->target_mean, experiment.data->target_sd);
        std::optional<Range> interval;
        if (!why_no_conformal(experiment)) {
            const auto conformal = conformal_calibration(run, options, stop);
            if (!conformal)
                return {};
            interval = conformal->interval(
                predicted_numbers(numbers, conformal->options.score, conformal->level).front(), input.standardised);
        }
        return with_setting(verdict_of_number(run, input, numbers, interval), run, n_samples);
    }
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
            "The prediction for the selected input in words: the class with the largest mean probability p̄, and "
            "whether this is certain. The predictive entropy H(p̄), in nats, is the sum of its aleatoric part E H(p) "
            "and its epistemic part H(p̄) − E H(p). The prediction is certain by (i) if the credible interval of the "
            "predicted class at level α overlaps no other class's interval, and by (ii) if its mean probability is at "
            "least α. With a conformal score (prediction.conformal), the conformal set contains the true class with "
            "probability α on average. For numeric targets: the mean, the predictive interval at level α, and the "
            "standard deviation of a new observation with the aleatoric part (noise) and the epistemic part (between "
            "samples). Source: Posch and Pilz 2021, section IV-A.",
        .needs_input = true,
        .asks        = Asks::outputs,
        .make        = make_verdict};
}

}   // namespace credence
