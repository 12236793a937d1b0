// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/true_posterior.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/statistics.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace credence {

namespace {

void require_comparable(const MeanProbabilities& p, const MeanProbabilities& q)
{
    for (const auto* side : {&p, &q}) {
        if (side->values.empty() || side->n_classes == 0 || side->values.size() % side->n_classes != 0)
            throw Error("Predictive distance: found " + std::to_string(side->values.size()) + " probabilities of "
                        + std::to_string(side->n_classes) + " classes, expected some for each input.");
        require_finite("Predictive distance: mean probability", side->values);
        if (!side->mutual_information.empty() && side->mutual_information.size() != side->n_inputs())
            throw Error("Predictive distance: found " + std::to_string(side->mutual_information.size())
                        + " mutual informations for " + std::to_string(side->n_inputs()) + " inputs.");
        require_finite("Predictive distance: mutual information", side->mutual_information);
    }
    if (p.n_classes != q.n_classes || p.values.size() != q.values.size())
        throw Error("Predictive distance: one side has " + std::to_string(p.n_inputs()) + " inputs and "
                    + std::to_string(p.n_classes) + " classes, the other " + std::to_string(q.n_inputs()) + " and "
                    + std::to_string(q.n_classes) + ".");
}

auto top_class(std::span<const double> probabilities)
{
    return std::max_element(probabilities.begin(), probabilities.end()) - probabilities.begin();
}

}   // namespace

std::vector<double> total_variation_each(const MeanProbabilities& p, const MeanProbabilities& q)
{
    require_comparable(p, q);
    std::vector<double> each;
    for (std::size_t i = 0; i < p.n_inputs(); ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < p.n_classes; ++k)
            sum += std::fabs(p.of_input(i)[k] - q.of_input(i)[k]);
        each.push_back(sum / 2);
    }
    return each;
}

PredictiveDistance predictive_distance(const MeanProbabilities& p, const MeanProbabilities& q)
{
    PredictiveDistance out{.total_variation = mean_of(total_variation_each(p, q))};
    std::size_t same = 0;
    for (std::size_t i = 0; i < p.n_inputs(); ++i)
        same += top_class(p.of_input(i)) == top_class(q.of_input(i));
    out.agreement = static_cast<double>(same) / static_cast<double>(p.n_inputs());
    if (!p.mutual_information.empty() && !q.mutual_information.empty()) {
        double gap = 0;
        for (std::size_t i = 0; i < p.n_inputs(); ++i)
            gap += p.mutual_information[i] - q.mutual_information[i];
        out.mutual_information_gap = gap / static_cast<double>(p.n_inputs());
    }
    return out;
}

double wasserstein_1(std::span<const double> a, std::span<const double> b)
{
    if (a.empty() || b.empty())
        throw Error("Wasserstein distance: found " + std::to_string(a.size()) + " and " + std::to_string(b.size())
                    + " draws, expected some on both sides.");
    require_finite("Wasserstein distance: draw", a);
    require_finite("Wasserstein distance: draw", b);
    std::vector<double> x(a.begin(), a.end()), y(b.begin(), b.end());
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    // u runs from 0 to 1 in units of 1/(n_a n_b): integers, so that the steps of both sides
    // coincide exactly.
    const std::size_t n_a = x.size(), n_b = y.size();
    const double unit = 1 / (static_cast<double>(n_a) * static_cast<double>(n_b));
    double distance   = 0;
    for (std::size_t i = 0, j = 0, u = 0; i < n_a && j < n_b;) {
        const std::size_t next = std::min((i + 1) * n_b, (j + 1) * n_a);
        distance += std::fabs(x[i] - y[j]) * (static_cast<double>(next - u) * unit);
        i += next == (i + 1) * n_b;
        j += next == (j + 1) * n_a;
        u = next;
    }
    return distance;
}

std::vector<double> wasserstein_1_each(std::span<const double> a, std::span<const double> b, std::size_t n_points)
{
    if (n_points == 0 || a.size() % n_points != 0 || b.size() % n_points != 0)
        throw Error("Wasserstein distance: found " + std::to_string(a.size()) + " and " + std::to_string(b.size())
                    + " draws for " + std::to_string(n_points) + " points, expected as many for each point.");
    std::vector<double> each(n_points);
    const std::size_t n_a = a.size() / n_points, n_b = b.size() / n_points;
    parallel_for(n_points,
                 [&](std::size_t i) { each[i] = wasserstein_1(a.subspan(i * n_a, n_a), b.subspan(i * n_b, n_b)); });
    return each;
}

double mean_wasserstein_1(std::span<const double> a, std::span<const double> b, std::size_t n_points)
{
    return mean_of(wasserstein_1_each(a, b, n_points));
}

}   // namespace credence
