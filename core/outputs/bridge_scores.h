// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "simplex/laplace_bridge.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>

namespace credence {

/// Columns of the table that hold wall times: two runs of one Study differ in them.
inline constexpr const char* bridge_scores_wall_times[] = {"Time for 10,000 inputs", "Times as fast as the draws"};

/// One way from a posterior to class probabilities, on one set of inputs.
struct WayOnSet {
    std::string name;                        ///< "1,000 draws of the logits"
    std::vector<float> confidence = {};      ///< max p̄ [n]
    std::vector<double> score     = {};      ///< confidence_score of each: by it inputs are ranked [n]
    std::vector<int> predicted    = {};      ///< argmax p̄ [n]
    double seconds                = 0;       ///< wall time for the set, measured
    bool bridge                   = false;   ///< one of the bridge's variants
};

/// Gaussians over the logits of a set of inputs.
struct LogitSet {
    std::string name;   ///< "MNIST, test set"
    int n = 0, K = 0;
    std::vector<float> mu;              ///< [n × K]
    std::vector<float> covariance;      ///< [n × K × K]
    std::vector<int> labels;            ///< [n], numbers of `classes`; may be empty
    std::vector<std::string> classes;   ///< of the labels; foreign inputs have classes of their own
};

/// What the ways make of one set.
struct SetByWays {
    std::string name;
    int n = 0, K = 0;
    std::vector<WayOnSet> ways;
    std::vector<float> variance;   ///< Var π of the predicted class under the Dirichlet of `variant` [n]
    std::vector<int> predicted;    ///< by it [n]
    double proposition1 = 0;       ///< share of inputs whose predicted class fulfils Proposition 1 of Hobbhahn 2020
    std::vector<int> labels;
    std::vector<std::string> classes;
};

struct WayOptions {
    int n_draws           = 1000;
    std::uint64_t seed    = 1;
    BridgeVariant variant = BridgeVariant::plain;         ///< of variances and Proposition 1: as H
    const char* mean_of   = "Mean weights alone (MAP)";   ///< what the way without any spread is called
};

/// The mean logits alone, draws from N(μ, Σ) with their full covariance, the probit approximation, and every variant of the bridge; wall times are
/// those of this machine now, the shortest of three for what takes less than a tenth of a second.
/// @return  empty if `stop` was requested
std::optional<SetByWays> by_ways(const LogitSet& set, const WayOptions& options, std::stop_token stop = {});

/// Tables 5.1 and 7.1 and Fig. 5.1 of Hobbhahn 2020 for one run: sampling and bridge side by side.
struct BridgeScores {
    struct Way {
        std::string name;
        std::vector<double> mmc;     ///< mean of max p̄ on each set
        std::vector<double> auroc;   ///< P(an own input is surer than a foreign one) + ½ P(equal), of each foreign set
        std::optional<double> accuracy;   ///< on the own set
        double seconds = 0;               ///< for 10,000 inputs
        bool bridge    = false;
    };
    struct Bars {
        std::string set;
        std::vector<std::string> classes;
        std::vector<double> mean;   ///< mean variance over the inputs of the class; NaN where there are none
    };
    std::vector<std::string> sets;   ///< the own one first
    std::vector<long> n;
    std::vector<Way> ways;
    std::vector<double> proposition1;          ///< of each set
    std::vector<double> mean_variance;         ///< of each set
    std::vector<Bars> by_true, by_predicted;   ///< of sets with labels; of all sets
    BridgeVariant variant = BridgeVariant::plain;
    int n_draws           = 1000;
    std::string gaussian;          ///< how the Gaussians over logits were had: "by linearisation"
    double gaussian_seconds = 0;   ///< for 10,000 inputs
};

/// @param sets         the own one first; the same ways in each. @throws Error if not
/// @param class_names  of the net
BridgeScores bridge_scores(std::span<const SetByWays> sets, const std::vector<std::string>& class_names,
                           const WayOptions& options);
Chart to_chart(const BridgeScores& scores);

/// Seconds of sampling over seconds of the bridge's fastest variant; empty if one of them is missing.
std::optional<double> speed_ratio(const BridgeScores& scores);
/// Seconds of the plain bridge, of which Hobbhahn 2020 speaks, over those of one draw from the Gaussian over the logits; empty if one of them is missing.
std::optional<double> draws_for_one_bridge(const BridgeScores& scores);

inline constexpr const char* way_of_logit_draws = "draws of the logits";   ///< how names of that way end

}   // namespace credence
