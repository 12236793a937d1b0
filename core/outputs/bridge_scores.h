// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "simplex/laplace_bridge.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>

namespace credence {

/// Wall-time columns of the table, which differ between two runs of one Study.
inline constexpr const char* bridge_scores_wall_times[] = {"Time for 10,000 inputs", "Times as fast as sampling"};

/// One method from a posterior to class probabilities, on one set of inputs.
struct MethodOnSet {
    std::string name;                        ///< "1,000 samples of the logits"
    std::vector<float> confidence = {};      ///< max p̄ [n]
    std::vector<double> score     = {};      ///< confidence_score of each, used to rank inputs [n]
    std::vector<int> predicted    = {};      ///< argmax p̄ [n]
    double seconds                = 0;       ///< measured wall time for the set
    bool bridge                   = false;   ///< one of the bridge's variants
};

/// Gaussians over the logits of a set of inputs.
struct LogitSet {
    std::string name;   ///< "MNIST, test set"
    int n = 0, K = 0;
    std::vector<float> mu;              ///< [n × K]
    std::vector<float> covariance;      ///< [n × K × K]
    std::vector<int> labels;            ///< [n], indices into `classes`; may be empty
    std::vector<std::string> classes;   ///< of the labels; OOD inputs have their own classes
};

/// Results of all methods for one set.
struct SetByMethods {
    std::string name;
    int n = 0, K = 0;
    std::vector<MethodOnSet> methods;
    std::vector<float> variance;   ///< Var π of the predicted class under the Dirichlet of `variant` [n]
    std::vector<int> predicted;    ///< class predicted by it [n]
    double proposition1 = 0;       ///< share of inputs whose predicted class fulfils Proposition 1 of Hobbhahn 2020
    std::vector<int> labels;
    std::vector<std::string> classes;
};

struct BridgeScoresOptions {
    int n_draws           = 1000;
    std::uint64_t seed    = 1;
    BridgeVariant variant = BridgeVariant::plain;         ///< for variances and Proposition 1, as in Hobbhahn 2020
    const char* mean_of   = "Mean weights alone (MAP)";   ///< name of the method without spread
};

/// Applies the mean logits alone, samples from N(μ, Σ) with full covariance, the probit
/// approximation, and every variant of the bridge. Wall times are measured on this machine, as the
/// shortest of three for computations under a tenth of a second.
/// @return  empty if `stop` was requested
std::optional<SetByMethods> by_methods(const LogitSet& set, const BridgeScoresOptions& options,
                                       std::stop_token stop = {});

/// Tables 5.1 and 7.1 and Fig. 5.1 of Hobbhahn 2020 for one run: sampling compared with the bridge.
struct BridgeScores {
    struct Method {
        std::string name;
        std::vector<double> mmc;   ///< mean of max p̄ for each set
        std::vector<double>
            auroc;   ///< P(a test input has more confidence than an OOD input) + ½ P(equal), for each OOD set
        std::optional<double> accuracy;   ///< on the first set
        double seconds = 0;               ///< for 10,000 inputs
        bool bridge    = false;
    };
    struct Bars {
        std::string set;
        std::vector<std::string> classes;
        std::vector<double> mean;   ///< mean variance over the inputs of the class; NaN without inputs
    };
    std::vector<std::string> sets;   ///< the in-distribution set first
    std::vector<long> n;
    std::vector<Method> methods;
    std::vector<double> proposition1;          ///< per set
    std::vector<double> mean_variance;         ///< per set
    std::vector<Bars> by_true, by_predicted;   ///< for sets with labels; for all sets
    BridgeVariant variant = BridgeVariant::plain;
    int n_draws           = 1000;
    std::string gaussian;          ///< how the Gaussians over logits were computed: "by linearisation"
    double gaussian_seconds = 0;   ///< for 10,000 inputs
};

/// @param sets         the in-distribution set first; the same methods in each. @throws Error otherwise
/// @param class_names  of the network
BridgeScores bridge_scores(std::span<const SetByMethods> sets, const std::vector<std::string>& class_names,
                           const BridgeScoresOptions& options);
Chart to_chart(const BridgeScores& scores);

/// Time of sampling divided by the time of the fastest bridge variant; empty if either is missing.
std::optional<double> speed_ratio(const BridgeScores& scores);
/// Time of the plain bridge (as in Hobbhahn 2020) divided by the time of one sample of the Gaussian
/// over the logits; empty if either is missing.
std::optional<double> draws_for_one_bridge(const BridgeScores& scores);

inline constexpr const char* name_of_logit_samples = "samples of the logits";   ///< ending of that method's name

}   // namespace credence
