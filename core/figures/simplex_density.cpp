// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/simplex_density.h"

#include "charts/class_name.h"
#include "foundation/error.h"
#include "simplex/best_dirichlet.h"
#include "simplex/law_comparison.h"

#include <algorithm>
#include <numeric>

namespace credence {

namespace {

/// Returns n classes: the requested ones, or those with the largest μ, in class order so that
/// corners do not keep changing places.
std::vector<int> shown_classes(const LogitGaussian& law, const std::vector<int>& wanted, std::size_t n)
{
    const int K = law.n_classes();
    if (!wanted.empty()) {
        if (wanted.size() < n)
            throw Error("Simplex: " + std::to_string(wanted.size()) + " classes chosen, expected " + std::to_string(n)
                        + ".");
        std::vector<int> chosen(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(n));
        for (std::size_t k = 0; k < n; ++k) {
            if (chosen[k] < 0 || chosen[k] >= K)
                throw Error("Simplex: class " + std::to_string(chosen[k]) + " chosen, expected 0 to "
                            + std::to_string(K - 1) + ".");
            if (std::count(chosen.begin(), chosen.end(), chosen[k]) > 1)
                throw Error("Simplex: class " + std::to_string(chosen[k])
                            + " chosen twice, expected different classes at the corners.");
        }
        return chosen;
    }
    std::vector<int> order(static_cast<std::size_t>(K));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return law.mu()[static_cast<std::size_t>(a)] > law.mu()[static_cast<std::size_t>(b)];
    });
    order.resize(n);
    std::sort(order.begin(), order.end());
    return order;
}

}   // namespace

SimplexDensity simplex_density(const LogitGaussian& law, const std::vector<std::string>& names,
                               const SimplexOptions& options)
{
    const int K = law.n_classes();
    if (K < 3)
        throw Error("Simplex: a distribution over " + std::to_string(K)
                    + " classes found, expected at least 3; two classes have a density on a line.");
    const bool merged = options.others == OtherClasses::merged && K > 3;
    const auto chosen = shown_classes(law, options.classes, merged ? 2 : 3);
    std::vector<int> group(static_cast<std::size_t>(K), 2);
    for (std::size_t k = 0; k < chosen.size(); ++k)
        group[static_cast<std::size_t>(chosen[k])] = static_cast<int>(k);

    SimplexDensity out{.classes   = chosen,
                       .n_classes = K,
                       .others    = merged ? OtherClasses::merged : OtherClasses::left_out,
                       .variant   = options.variant,
                       .logits    = merged ? merged_by_moments(law, group, options.seed) : law.among(chosen),
                       .bridge    = {},
                       .numbers   = {}};
    for (std::size_t k = 0; k < chosen.size(); ++k)
        out.names[k] = class_name(names, chosen[k]);
    if (merged)
        out.names[2] = "the other " + std::to_string(K - 2);

    const LogisticNormal exact(out.logits);
    out.exact = ternary_grid(exact, options.cells);
    if (options.samples > 0)
        out.samples = exact.sample({.seed = options.seed, .stream = Stream::logits, .index = 0}, options.samples);
    try {
        const Dirichlet all = bridge(law, options.variant).dirichlet();
        out.bridge          = merged ? all.grouped(group) : all.among(chosen);
        out.approximate     = ternary_grid(*out.bridge, options.cells);
    } catch (const Error& error) {
        out.bridge.reset();
        out.approximate = {};
        out.no_bridge   = error.what();
    }
    return out;
}

std::optional<BridgeNumbers> bridge_numbers(const SimplexDensity& value, long most_nodes)
{
    return value.bridge ? bridge_numbers(value.logits, *value.bridge, most_nodes) : std::nullopt;
}

std::optional<BridgeNumbers> bridge_numbers(const LogitGaussian& logits, const Dirichlet& bridge, long most_nodes)
{
    const LogisticNormal exact(logits);
    const auto of_exact   = expectations(logits, {.most_nodes = most_nodes});
    const auto comparison = compare(exact, bridge, of_exact);
    BridgeNumbers out{.kl              = comparison.kl,
                      .best_kl         = {},
                      .total_variation = comparison.total_variation,
                      .hellinger       = comparison.hellinger,
                      .mean            = of_exact.mean,
                      .bridge_mean     = bridge.mean(),
                      .variance        = of_exact.variance(),
                      .bridge_variance = bridge.variance(),
                      .proposition1    = proposition1_holds(bridge),
                      .standard_error  = bridge.total() * of_exact.standard_error};
    try {
        out.best_kl = kl_divergence(exact, best_dirichlet(logits, of_exact), of_exact);
    } catch (const Error&) {
        // no Dirichlet with representable parameters minimises the divergence
    }
    return out;
}

}   // namespace credence
