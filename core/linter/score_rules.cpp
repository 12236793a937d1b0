// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/statistics.h"
#include "foundation/text.h"
#include "linter/evidence.h"
#include "linter/lint.h"
#include "prediction/baselines.h"
#include "prediction/calibration.h"
#include "prediction/difference_of_means.h"
#include "prediction/scores.h"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace credence {

using namespace lint_support;

namespace {

std::optional<Finding> check_class_untrained(const LintCase& lint_case, const std::stop_token&)
{
    const auto& experiment = *lint_case.run.experiment;
    if (experiment.outputs || experiment.task() != Task::classification || experiment.data->training.labels.empty())
        return {};
    const auto& training = experiment.data->training;
    const auto& test     = experiment.data->test;
    std::vector<std::size_t> trained(training.n_classes(), 0), tested(training.n_classes(), 0);
    for (const int label : training.labels)
        ++trained[static_cast<std::size_t>(label)];
    for (const int label : test.labels)
        ++tested[static_cast<std::size_t>(label)];
    std::vector<std::string> names;
    std::size_t rows = 0;
    for (std::size_t k = 0; k < trained.size(); ++k)
        if (trained[k] == 0 && tested[k] > 0) {
            names.push_back(training.class_names[k]);
            rows += tested[k];
        }
    if (names.empty())
        return {};
    const bool one = names.size() == 1;
    return Finding{
        .severity = Severity::warning,
        .title    = one ? "No training row belongs to class " + quoted_text(one_line(names.front(), 40)) + "."
                        : "Some classes have no training row.",
        .evidence = std::to_string(rows) + (rows == 1 ? " test row of " : " test rows of ")
                    + std::to_string(test.labels.size()) + (rows == 1 ? " belongs to " : " belong to ")
                    + some_names(names) + ", but 0 of " + std::to_string(training.labels.size())
                    + " training rows do; expected at least 1 training row in each class.",
        .reason = "The network has never seen this class, so its test rows count as errors and lower all scores. "
                  "Merge or remove classes with very few rows, or choose another split seed.",
        .remedy = {.label = "Show the confusion matrix", .view = "confusion"}};
}

}   // namespace

LintRule class_untrained_rule()
{
    return {
        .id    = "class_untrained",
        .title = "Class without training rows",
        .what  = "Classification: warning if the test set has rows of a class that has no training rows. The split can "
                 "cause this if a class has very few rows.",
        .threshold = "chosen for Credence: at least one training row per class",
        .check     = check_class_untrained};
}

namespace {

constexpr double large_class = 0.6;    // smallest share of the rows
constexpr double wide_gap    = 0.15;   // between accuracy and balanced accuracy

std::optional<Finding> check_class_imbalance(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto counts = class_counts(lint_case, stop);
    if (!counts)
        return {};
    const auto& [rows, right, all, all_right, largest] = *counts;
    const auto n                                       = static_cast<double>(all);
    double recall = 0, there = 0, worst = 1;
    std::size_t worst_class = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (rows[k] == 0)
            continue;
        const double of_class = static_cast<double>(right[k]) / static_cast<double>(rows[k]);
        recall += of_class;
        there += 1;
        if (of_class < worst) {
            worst       = of_class;
            worst_class = k;
        }
    }
    const double share    = static_cast<double>(rows[largest]) / n;
    const double accuracy = static_cast<double>(all_right) / n, balanced = recall / there;
    if (there < 2 || share < large_class || accuracy - balanced <= wide_gap)
        return {};
    const auto& names = lint_case.run.experiment->data->training.class_names;
    return Finding{
        .severity = Severity::warning,
        .title    = "The accuracy hides errors on a rare class.",
        .evidence = "Class " + quoted_text(names[largest]) + " has " + percent(share) + " of the rows. The accuracy is "
                    + percent(accuracy) + ", the balanced accuracy " + percent(balanced) + ", and the recall of class "
                    + quoted_text(names[worst_class]) + " is " + percent(worst) + "; expected a gap of at most "
                    + percent(wide_gap) + ".",
        .reason = "Always predicting the majority class already gives a high accuracy. Look at each class separately.",
        .remedy = {.label = "Show the confusion matrix", .view = "confusion"}};
}

}   // namespace

LintRule class_imbalance_rule()
{
    return {
        .id    = "class_imbalance",
        .title = "Class imbalance that accuracy hides",
        .what  = "Classification: warning if one class has at least 60 % of the rows and the accuracy is more than 15 "
                 "percentage points above the balanced accuracy, the mean recall over the classes (Brodersen et al. "
                 "2010).",
        .idea  = "Brodersen et al. 2010 (balanced accuracy)",
        .threshold = "chosen for Credence: 60 % of the rows and a gap of 15 percentage points",
        .check     = check_class_imbalance};
}

namespace {

constexpr long fewest_rows  = 20;
constexpr long fewest_worse = 5;       // a t test of differences with a long upper tail claims too little, not too much
constexpr double half_level = 0.025;   // of each of the two comparisons

/// @param difference  network minus guess, of the rows with a finite NLL
/// @param of_network  over all rows: infinite if one of them had probability 0, which is worse than any guess
bool worse_by_nll(const MeanDifference& difference, double of_network)
{
    return std::isinf(of_network) || (difference.probability_less && *difference.probability_less < half_level);
}

/// The rows against always answering with the majority class and against always predicting the
/// class frequencies.
struct AgainstGuessing {
    long n = 0, right = 0, right_by_guess = 0;
    std::size_t majority = 0;
    double p_accuracy =
        1;   ///< one-sided sign test over the rows that only one of both gets right: is the network better?
    MeanDifference nll{};   ///< network minus class frequencies, paired by row
    double nll_of_network = 0, nll_of_guess = 0;

    /// Is the network better with the probability of a false claim below the level, by accuracy or
    /// by NLL?
    bool is_better() const
    {
        return p_accuracy < half_level || (nll.probability_less && 1 - *nll.probability_less < half_level);
    }
    bool is_worse_by_nll() const { return worse_by_nll(nll, nll_of_network); }
};

std::optional<AgainstGuessing> against_guessing(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto scored = predictions(lint_case, stop);
    const auto counts = class_counts(lint_case, stop);
    if (!scored || !counts || counts->all < fewest_worse)
        return {};
    // The baselines need the classes of the training rows; imported predictions have none.
    const auto& training = lint_case.run.experiment->data->training;
    const auto& labels   = scored->labels;
    const auto baseline  = class_baseline(training.labels.empty() ? labels : training.labels, labels,
                                         counts->rows.size());
    AgainstGuessing out{
        .n = counts->all, .right = counts->all_right, .majority = static_cast<std::size_t>(baseline.majority)};
    long only_network = 0, only_guess = 0;
    std::vector<double> of_network = nll_each(scored->set.classes, labels), of_guess;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const bool right = scored->set.classes.predicted[i] == labels[i], guessed = labels[i] == baseline.majority;
        out.right_by_guess += guessed;
        only_network += right && !guessed;
        only_guess += guessed && !right;
        of_guess.push_back(-std::log(baseline.frequencies[static_cast<std::size_t>(labels[i])]));
        out.nll_of_network += of_network[i] / static_cast<double>(labels.size());
    }
    out.nll_of_guess = baseline.nll;
    out.nll          = paired_difference(of_network, of_guess);
    if (only_network > 0) {
        const boost::math::binomial coin(static_cast<double>(only_network + only_guess), 0.5);
        out.p_accuracy = boost::math::cdf(boost::math::complement(coin, static_cast<double>(only_network - 1)));
    }
    return out;
}

/// A regression against always predicting the mean of the training targets with their standard
/// deviation.
struct AgainstMean {
    MeanDifference squares{}, nll{};   ///< of the squared errors and the NLL, network minus mean, paired by row
    double rmse_of_network = 0, rmse_of_mean = 0, nll_of_network = 0, nll_of_mean = 0;

    bool is_better() const
    {
        const auto less = [](const MeanDifference& difference) {
            return difference.probability_less && 1 - *difference.probability_less < half_level;
        };
        return less(squares) || less(nll);
    }
    bool is_worse_by_nll() const { return worse_by_nll(nll, nll_of_network); }
};

std::optional<AgainstMean> against_mean(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto predicted = target_predictions(lint_case, stop);
    if (!predicted || predicted->targets.size() < static_cast<std::size_t>(fewest_rows))
        return {};
    const auto& training = lint_case.run.experiment->data->training.targets;
    const auto baseline  = mean_baseline(training, predicted->targets);
    if (!baseline)
        return {};
    const auto guess  = mean_and_sd(training);
    const double mean = guess->mean, sd = *guess->sd;
    const auto n = static_cast<double>(predicted->targets.size());
    AgainstMean out{.rmse_of_mean = baseline->rmse, .nll_of_mean = baseline->nll};
    std::vector<double> squares, nll;
    for (const double y : predicted->targets) {
        squares.push_back((y - mean) * (y - mean));
        nll.push_back(0.5 * std::log(2 * std::numbers::pi * sd * sd) + squares.back() / (2 * sd * sd));
    }
    for (std::size_t i = 0; i < squares.size(); ++i) {
        out.rmse_of_network += predicted->squared_errors[i] / n;
        out.nll_of_network += predicted->nll[i] / n;
    }
    out.rmse_of_network = std::sqrt(out.rmse_of_network);
    out.squares         = paired_difference(predicted->squared_errors, squares);
    out.nll             = paired_difference(predicted->nll, nll);
    return out;
}

/// @param of_network  if it is infinite, so is the difference, which is then omitted
std::string half_width_text(const MeanDifference& difference, double of_network)
{
    return difference.half_width && std::isfinite(of_network)
               ? " (difference " + number(*difference.mean) + " ± " + number(*difference.half_width) + ", 95 %)"
               : std::string();
}

std::optional<Finding> no_better_than_mean(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto found = against_mean(lint_case, stop);
    if (!found)
        return {};
    const bool worse = found->is_worse_by_nll();
    if (found->is_better() && !worse)
        return {};
    const auto n           = static_cast<long>(found->squares.n_a);
    const std::string unit = " " + target_unit(lint_case.run.experiment->data->training.target_name);
    return Finding{
        .severity = Severity::warning,
        .title    = worse ? "The NLL is worse than that of predicting the mean."
                          : "There is no evidence that the network is better than predicting the mean.",
        .evidence = "RMSE is " + number(found->rmse_of_network) + unit + " on " + counted(n, "row") + ", and "
                    + number(found->rmse_of_mean) + unit
                    + " by always predicting the mean of the training targets; difference of the squared errors "
                    + number(*found->squares.mean)
                    + (found->squares.half_width ? " ± " + number(*found->squares.half_width) + " (95 %)"
                                                 : std::string())
                    + ". NLL is " + number(found->nll_of_network) + " nats, and " + number(found->nll_of_mean)
                    + " by the mean and standard deviation of the training targets"
                    + half_width_text(found->nll, found->nll_of_network) + ".",
        .reason =
            worse
                ? "The predictive distribution is worse than one that ignores the inputs: errors are large for their "
                  "predicted standard deviation, or the predicted standard deviation is far too large."
                : "Either the network has not learned how the target depends on the inputs, or there are too few rows "
                  "to show it.",
        .remedy = worse ? Remedy{.label = "Show the scores", .view = "scores"}
                        : Remedy{.label = "Show the loss over training", .view = "training_curves"}};
}

std::optional<Finding> check_no_better_than_guessing(const LintCase& lint_case, const std::stop_token& stop)
{
    if (lint_case.run.experiment && lint_case.run.experiment->task() == Task::regression)
        return no_better_than_mean(lint_case, stop);
    const auto found = against_guessing(lint_case, stop);
    if (!found || found->right_by_guess == found->n)
        return {};
    const bool worse = found->is_worse_by_nll();
    if (!worse && (found->is_better() || found->n < fewest_rows))
        return {};
    const auto n       = static_cast<double>(found->n);
    const bool outputs = static_cast<bool>(lint_case.run.experiment->outputs);
    return Finding{
        .severity = Severity::warning,
        .title    = worse ? "The NLL is worse than that of the class frequencies."
                          : "There is no evidence that the network is better than guessing.",
        .evidence = "Accuracy is " + percent(static_cast<double>(found->right) / n) + " on " + counted(found->n, "row")
                    + ", and " + percent(static_cast<double>(found->right_by_guess) / n) + " by always predicting “"
                    + lint_case.run.experiment->data->training.class_names[found->majority]
                    + "” (sign test, p = " + number(found->p_accuracy) + "). NLL is " + number(found->nll_of_network)
                    + " nats, and " + number(found->nll_of_guess) + " by the class frequencies"
                    + half_width_text(found->nll, found->nll_of_network) + ".",
        .reason =
            worse
                ? "The network is confident where it is wrong: its probabilities are worse than the class frequencies "
                  "alone."
                : "Either the network has not learned how the classes depend on the inputs, or there are too few rows "
                  "to show it. Its uncertainties tell you nothing about the data.",
        .remedy = outputs ? Remedy{.label = "Show the confusion matrix", .view = "confusion"}
                  : worse ? Remedy{.label = "Show the calibration", .view = "calibration"}
                          : Remedy{.label = "Show the loss over training", .view = "training_curves"}};
}

}   // namespace

LintRule no_better_than_guessing_rule()
{
    return {
        .id    = "no_better_than_guessing",
        .title = "A network that is no better than guessing",
        .what =
            "Classification, at least 20 rows (5 for the last test): warning unless the network is better than the "
            "majority class by accuracy (sign test over the rows that only one of the two gets right) or better than "
            "the class frequencies by NLL (t test paired by row), each one-sided at 2.5 %; and warning if its NLL is "
            "infinite or significantly worse than that of the class frequencies. Classes are counted in the training "
            "rows, with one row added to each. Regression, at least 20 test rows (up to 1,000 of them are used): the "
            "same with the mean of the training targets as the guess, by squared errors and by the NLL of a normal "
            "distribution with their standard deviation (t tests paired by row). Possible causes are a learning rate "
            "or prior at which nothing is learned, a Laplace approximation so wide that samples no longer fit the "
            "data, and overconfidence.",
        .threshold    = "the usual level of 5 %, in two halves",
        .about_target = true,
        .check        = check_no_better_than_guessing};
}

namespace {

constexpr double most_by_chance = 0.15;   // largest ECE by chance of a calibrated network
constexpr long few_rows         = 10;     // in a bin

/// The expected ECE of a calibrated network with this many rows: Σ_b √(2/π · Σ_{i in b} p_i(1 −
/// p_i))/N.
double ece_by_chance(std::span<const ReliabilityBin> bins, std::span<const double> confidence)
{
    double sum = 0;
    for (const auto& bin : bins) {
        double variance = 0;
        for (const double p : confidence)
            if (p > bin.lower && p <= bin.upper)
                variance += p * (1 - p);
        sum += std::sqrt(2 / std::numbers::pi * variance);
    }
    return sum / static_cast<double>(confidence.size());
}

std::optional<Finding> check_calibration_bins(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto scored = predictions(lint_case, stop);
    if (!scored || scored->labels.empty() || scored->rows.size() < scored->n_all)
        return {};
    const auto& classes = scored->set.classes;
    const auto bins     = reliability_bins(classes.confidence, correct_each(classes, scored->labels));
    const double chance = ece_by_chance(bins, classes.confidence);
    if (chance <= most_by_chance)
        return {};
    long filled = 0, sparse = 0;
    for (const auto& bin : bins) {
        filled += bin.count > 0;
        sparse += bin.count > 0 && bin.count < few_rows;
    }
    return Finding{
        .severity = Severity::warning,
        .title    = "There are too few rows to judge the calibration.",
        .evidence = std::to_string(sparse) + " of " + std::to_string(filled) + " bins have fewer than "
                    + std::to_string(few_rows) + " of the " + counted(static_cast<long>(scored->rows.size()), "row")
                    + ". A calibrated network would have an expected calibration error (ECE) of " + number(chance)
                    + " by chance, expected at most " + number(most_by_chance) + "; this run has "
                    + number(expected_calibration_error(bins)) + ".",
        .reason = "In a bin with few rows, accuracy is nearly always far from confidence, however good the network is.",
        .remedy = {.label = "Show the calibration", .view = "calibration"}};
}

}   // namespace

LintRule calibration_bins_rule()
{
    return {
        .id    = "calibration_bins",
        .title = "Calibration bins with too few rows",
        .what = "Classification: the expected calibration error in 15 bins (Guo et al. 2017) that a calibrated network "
                "would have by chance with these rows, Σ_b √(2/π · Σ p(1 − p))/N over the rows of bin b. Warning "
                "above 0.15.",
        .idea = "Guo et al. 2017 (15 bins)",
        .threshold = "chosen for Credence: an ECE of 0.15 by chance",
        .check     = check_calibration_bins};
}

}   // namespace credence
