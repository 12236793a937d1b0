// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/run_summary.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "posterior/sample_set.h"
#include "runs/archive.h"
#include "views/views.h"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

using SummaryRow = std::vector<Cell>;

const SummaryRow* row_beginning(const Table& table, const std::string& name)
{
    const auto found = std::ranges::find_if(
        table.rows, [&name](const SummaryRow& row) { return std::get<std::string>(row.front()).starts_with(name); });
    return found == table.rows.end() ? nullptr : &*found;
}

std::optional<double> number_in(const SummaryRow* row)
{
    if (row && std::holds_alternative<double>((*row)[1]))
        return std::get<double>((*row)[1]);
    if (row && std::holds_alternative<long>((*row)[1]))
        return static_cast<double>(std::get<long>((*row)[1]));
    return {};
}

std::string percentage_text(double share) { return fixed_text(100 * share, 1) + " %"; }

/// ", 92–99 %"
std::string interval_of_share(double share, long n)
{
    const Range range  = share_interval(std::lround(share * static_cast<double>(n)), n);
    const int decimals = n < 1000 ? 0 : 1;
    return ", " + fixed_text(100 * range.first, decimals) + "–" + fixed_text(100 * range.second, decimals) + " %";
}

std::string origin_of_share_interval(long n)
{
    return " The range is the exact 95 % interval of a share of " + grouped_text(n)
           + " rows (Clopper and Pearson 1934).";
}

void add_scores(const Table& scores, std::optional<double> squared_error_sd, std::vector<SummaryNumber>& numbers)
{
    const long n = std::lround(number_in(row_beginning(scores, "Inputs")).value_or(0));
    if (n < 1)
        return;
    if (const auto accuracy = number_in(row_beginning(scores, "Accuracy")))
        numbers.push_back({.id      = "accuracy",
                           .value   = score_text({FinalScore::Metric::accuracy, *accuracy}),
                           .caption = "accuracy" + interval_of_share(*accuracy, n),
                           .help = "Share of rows whose predicted class is the true one." + origin_of_share_interval(n),
                           .view = "confusion",
                           .rules = {"no_better_than_guessing", "class_imbalance", "class_untrained", "test_rows_seen",
                                     "test_rows_trained_on"}});
    if (const auto* row = row_beginning(scores, "RMSE")) {
        const double rmse = std::get<double>((*row)[1]);
        SummaryNumber number{.id      = "rmse",
                             .value   = number_text(rmse, 3),
                             .caption = "RMSE",
                             .help    = "Root mean square error, in " + std::get<std::string>((*row)[2]) + ".",
                             .view    = "scores",
                             .rules   = {"no_better_than_guessing", "test_rows_seen", "test_rows_trained_on"}};
        if (squared_error_sd && n > 1) {
            const Range range = rmse_interval(rmse, *squared_error_sd, n);
            number.caption += ", " + number_text(range.first, 3) + "–" + number_text(range.second, 3);
            number.help += " The range is the approximate 95 % interval over " + grouped_text(n)
                           + " rows: the mean squared error ± 1.96 standard errors.";
        }
        numbers.push_back(std::move(number));
    }
    if (const auto nll = number_in(row_beginning(scores, "NLL")))
        numbers.push_back({.id      = "nll",
                           .value   = number_text(*nll, 3),
                           .caption = "NLL, nats",
                           .help    = "Mean negative log-likelihood of the true values. Smaller is better.",
                           .view    = "scores",
                           .rules   = {"no_better_than_guessing", "noise_scale"}});
    if (const auto ece = number_in(row_beginning(scores, "Expected calibration error")))
        numbers.push_back({.id      = "ece",
                           .value   = number_text(*ece, 2),
                           .caption = "ECE",
                           .help = "Expected calibration error, 15 bins: the mean distance of confidence and accuracy.",
                           .view = "calibration",
                           .rules = {"calibration_bins"}});
    if (const auto* row = row_beginning(scores, "Coverage of the "); row && number_in(row)) {
        const auto& name        = std::get<std::string>(row->front());
        const std::string level = name.substr(16, name.find(" predictive") - 16);   // "95 %"
        numbers.push_back(
            {.id      = "coverage",
             .value   = percentage_text(*number_in(row)),
             .caption = "coverage of " + level + interval_of_share(*number_in(row), n),
             .help    = "Share of targets inside the " + level + " predictive interval." + origin_of_share_interval(n),
             .view    = "scores",
             .rules   = {"interval_coverage", "interval_level"}});
    }
}

void add_chains(const Table& chains, std::vector<SummaryNumber>& numbers)
{
    const auto add = [&](const char* id, const char* row_name, SummaryNumber number, auto text) {
        const auto* row = row_beginning(chains, row_name);
        if (!row)
            return;
        const auto value = number_in(row);
        number.id        = id;
        number.value     = value ? text(*value) : "–";
        if (const auto* where = std::get_if<std::string>(&(*row)[3]); where && !where->empty())
            number.help += (value ? " Here: " : " Undefined: ") + *where + (where->ends_with('.') ? "" : ".");
        numbers.push_back(std::move(number));
    };
    const auto count = [](double value) { return grouped_text(std::lround(value)); };
    add("r_hat", "Worst R̂",
        {.caption = "worst R̂",
         .help    = "Compares the spread of all draws with that within half-chains: 1 if the chains agree.",
         .view    = "chain_convergence",
         .rules   = {"r_hat", "funnel_unseen"}},
        [](double value) { return fixed_text(value, 3); });
    add("ess", "Smallest bulk ESS",
        {.caption = "smallest ESS",
         .help    = "Independent draws that would give a mean of the same precision.",
         .view    = "chain_convergence",
         .rules   = {"ess"}},
        count);
    add("divergences", "Divergences",
        {.caption = "divergences",
         .help    = "Trajectories that met a region too steep for their step size.",
         .view    = "chain_functions",
         .rules   = {"divergences"}},
        count);
}

}   // namespace

Range share_interval(long hits, long n)
{
    using Binomial    = boost::math::binomial_distribution<double>;
    const auto trials = static_cast<double>(n), successes = static_cast<double>(hits);
    constexpr double a = 0.025;   // on each side
    return {Binomial::find_lower_bound_on_p(trials, successes, a),
            Binomial::find_upper_bound_on_p(trials, successes, a)};
}

Range rmse_interval(double rmse, double squared_error_sd, long n)
{
    const double half = 1.96 * squared_error_sd / std::sqrt(static_cast<double>(n));
    return {std::sqrt(std::max(0.0, rmse * rmse - half)), std::sqrt(rmse * rmse + half)};
}

std::vector<SummaryNumber> summary_numbers(const Table& scores, std::optional<double> squared_error_sd,
                                           const Table& chains)
{
    std::vector<SummaryNumber> numbers;
    add_scores(scores, squared_error_sd, numbers);
    add_chains(chains, numbers);
    return numbers;
}

Table chain_diagnostics_of(const RunSnapshot& run, const std::stop_token& stop)
{
    const auto* set     = run.snapshot ? sample_set_of(*run.snapshot->posterior) : nullptr;
    const auto& of_view = view("chain_convergence");
    if (!set || !set->origin().statistics || !of_view.applies(*run.experiment))
        return {};
    try {
        const auto chart = of_view.make(run, {}, stop);
        return chart && chart->table ? *chart->table : Table{};
    } catch (const Error&) {   // too few draws
        return {};
    }
}

}   // namespace credence
