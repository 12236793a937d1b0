// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of the authors' own program: R 4.2, package posterior 1.4.0 of Debian 12.
//
//     chains <- function(M, n, phi, seed) {
//       s <- seed; x <- matrix(0, n, M)
//       for (m in 1:M) { v <- 0
//         for (t in 1:n) { s <- (16807 * s) %% 2147483647; v <- phi * v + s / 2147483647 - 0.5; x[t, m] <- v } }
//       x }
//     plain chains(4, 250, 0.8, 1); shifted chains(4, 250, 0.8, 2), chain 1 + 0.5; wider chains(3, 200, 0.3, 3), chain 2 times 3;
//     ties floor(4 * chains(4, 250, 0.5, 4)) / 4; antithetic chains(2, 300, -0.6, 5); one chains(1, 100, 0.9, 6);
//     stuck chains(4, 100, 0.5, 7), chain 3 all 0.125; slow chains(2, 2000, 0.99, 8)
//     sprintf("%.12g", c(rhat(x), rhat_basic(x), ess_bulk(x), ess_tail(x), ess_mean(x), mcse_mean(x), mcse_sd(x), mcse_quantile(x, 0.05), mcse_quantile(x, 0.5)))
#include "chains/convergence.h"
#include "chains/monte_carlo_error.h"
#include "unit/chains/chains_for_tests.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

using namespace credence;

namespace {

naive::Chains minstd_chains(std::size_t M, std::size_t n, double phi, unsigned seed)
{
    std::minstd_rand0 random(seed);
    naive::Chains chains(M, naive::Chain(n));
    for (auto& chain : chains) {
        double v = 0;
        for (double& x : chain)
            x = v = phi * v + static_cast<double>(random()) / 2147483647.0 - 0.5;
    }
    return chains;
}
naive::Chains with(naive::Chains chains, std::size_t c, const std::function<double(double)>& f)
{
    for (double& x : chains[c])
        x = f(x);
    return chains;
}

struct Reference {
    const char* name;
    naive::Chains chains;
    std::vector<double> numbers;
};
std::vector<Reference> references()
{
    const auto quarters = [](double x) { return std::floor(4 * x) / 4; };
    return {{"plain",
             minstd_chains(4, 250, 0.8, 1),
             {1.02538582421, 1.0262695286, 107.759048117, 247.991608024, 105.235766633, 0.0462501420162,
              0.0169159000093, 0.0360662114908, 0.0682709622048}},
            {"shifted",
             with(minstd_chains(4, 250, 0.8, 2), 0, [](double x) { return x + 0.5; }),
             {1.23692169976, 1.23752627399, 15.3779837916, 65.1809078457, 15.2423873111, 0.144991639211,
              0.0319626200535, 0.0931140260945, 0.139113362415}},
            {"wider",
             with(minstd_chains(3, 200, 0.3, 3), 1, [](double x) { return 3 * x; }),
             {1.24548407758, 1.00008144335, 310.718974873, 59.7161879809, 294.812807256, 0.0342530532192,
              0.173981068036, 0.181695045399, 0.0295683178959}},
            {"ties",
             naive::map(minstd_chains(4, 250, 0.5, 4), quarters),
             {1.01813991559, 1.01808979297, 358.511087982, 542.352873779, 359.781127172, 0.0184407291786,
              0.00788491589993, 0, 0.125}},
            {"antithetic",
             minstd_chains(2, 300, -0.6, 5),
             {0.998878404519, 0.997867326957, 1666.89075023, 647.567010988, 1666.89075023, 0.00841132041122,
              0.0106596496848, 0.0423532770389, 0.0151557222811}},
            {"one",
             minstd_chains(1, 100, 0.9, 6),
             {1.28376838713, 1.30320135934, 3.07314061078, 19.3028899184, 2.99002528863, 0.476228178453, 0.128598247137,
              0.360340095044, 0.541228989357}},
            {"stuck",
             with(minstd_chains(4, 100, 0.5, 7), 2, [](double) { return 0.125; }),
             {1.53631456153, 1.00928140522, 151.485608172, 221.907952809, 142.956213492, 0.0246521920097,
              0.0372390344938, 0.0614777904708, 0.0324564579553}},
            {"slow",
             minstd_chains(2, 2000, 0.99, 8),
             {1.0686295011, 1.02069368608, 24.1843420479, 74.773870975, 23.4955606356, 0.402216908968, 0.16244717951,
              0.387387939267, 0.475036824767}}};
}

}   // namespace

TEST(ConvergenceReference, IsThatOfTheAuthorsProgram)
{
    for (const auto& reference : references()) {
        const auto table = together(reference.chains);
        const auto found = convergence(table.view());
        const auto error = monte_carlo_errors(table.view());
        const std::vector<DiagnosticValue> values{found.r_hat,
                                                  found.plain_r_hat,
                                                  found.bulk_ess,
                                                  found.tail_ess,
                                                  error.mean_ess,
                                                  error.of_mean,
                                                  error.of_sd,
                                                  quantile_error(table.view(), 0.05),
                                                  quantile_error(table.view(), 0.5)};
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_NEAR(*values[i], reference.numbers[i], 1e-10 * reference.numbers[i])
                << reference.name << ", number " << i;
    }
}
