// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "simplex/laplace_bridge.h"

#include <functional>
#include <optional>
#include <stop_token>

namespace credence {

/// A Gaussian over three logits whose softmax is approximated twice: by a histogram of draws, and by the Laplace Bridge.
struct SamplingCase {
    std::string name;                    ///< "μ = (2, −1, −1), Σ = I"
    LogitGaussian logits;                ///< K = 3
    std::optional<double> published{};   ///< KL of the plain bridge as H released it, on the lattice described below
};

/// The three Gaussians of Hobbhahn 2020, Fig. 5.3: N(0, 0.1 I), N((2, −1, −1), I), N((1, 1, −2), [[1, 0, .5], [0, 2, .3], [.5, .3, .5]]), with the released values.
std::vector<SamplingCase> published_sampling_cases();
/// "μ = (0, 0, 0), Σ = diag(0.1, 0.1, 0.1)"
std::string gaussian_text(const LogitGaussian& logits);

/// Why the released values are not those of the laws themselves.
extern const char* const why_published_values_differ;

struct SamplingOptions {
    int cells_a_side = 33;              ///< 33 · 34/2 = 561 cells, as many as the lattice of Hobbhahn 2020 has points
    long fewest = 10, most = 100'000;   ///< draws: 1, 2, 5 times the powers of ten between them
    int repeats        = 9;             ///< histograms, and times, for each number of draws
    std::uint64_t seed = 1;
};

/// How many draws a histogram needs to be as good as the bridge, and what either costs on this machine (Hobbhahn 2020, Fig. 5.3).
///     KL(p ‖ q) = Σ_b P_b ln(P_b/Q_b),  P_b the exact probability of cell b, Q_b = (n_b + ½)/(n + ½ · cells)
struct BridgeAgainstSampling {
    struct Bridge {
        BridgeVariant variant = BridgeVariant::plain;
        std::vector<double> alpha;   ///< [3]
        double kl      = 0;          ///< KL(p ‖ Dir α), nats, exact (no lattice)
        double seconds = 0;          ///< for one Gaussian, measured
        std::optional<double>
            draws_to_match;   ///< where the median KL of the histograms falls below kl; empty: beyond the most draws, or below the fewest
        bool fewer_than_fewest = false;   ///< already the fewest draws are better
    };
    struct Law {
        SamplingCase what;
        std::vector<double> kl_lower, kl_median, kl_upper;   ///< [draws] quartiles over the repeats, nats
        std::vector<double> seconds;                         ///< [draws] median wall time of drawing and counting
        std::vector<Bridge> bridges;                         ///< one for each variant; those that overflow are left out
        double best_kl           = 0;                        ///< of the best possible Dirichlet
        double seconds_of_bridge = 0;   ///< of one plain bridge among many Gaussians that are bridged at once
        double seconds_of_draw   = 0;   ///< of one draw of softmax(z) among as many of one Gaussian
    };
    std::vector<long> draws;
    std::vector<Law> laws;
    int repeats = 0, n_cells = 0;
    int at_once = 0;   ///< how many bridges, and draws, seconds_of_bridge and seconds_of_draw are a share of
};

/// Times are taken on one thread, whatever the caller's. @param progress  the share that is done, 0 to 1; may be empty
/// @return empty if stopped. @throws Error if a Gaussian has not three classes or no density, or fewest > most
std::optional<BridgeAgainstSampling> bridge_against_sampling(const std::vector<SamplingCase>& cases,
                                                             const SamplingOptions& options              = {},
                                                             std::stop_token stop                        = {},
                                                             const std::function<void(double)>& progress = {});

/// " One thread, 2000 at once: one plain bridge 0.01 µs, one draw …": what either costs; empty if nothing was timed.
std::string one_bridge_beside_one_draw(const BridgeAgainstSampling& figure);
/// One panel of KL for each Gaussian, and one of wall times.
Chart to_chart(const BridgeAgainstSampling& figure);
/// The numbers of all variants as a table.
Chart numbers_chart(const BridgeAgainstSampling& figure);

}   // namespace credence
