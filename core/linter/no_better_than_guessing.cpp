// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"
#include "prediction/baselines.h"
#include "prediction/difference_of_means.h"
#include "prediction/scores.h"

#include <boost/math/distributions/binomial.hpp>

#include <cmath>

namespace credence {

using namespace lint_support;

namespace {

constexpr long fewest_rows  = 20;
constexpr double half_level = 0.025;   // of each of the two comparisons

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
    bool is_worse_by_nll() const { return nll.probability_less && *nll.probability_less < half_level; }
};

std::optional<AgainstGuessing> against_guessing(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto scored = predictions(lint_case, stop);
    const auto counts = class_counts(lint_case, stop);
    if (!scored || !counts || counts->all < fewest_rows)
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

std::optional<Finding> check_no_better_than_guessing(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto found = against_guessing(lint_case, stop);
    if (!found || found->right_by_guess == found->n)
        return {};
    const bool worse = found->is_worse_by_nll();
    if (found->is_better() && !worse)
        return {};
    const auto n       = static_cast<double>(found->n);
    const bool outputs = static_cast<bool>(lint_case.run.experiment->outputs);
    return Finding{
        .severity = Severity::doubtful,
        .title    = worse ? "The NLL is worse than that of the class frequencies."
                          : "There is no evidence that the network is better than guessing.",
        .evidence = "Accuracy is " + percent(static_cast<double>(found->right) / n) + " on " + counted(found->n, "row")
                    + ", and " + percent(static_cast<double>(found->right_by_guess) / n) + " by always predicting “"
                    + lint_case.run.experiment->data->training.class_names[found->majority]
                    + "” (sign test, p = " + number(found->p_accuracy) + "). NLL is " + number(found->nll_of_network)
                    + " nats, and " + number(found->nll_of_guess) + " by the class frequencies"
                    + (found->nll.half_width ? " (difference " + number(*found->nll.mean) + " ± "
                                                   + number(*found->nll.half_width) + ", 95 %)"
                                             : std::string())
                    + ".",
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
            "Classification, at least 20 rows: doubtful unless the network is better than the majority class by "
            "accuracy (sign test over the rows that only one of both gets right) or better than the class frequencies "
            "by NLL (t test paired by row), each one-sided at 2.5 %; and doubtful if its NLL is significantly worse "
            "than that of the class frequencies. Classes are counted in the training rows, with one row added to each. "
            "Possible causes are a learning rate or prior at which nothing is learned, a Laplace approximation so wide "
            "that samples no longer fit the data, and overconfidence.",
        .threshold = "the usual level of 5 %, in two halves",
        .check     = check_no_better_than_guessing};
}

}   // namespace credence
