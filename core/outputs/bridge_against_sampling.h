// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "simplex/laplace_bridge.h"

#include <functional>
#include <optional>
#include <stop_token>

namespace credence {

/// A Gaussian over three logits whose softmax is approximated by a histogram of samples and by the
/// Laplace Bridge.
struct SamplingCase {
    std::string name;       ///< "μ = (2, −1, −1), Σ = I"
    LogitGaussian logits;   ///< K = 3
    std::optional<double>
        published{};   ///< KL of the plain bridge as released by Hobbhahn, on the lattice described below
};

/// The three Gaussians of Hobbhahn 2020, Fig. 5.3: N(0, 0.1 I), N((2, −1, −1), I), N((1, 1, −2),
/// [[1, 0, .5], [0, 2, .3], [.5, .3, .5]]), with the published values.
std::vector<SamplingCase> published_sampling_cases();
/// "μ = (0, 0, 0), Σ = diag(0.1, 0.1, 0.1)"
std::string gaussian_text(const LogitGaussian& logits);

/// Why the published values differ from the exact ones.
extern const char* const why_published_values_differ;

struct SamplingOptions {
    int cells_a_side = 33;              ///< 33 · 34/2 = 561 cells, the number of lattice points in Hobbhahn 2020
    long fewest = 10, most = 100'000;   ///< samples: 1, 2, 5 times the powers of ten in this range
    int repeats        = 9;             ///< histograms and timings for each number of samples
    std::uint64_t seed = 1;
};

/// Number of samples that a histogram needs to match the bridge, and the cost of both on this
/// machine (Hobbhahn 2020, Fig. 5.3).
///     KL(p ‖ q) = Σ_b P_b ln(P_b/Q_b),  P_b the exact probability of cell b, Q_b = (n_b + ½)/(n + ½ · cells)
struct BridgeAgainstSampling {
    struct Bridge {
        BridgeVariant variant = BridgeVariant::plain;
        std::vector<double> alpha;   ///< [3]
        double kl      = 0;          ///< KL(p ‖ Dir α), nats, exact (no lattice)
        double seconds = 0;          ///< per Gaussian, measured
        /// Samples at which the median KL of the histograms falls below kl; empty: outside the
        /// range
        std::optional<double> draws_to_match;
        bool fewer_than_fewest = false;   ///< even the smallest number of samples is better
    };
    struct Distribution {
        SamplingCase what;
        std::vector<double> kl_lower, kl_median, kl_upper;   ///< [numbers of samples] quartiles over the repeats, nats
        std::vector<double> seconds;    ///< [numbers of samples] median wall time of sampling and counting
        std::vector<Bridge> bridges;    ///< one per variant; those that overflow are omitted
        double best_kl           = 0;   ///< of the best possible Dirichlet
        double seconds_of_bridge = 0;   ///< per plain bridge, for many Gaussians at once
        double seconds_of_draw   = 0;   ///< per sample of softmax(z), for as many samples of one Gaussian
    };
    std::vector<long> draws;
    std::vector<Distribution> distributions;
    int repeats = 0, n_cells = 0;
    int at_once = 0;   ///< number of bridges and of samples timed together for seconds_of_bridge and seconds_of_draw
};

/// Measures times on one thread. @param progress  finished share, 0 to 1; may be empty
/// @return empty if stopped. @throws Error if a Gaussian does not have three classes or has no
/// density, or fewest > most
std::optional<BridgeAgainstSampling> bridge_against_sampling(const std::vector<SamplingCase>& cases,
                                                             const SamplingOptions& options              = {},
                                                             std::stop_token stop                        = {},
                                                             const std::function<void(double)>& progress = {});

/// " One thread, 2000 at once: one plain bridge 0.01 µs, one sample …": the cost of both; empty if
/// nothing was timed.
std::string bridge_and_draw_times(const BridgeAgainstSampling& figure);
/// One panel of KL per Gaussian, and one of wall times.
Chart to_chart(const BridgeAgainstSampling& figure);
/// The results of all variants as a table.
Chart numbers_chart(const BridgeAgainstSampling& figure);

}   // namespace credence
