// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/top_k.h"

#include "foundation/error.h"
#include "foundation/number_text.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace credence {

namespace {

void require_threshold(double threshold)
{
    if (!(threshold > 0 && threshold < 1))
        throw Error("Uncertainty-aware top-k: the threshold is " + plain_text(threshold)
                    + ", expected a number between 0 and 1.");
}

/// Classes by descending α, ties in class order.
std::vector<int> by_alpha(const Dirichlet& distribution)
{
    std::vector<int> order(distribution.n_classes());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return distribution.alpha()[a] > distribution.alpha()[b]; });
    return order;
}

}   // namespace

std::vector<int> uncertain_top_k_list(const Dirichlet& distribution, double threshold, int longest)
{
    require_threshold(threshold);
    std::vector<int> order = by_alpha(distribution);
    const std::size_t most = longest > 0 ? std::min(order.size(), static_cast<std::size_t>(longest)) : order.size();
    std::size_t n          = 1;
    while (n < most
           && lower_quantile_is_below_upper(distribution.marginal(order[n - 1]), distribution.marginal(order[n]),
                                            threshold / 2))
        ++n;
    order.resize(n);
    return order;
}

TopK uncertain_top_k(const Dirichlet& distribution, double threshold)
{
    require_threshold(threshold);
    const std::vector<int> order = by_alpha(distribution);
    TopK out{{order[0]}, {}, {}};
    for (std::size_t i = 1; i < order.size(); ++i) {
        out.left_previous.push_back(quantile(distribution.marginal(order[i - 1]), threshold / 2));
        out.right_current.push_back(upper_quantile(distribution.marginal(order[i]), threshold / 2));
        if (!(out.left_previous.back() < out.right_current.back()))
            break;
        out.selected.push_back(order[i]);
    }
    return out;
}

}   // namespace credence
