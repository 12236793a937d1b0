// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/run_summary.h"

#include "foundation/number_text.h"
#include "runs/archive.h"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

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

void add_classes(const ClassificationScores& scores, std::vector<SummaryNumber>& numbers)
{
    numbers.push_back(
        {.id      = "accuracy",
         .value   = score_text({FinalScore::Metric::accuracy, scores.accuracy}),
         .caption = "accuracy" + interval_of_share(scores.accuracy, scores.n),
         .help    = "Share of rows whose predicted class is the true one." + origin_of_share_interval(scores.n),
         .view    = "confusion",
         .rules   = {"no_better_than_guessing", "class_imbalance", "class_untrained", "test_rows_seen",
                     "test_rows_trained_on"}});
}

/// ", MPa"; empty for targets without a unit, which are measured in "units of y"
std::string with_unit(const std::string& unit, const std::string& before = ", ")
{
    return unit.empty() || unit.starts_with("units of ") ? "" : before + unit;
}

/// Both ends with the decimals of a number with three digits: "4.40–7.18" next to 5.95
std::string range_text(const Range& range, double of)
{
    const int decimals = of > 0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(of))), 0, 8) : 0;
    return fixed_text(range.first, decimals) + "–" + fixed_text(range.second, decimals);
}

void add_rmse(const RegressionScores& scores, const std::string& unit, std::vector<SummaryNumber>& numbers)
{
    SummaryNumber number{.id      = "rmse",
                         .value   = display_text(scores.rmse, 3),
                         .caption = "RMSE",
                         .help    = "Root mean square error, in " + unit + ".",
                         .view    = "scores",
                         .rules   = {"no_better_than_guessing", "test_rows_seen", "test_rows_trained_on"}};
    if (scores.n > 1) {
        const double square = scores.rmse * scores.rmse;
        const Range range   = rmse_interval(scores.rmse, std::sqrt(std::max(0.0, scores.mean_fourth - square * square)),
                                            scores.n);
        number.caption += ", " + range_text(range, scores.rmse) + with_unit(unit, " ");
        number.help += " The range is the approximate 95 % interval over " + grouped_text(scores.n)
                       + " rows: the mean squared error ± 1.96 standard errors.";
    } else {
        number.caption += with_unit(unit);
    }
    numbers.push_back(std::move(number));
}

void add_nll(double nll, std::vector<SummaryNumber>& numbers)
{
    numbers.push_back({.id      = "nll",
                       .value   = display_text(nll, 3),
                       .caption = "NLL, nats",
                       .help    = "Mean negative log-likelihood of the true values. Smaller is better.",
                       .view    = "scores",
                       .rules   = {"no_better_than_guessing", "noise_scale"}});
}

void add_crps(const RegressionScores& scores, const std::string& unit, std::vector<SummaryNumber>& numbers)
{
    numbers.push_back({.id      = "crps",
                       .value   = display_text(scores.crps, 3),
                       .caption = "CRPS" + with_unit(unit),
                       .help    = "Continuous ranked probability score, in " + unit
                               + ": the mean absolute error of a whole distribution. Smaller is better.",
                       .view = "scores"});
}

void add_ece(double ece, std::vector<SummaryNumber>& numbers)
{
    numbers.push_back({.id      = "ece",
                       .value   = display_text(ece, 2),
                       .caption = "ECE",
                       .help    = "Expected calibration error, 15 bins: the mean distance of confidence and accuracy.",
                       .view    = "calibration",
                       .rules   = {"calibration_bins"}});
}

void add_coverage(const RegressionScores& scores, std::vector<SummaryNumber>& numbers)
{
    const std::string level = percent_text(scores.level);
    numbers.push_back(
        {.id      = "coverage",
         .value   = percentage_text(scores.coverage),
         .caption = "coverage of " + level + interval_of_share(scores.coverage, scores.n),
         .help  = "Share of targets inside the " + level + " predictive interval." + origin_of_share_interval(scores.n),
         .view  = "calibration",
         .rules = {"interval_coverage", "interval_level"}});
}

void add_width(const RegressionScores& scores, const std::string& unit, std::vector<SummaryNumber>& numbers)
{
    numbers.push_back({.id      = "width",
                       .value   = display_text(scores.mean_width, 3),
                       .caption = "mean width" + with_unit(unit),
                       .help    = "Mean width of the " + percent_text(scores.level) + " predictive interval, in " + unit
                               + ". Of two runs with the right coverage, the one with narrower intervals is better.",
                       .view = "calibration"});
}

void add_least_squares(double rmse, const std::string& unit, std::vector<SummaryNumber>& numbers)
{
    numbers.push_back({.id      = "least_squares",
                       .value   = display_text(rmse, 3),
                       .caption = "least squares, for comparison" + with_unit(unit),
                       .help    = "RMSE of a linear regression on the same training rows, in " + unit + ".",
                       .view    = "scores"});
}

void add_chains(const ChainNumbers& chains, std::vector<SummaryNumber>& numbers)
{
    const auto sentence = [](const ChainNumbers::Number& number) {
        return number.where.empty() ? std::string()
                                    : (number.value ? " Here: " : " Undefined: ") + number.where
                                          + (number.where.ends_with('.') ? "" : ".");
    };
    numbers.push_back({.id      = "r_hat",
                       .value   = chains.r_hat.value ? fixed_text(*chains.r_hat.value, 3) : "–",
                       .caption = "worst R̂",
                       .help = "Compares the spread of all draws with that within half-chains: 1 if the chains agree."
                               + sentence(chains.r_hat),
                       .view  = "chain_convergence",
                       .rules = {"r_hat", "funnel_unseen"}});
    numbers.push_back({.id      = "ess",
                       .value   = chains.ess.value ? grouped_text(std::lround(*chains.ess.value)) : "–",
                       .caption = "smallest ESS",
                       .help = "Independent draws that would give a mean of the same precision." + sentence(chains.ess),
                       .view = "chain_convergence",
                       .rules = {"ess"}});
    numbers.push_back({.id      = "divergences",
                       .value   = grouped_text(chains.divergences),
                       .caption = "divergences",
                       .help    = "Trajectories, of " + grouped_text(chains.draws)
                               + " draws, that met a region too steep for their step size.",
                       .view  = "chain_functions",
                       .rules = {"divergences"}});
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

std::vector<SummaryNumber> summary_numbers(const ScoreTable& scores, const std::optional<ChainNumbers>& chains)
{
    std::vector<SummaryNumber> numbers;
    if (const auto& classes = scores.classes) {
        add_classes(*classes, numbers);
        add_nll(classes->nll, numbers);
        add_ece(classes->ece, numbers);
    }
    if (const auto& regression = scores.regression) {
        add_rmse(*regression, scores.unit, numbers);
        add_nll(regression->nll, numbers);
        add_crps(*regression, scores.unit, numbers);
        add_coverage(*regression, numbers);
        add_width(*regression, scores.unit, numbers);
        if (scores.least_squares_rmse)
            add_least_squares(*scores.least_squares_rmse, scores.unit, numbers);
        if (!scores.target.empty())
            for (SummaryNumber& number : numbers)
                number.caption += ", " + scores.target;
    }
    if (chains)
        add_chains(*chains, numbers);
    return numbers;
}

}   // namespace credence
