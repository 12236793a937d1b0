// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/split.h"
#include "unit/random_values.h"

#include <gmock/gmock.h>

#include <cmath>
#include <utility>

using namespace credence;

namespace {

/// y = sin(3 x₁) + noise, with d inputs of which the others do not matter.
Dataset noisy_sine(std::size_t n, std::size_t d, double noise, double scale = 1)
{
    Dataset data;
    data.task       = Task::regression;
    data.n_rows     = n;
    data.n_features = d;
    data.inputs     = normals(n * d, 1);
    data.feature_names.assign(d, "x");
    const auto e = normals(n, 2, noise);
    for (std::size_t i = 0; i < n; ++i)
        data.targets.push_back(scale * (std::sin(3 * data.inputs[i * d]) + e[i]));
    return data;
}

double estimate(const Dataset& data)
{
    return noise_by_neighbours(split(data, {.test_fraction = 0, .standardise_targets = true})).value();
}

/// The formula written again, on the original inputs of one column.
double naive(const Dataset& data)
{
    double sum = 0;
    for (std::size_t i = 0; i < data.n_rows; ++i) {
        std::size_t best = i == 0;
        for (std::size_t j = 0; j < data.n_rows; ++j)
            if (j != i && std::fabs(data.inputs[j] - data.inputs[i]) < std::fabs(data.inputs[best] - data.inputs[i]))
                best = j;
        sum += std::pow(data.targets[i] - data.targets[best], 2);
    }
    return std::sqrt(sum / (2.0 * static_cast<double>(data.n_rows)));
}

}   // namespace

TEST(NoiseByNeighbours, IsTheNoiseOfManyRows)
{
    for (const double noise : {0.05, 0.3, 1.0})
        EXPECT_NEAR(estimate(noisy_sine(2000, 1, noise)) / noise, 1, 0.05) << noise;
}

TEST(NoiseByNeighbours, EqualsAnIndependentImplementation)
{
    const Dataset data = noisy_sine(40, 1, 0.3);
    EXPECT_NEAR(estimate(data), naive(data), 1e-5);
}

TEST(NoiseByNeighbours, HasTheUnitsOfTheTarget)
{
    EXPECT_NEAR(estimate(noisy_sine(200, 3, 0.3, 50'000)), 50'000 * estimate(noisy_sine(200, 3, 0.3)), 1);
}

TEST(NoiseByNeighbours, OfSeveralTargetsIsThatOfEachAlone)
{
    Dataset both        = noisy_sine(300, 2, 0.3);
    const auto slopes   = normals(300, 5, 0.7);
    const Dataset first = both;
    both.other_targets  = {"slope"};
    both.targets.clear();
    for (std::size_t i = 0; i < both.n_rows; ++i)
        both.targets.insert(both.targets.end(), {first.targets[i], both.inputs[2 * i] + slopes[i]});
    const SplitData parts = split(both, {.standardise_targets = true});
    for (const std::size_t target : {std::size_t{0}, std::size_t{1}})
        EXPECT_EQ(noise_by_neighbours(parts, target).value(),
                  noise_by_neighbours(with_one_target(parts, target)).value());
    EXPECT_GT(noise_by_neighbours(parts, 1).value(), 1.2 * noise_by_neighbours(parts, 0).value());
}

TEST(NoiseByNeighbours, RepeatedRowsDoNotLowerIt)
{
    const Dataset once = noisy_sine(100, 2, 0.3);
    Dataset twice      = once;
    twice.n_rows *= 2;
    twice.inputs.insert(twice.inputs.end(), once.inputs.begin(), once.inputs.end());
    twice.targets.insert(twice.targets.end(), once.targets.begin(), once.targets.end());
    EXPECT_NEAR(estimate(twice), estimate(once), 1e-5);
}

TEST(NoiseByNeighbours, IsEmptyForClassesAndForAFewRows)
{
    EXPECT_FALSE(noise_by_neighbours(split(noisy_sine(9, 1, 0.1), {.test_fraction = 0})));
    Dataset classes = noisy_sine(50, 1, 0.1);
    classes.task    = Task::classification;
    classes.targets.clear();
    classes.labels.assign(50, 0);
    classes.class_names = {"a", "b"};
    EXPECT_FALSE(noise_by_neighbours(split(classes, {})));
    Dataset same = noisy_sine(50, 1, 0.1);
    same.inputs.assign(50, 1.0);
    same.targets.assign(50, 2.0);
    EXPECT_FALSE(noise_by_neighbours(split(same, {.test_fraction = 0}))) << "all rows repeat each other";
}
