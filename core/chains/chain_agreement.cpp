// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/chain_agreement.h"

#include "foundation/number_text.h"

#include <boost/math/distributions/fisher_f.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace credence {

double autocorrelation_time(const ScalarDraws& chains, MeanAutocovariance& gamma)
{
    gamma.begin(chains);
    const double gamma_0 = gamma(0);
    if (!(gamma_0 > 0))
        return 1;
    const auto rho  = [&](std::size_t t) { return t < chains.n_draws ? gamma(t) / gamma_0 : 0.0; };
    double sum      = 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; 2 * k < chains.n_draws; ++k) {
        const double pair = rho(2 * k) + rho(2 * k + 1);
        if (!(pair > 0))
            break;
        smallest = std::min(smallest, pair);
        sum += smallest;
    }
    return std::max(1.0, -1 + 2 * sum);
}

DiagnosticValue probability_of_chain_means(const ScalarDraws& chains, MeanAutocovariance& work)
{
    const std::size_t M = chains.n_chains, n = chains.n_draws;
    if (M < 2)
        return {Undefined::too_few_draws, "Agreement: there is one chain, expected several."};
    const double tau    = autocorrelation_time(chains, work);
    const auto shortest = static_cast<std::size_t>(std::ceil(times_in_a_block * tau));
    const std::size_t b = std::min(n / shortest, most_blocks);
    if (b < fewest_blocks)
        return {Undefined::too_few_draws,
                "Agreement: each chain is worth " + number_text(static_cast<double>(n) / tau, 2)
                    + " independent draws, expected at least " + plain_text(times_in_a_block * fewest_blocks) + "."};
    const std::size_t length = n / b;
    const auto as_double     = [](std::size_t value) { return static_cast<double>(value); };
    std::vector<double> means(M);
    double within = 0, mean = 0;
    for (std::size_t m = 0; m < M; ++m) {
        std::vector<double> blocks(b);
        for (std::size_t j = 0; j < b; ++j) {
            for (const double x : chains.chain(m).subspan(j * length, length))
                blocks[j] += x / as_double(length);
            means[m] += blocks[j] / as_double(b);
        }
        for (const double block : blocks)
            within += (block - means[m]) * (block - means[m]);
        mean += means[m] / as_double(M);
    }
    double between = 0;
    for (const double of_chain : means)
        between += as_double(b) * (of_chain - mean) * (of_chain - mean);
    if (!(within > 0))
        return {Undefined::constant, "Agreement: the means of blocks do not vary."};
    const double of_means = as_double(M - 1), of_blocks = as_double(M * (b - 1));
    const boost::math::fisher_f law(of_means, of_blocks);
    return boost::math::cdf(boost::math::complement(law, (between / of_means) / (within / of_blocks)));
}

}   // namespace credence
