// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/verdict.h"

#include "charts/number_text.h"
#include "prediction/class_predictions.h"

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
           + fixed_text(verdict.entropy, 2) + " nats)";
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
    return verdict_cell(chart, row).starts_with(says_certain);
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

}   // namespace credence
