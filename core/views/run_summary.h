// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "runs/experiment.h"
#include "views/scores.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// One number of the summary of a run.
struct SummaryNumber {
    std::string id{};                   ///< "accuracy", "rmse", "nll", "crps", "ece", "coverage", "width",
                                        ///< "least_squares", "r_hat", "ess", "divergences"
    std::string value{};                ///< "97.0 %"; "–" if it is undefined
    std::string caption{};              ///< "accuracy, 92–99 %": what it is, with its interval
    std::string help{};                 ///< its definition and the origin of the interval, in sentences
    std::string view{};                 ///< id of the view that shows it
    std::vector<std::string> rules{};   ///< the linter's rules about it

    bool operator==(const SummaryNumber&) const = default;
};

/// The exact interval of a probability after `hits` of n trials (Clopper and Pearson 1934). It contains the
/// probability in at least 95 % of all repetitions. @pre 0 <= hits <= n, n > 0
Range share_interval(long hits, long n);
/// The interval of the RMSE over n test rows: mean squared error ± 1.96 standard errors, by the central limit
/// theorem. @param squared_error_sd  standard deviation of the squared errors over the rows
Range rmse_interval(double rmse, double squared_error_sd, long n);

/// The diagnostics of chains that a summary shows; the view chain_convergence has all of them.
struct ChainNumbers {
    struct Number {
        std::optional<double> value{};
        std::string where{};   ///< the quantity that has it; without a value, why there is none
    };
    Number r_hat{};   ///< worst
    Number ess{};     ///< smallest bulk ESS
    long divergences = 0, draws = 0;
};
/// Returns the diagnostics of NUTS and HMC chains, computed once for the summary and the view.
/// Empty for all other runs, if the chains have too few draws, and if `stop` was requested.
std::optional<ChainNumbers> chain_numbers(const RunSnapshot& run, const std::stop_token& stop);

/// Returns the numbers of a summary, omitting those that the run lacks.
/// @param chains  empty: there are no chains that the linter checks
std::vector<SummaryNumber> summary_numbers(const ScoreTable& scores, const std::optional<ChainNumbers>& chains);

}   // namespace credence
