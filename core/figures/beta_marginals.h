// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "simplex/top_k.h"

#include <optional>

namespace credence {

/// The laws of single class probabilities under a Dirichlet, and which classes cannot be told from the best one (Hobbhahn 2020, Fig. 5.5, Algorithm 1).
struct BetaMarginals {
    struct Class {
        int index = 0;
        std::string name;
        double alpha = 0, mean = 0;
        Beta law;                        ///< Beta(α_k, α_0 − α_k)
        double lower = 0, upper = 0;     ///< T/2 and 1 − T/2 quantiles
        std::optional<double> overlap;   ///< ∫ min(f, g) with the class before it; empty for the first
        bool listed = false;             ///< among the classes that remain
        std::vector<double> x, density;
    };
    std::vector<Class>
        classes;             ///< the most probable ones, largest α first, and never fewer than remain (up to a limit)
    std::vector<int> list;   ///< all classes that remain, largest α first
    std::vector<std::string> list_names;   ///< their names
    double threshold = 0.05;
    int n_classes    = 0;
    double total     = 0;   ///< α_0
    std::optional<int> true_class;
    std::string true_name;
    int longest = 0;   ///< classes that the list may have; 0: all
};

/// @param names      [K]
/// @param threshold  T in (0, 1): two classes stay together while the 1 − T/2 quantile of the lesser exceeds the T/2 quantile of the other
/// @param most       how many classes are drawn; the list itself may be longer
/// @param longest    classes that the list may have; 0: all
/// @throws Error for a threshold outside (0, 1), or if there is not one name for each class
BetaMarginals beta_marginals(const Dirichlet& law, const std::vector<std::string>& names, double threshold,
                             int most = 6, std::optional<int> true_class = {}, int longest = 0);

/// "4, 9 (2 of 10 classes)"; long lists are cut after twelve names.
std::string remaining_classes(const BetaMarginals& figure);

/// Densities over one another, and below them the intervals between the quantiles, from which the list follows.
Chart to_chart(const BetaMarginals& figure);

}   // namespace credence
