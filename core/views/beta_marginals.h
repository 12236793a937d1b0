// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "simplex/top_k.h"

#include <optional>

namespace credence {

/// The marginal distributions of class probabilities under a Dirichlet, and the classes that cannot
/// be distinguished from the best one (Hobbhahn 2020, Fig. 5.5, Algorithm 1).
struct BetaMarginals {
    struct Class {
        int index = 0;
        std::string name;
        double alpha = 0, mean = 0;
        Beta distribution;               ///< Beta(α_k, α_0 − α_k)
        double lower = 0, upper = 0;     ///< T/2 and 1 − T/2 quantiles
        std::optional<double> overlap;   ///< ∫ min(f, g) with the class before it; empty for the first
        bool listed = false;             ///< one of the classes that remain
        std::vector<double> x, density;
    };
    std::vector<Class> classes;            ///< the most probable classes, largest α first, including all that
                                           ///< remain (up to a limit)
    std::vector<int> list;                 ///< all classes that remain, largest α first
    std::vector<std::string> list_names;   ///< their names
    double threshold = 0.05;
    int n_classes    = 0;
    double total     = 0;   ///< α_0
    std::optional<int> true_class;
    std::string true_name;
    int longest = 0;   ///< maximum number of classes in the list; 0: no limit
};

/// @param names      [K]
/// @param threshold  T in (0, 1): a class joins the list while its 1 − T/2 quantile exceeds the T/2
/// quantile of the class before it
/// @param most       number of classes drawn; the list itself can be longer
/// @param longest    maximum number of classes in the list; 0: no limit
/// @throws Error for a threshold outside (0, 1), or without one name per class
BetaMarginals beta_marginals(const Dirichlet& distribution, const std::vector<std::string>& names, double threshold,
                             int most = 6, std::optional<int> true_class = {}, int longest = 0);

/// "4, 9 (2 of 10 classes)"; long lists are cut after twelve names.
std::string remaining_classes(const BetaMarginals& figure);

/// Densities in one panel, and below them the quantile intervals that determine the list.
Chart to_chart(const BetaMarginals& figure);

}   // namespace credence
