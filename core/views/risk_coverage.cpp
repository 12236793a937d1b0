// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"
#include "foundation/number_text.h"
#include "prediction/calibration.h"
#include "prediction/scores.h"
#include "views/compare_runs.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace view_support;

namespace {

/// The risk as a function of coverage, for several orders of the rows.
struct RiskCoverage {
    struct Order {
        std::string name;
        std::vector<double> risk;   ///< of the k first rows, k = 1 … N
        double area = 0;
    };
    std::vector<Order> orders;   ///< by measures of uncertainty; the first is drawn
    Order optimal;               ///< by the loss itself
    double random = 0;           ///< of all rows: in random order, the expected risk of any share
    std::string risk, unit;      ///< "Error" or "RMSE"
};

RiskCoverage::Order risk_order(const std::string& name, const std::vector<double>& uncertainty,
                               const std::vector<double>& loss, bool root)
{
    auto risk = selective_risk(uncertainty, loss);
    if (root)
        std::ranges::transform(risk, risk.begin(), [](double square) { return std::sqrt(square); });
    return {name, risk, area_under_risk(risk)};
}

RiskCoverage risk_coverage_of(const TestPredictions& predictions)
{
    RiskCoverage out;
    std::vector<double> loss;
    const bool root = predictions.numbers != nullptr;
    const auto add  = [&](const std::string& name, const std::vector<double>& uncertainty) {
        out.orders.push_back(risk_order(name, uncertainty, loss, root));
    };
    if (predictions.numbers) {
        const auto& rows = *predictions.numbers;
        out.risk         = "RMSE";
        out.unit         = target_unit(rows.target);
        for (std::size_t i = 0; i < rows.n(); ++i)
            loss.push_back(rows.residual(i) * rows.residual(i));
        add("Predictive standard deviation", rows.sd);
        add("Standard deviation of the function (epistemic)", rows.function_sd);
        add("Width of the interval", [&] {
            std::vector<double> width(rows.n());
            std::ranges::transform(rows.upper, rows.lower, width.begin(), std::minus());
            return width;
        }());
    } else {
        const auto& classes = predictions.classes->set.classes;
        out.risk            = "Error";
        for (const char right : correct_each(classes, predictions.classes->labels))
            loss.push_back(right ? 0 : 1);
        auto uncertainty = confidence_scores(classes);
        std::ranges::transform(uncertainty, uncertainty.begin(), std::negate());
        add("Confidence, max p̄", uncertainty);
        add("Predictive entropy", classes.entropy);
        add("Epistemic part", classes.mutual_information);
    }
    out.optimal = risk_order("Optimal: by the loss itself", loss, loss, root);
    out.random  = out.optimal.risk.empty() ? 0 : out.optimal.risk.back();
    return out;
}

Line risk_line(const std::vector<double>& risk)
{
    Line line;
    for (std::size_t k = 0; k < risk.size(); ++k) {
        line.x.push_back(static_cast<double>(k + 1) / static_cast<double>(risk.size()));
        line.y.push_back(risk[k]);
    }
    thin_line(line.x, line.y, 2000, 1e-5);
    return line;
}

Panel risk_panel(const RiskCoverage& of, const std::string& title)
{
    Panel panel{.title = title,
                .x     = {.label = "Share of rows kept, most certain first", .range = Range{0, 1}},
                .y     = {.label = of.risk + " of the kept rows", .unit = of.unit}};
    if (of.random == 0)   // no row is wrong
        panel.y.range = Range{0, 1};
    return panel;
}

std::string words_of_risk(const RiskCoverage& of)
{
    return of.risk
           + " of the most certain rows against their share. AURC is the mean of this curve over all shares k/N; ties "
             "are averaged. Optimal: rows sorted by their loss.";
}

Chart chart_of_risk(const RiskCoverage& of)
{
    Chart chart{.id = "risk_coverage", .title = "Risk and coverage"};
    if (of.optimal.risk.empty()) {
        chart.message = view_support::no_labelled_inputs;
        return chart;
    }
    const auto& first = of.orders.front();
    Panel panel       = risk_panel(of, "AURC " + number_text(first.area, 4) + " by " + first.name);
    Line by = risk_line(first.risk), optimal = risk_line(of.optimal.risk);
    by.name       = first.name;
    by.tone       = {Tone::Kind::posterior};
    by.width      = 2;
    optimal.name  = "Optimal";
    optimal.tone  = {Tone::Kind::right};
    optimal.style = LineStyle::dashed;
    panel.series  = {Rule{.direction = Rule::Direction::horizontal, .at = of.random, .label = "random order"},
                     std::move(optimal), std::move(by)};
    chart.panels  = {std::move(panel)};
    chart.table   = Table{.columns = {{"Order of the rows"}, {"AURC", of.unit}, {"Excess over the optimum", of.unit}},
                          .rows    = {}};
    for (const auto& order : of.orders)
        chart.table->rows.push_back({order.name, order.area, order.area - of.optimal.area});
    chart.table->rows.push_back({of.optimal.name, of.optimal.area, 0.0});
    chart.table->rows.push_back({std::string("Random"), of.random, of.random - of.optimal.area});
    chart.caption = words_of_risk(of);
    return chart;
}

std::optional<Chart> make_risk_coverage(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto predictions = predictions_of(run, options, stop);
    if (!predictions)
        return {};
    Chart chart = chart_of_risk(risk_coverage_of(*predictions));
    return predictions->numbers ? on_rows(std::move(chart), run, *predictions->numbers)
                                : on_rows(std::move(chart), run, *predictions->classes);
}

std::optional<Chart> overlay_risk_coverage(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                           const std::stop_token& stop)
{
    const auto of = predictions_of_runs(runs, options, stop);
    if (!of)
        return {};
    Chart chart{.id = "risk_coverage", .title = "Risk and coverage of several runs", .message = of->message};
    if (!chart.message.empty())
        return chart;
    for (std::size_t r = 0; r < of->runs.size(); ++r) {
        const auto run    = risk_coverage_of(of->runs[r]);
        const auto& first = run.orders.front();
        if (r == 0) {
            chart.panels.push_back(risk_panel(run, "By " + first.name));
            chart.caption = words_of_risk(run);
            chart.table   = Table{.columns = {{"Run"},
                                              {"AURC", run.unit},
                                              {"Excess over the optimum", run.unit},
                                              {"All rows: " + run.risk, run.unit}},
                                  .rows    = {}};
        }
        Line line = risk_line(first.risk);
        line.name = of->names[r] + ": " + number_text(first.area, 3);
        line.tone = category(static_cast<int>(r));
        chart.panels.front().series.push_back(std::move(line));
        chart.table->rows.push_back({of->names[r], first.area, first.area - run.optimal.area, run.random});
    }
    chart.caption += of->caption;
    return chart;
}

}   // namespace

View risk_coverage_view()
{
    return {
        .id    = "risk_coverage",
        .title = "Risk and coverage",
        .group = ViewGroup::scores,
        .help =
            "The error of the most certain predictions against their share: can you tell from the uncertainty which "
            "predictions to trust? Rows are sorted, the most certain first: by confidence max p̄ for classes, by the "
            "predictive standard deviation for numeric targets. The curve is the error, or the RMSE, of the first k of "
            "N rows against the share k/N. It should rise from near 0 to the value of all rows. AURC is its mean over "
            "k = 1 … N. The optimal curve sorts rows by their loss, and the dashed line is the expected error of a "
            "random order. The table compares other measures of uncertainty. Several runs have one curve each. Source: "
            "Geifman, Uziel and El-Yaniv 2019.",
        .asks    = Asks::labels,
        .cost    = Cost::all_rows,
        .make    = make_risk_coverage,
        .compare = overlay_risk_coverage};
}

}   // namespace credence
