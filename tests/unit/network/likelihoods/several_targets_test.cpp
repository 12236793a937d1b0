// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/network/likelihood_properties.h"

#include <gmock/gmock.h>

// Several numeric targets that are independent given the outputs.

namespace credence {
namespace {

using likelihood_properties::gradient_of;
using likelihood_properties::Rows;

struct TargetsCase {
    std::string name;
    std::vector<Likelihood> each;   ///< three targets
};
void PrintTo(const TargetsCase& one, std::ostream* out) { *out << one.name; }

const std::vector<TargetsCase> targets_cases{
    {"given", {Likelihood::gaussian(0.5), Likelihood::gaussian(0.2), Likelihood::gaussian(2)}},
    {"learned", {learned_noise(), learned_noise(), learned_noise()}},
    {"level", {learned_level(), learned_level(), learned_level()}},
    {"student_t", {student_t(0.5, 3), student_t(0.2, 3), student_t(1, 5)}}};

class SeveralTargets : public testing::TestWithParam<TargetsCase> {
protected:
    static constexpr int n = 4, T = 3;
    const std::vector<Likelihood>& each = GetParam().each;
    Likelihood all                      = Likelihood::of_several(each);
    int units                           = each[0]->n_outputs(2);
    Rows rows                           = all_rows();

    Rows all_rows() const
    {
        Rows made(all, n);
        made.values.clear();
        for (int i = 0; i < n * T; ++i)
            made.values.push_back(static_cast<float>(2 * std::cos(3.1 * i)));
        return made;
    }
    /// Outputs and values of one target in its own likelihood.
    Rows rows_of(int t) const
    {
        Rows own(each[static_cast<std::size_t>(t)], n);
        for (int i = 0; i < n; ++i) {
            own.values[static_cast<std::size_t>(i)] = rows.values[static_cast<std::size_t>(i * T + t)];
            for (int u = 0; u < units; ++u)
                own.outputs[static_cast<std::size_t>(i * units + u)] = rows.row(i)[static_cast<std::size_t>(u * T + t)];
        }
        return own;
    }
    double nll(const Likelihood& likelihood, const Rows& of) const
    {
        return likelihood->value(of.outputs, n, of.k, of.targets(), std::span<double>(), 1.0, nullptr);
    }
};

TEST_P(SeveralTargets, HaveTheSumOfTheirLikelihoodsAndItsGradient)
{
    EXPECT_EQ(all->n_outputs(2), T * units);
    EXPECT_EQ(all->n_targets(), T);
    EXPECT_EQ(all->n_constant_outputs(), T * each[0]->n_constant_outputs());
    double sum = 0;
    for (int t = 0; t < T; ++t)
        sum += nll(each[static_cast<std::size_t>(t)], rows_of(t));
    EXPECT_NEAR(nll(all, rows), sum, 1e-12 * std::abs(sum));
    likelihood_properties::expect_gradient(all, rows);
    likelihood_properties::expect_float_near_double(all, rows);
}

TEST_P(SeveralTargets, ArePredictedAsAlone)
{
    const std::vector<float> outputs(rows.outputs.begin(), rows.outputs.end());
    std::vector<float> predicted(2 * n * T), entropy(n);
    ASSERT_EQ(all->n_predicted(rows.k), 2 * T);
    all->predict(outputs, rows.k, predicted.data(), entropy.data());
    for (int t = 0; t < T; ++t) {
        const auto own = rows_of(t);
        const std::vector<float> own_outputs(own.outputs.begin(), own.outputs.end());
        std::vector<float> alone(2 * n), one(2 * n);
        each[static_cast<std::size_t>(t)]->predict(own_outputs, units, alone.data(), entropy.data());
        all.of_target(t)->predict(outputs, rows.k, one.data(), entropy.data());
        EXPECT_EQ(one, alone);
        for (int i = 0; i < n; ++i)
            EXPECT_EQ(predicted[static_cast<std::size_t>(2 * (i * T + t))], alone[static_cast<std::size_t>(2 * i)]);
    }
}

TEST_P(SeveralTargets, OneOfThemIgnoresTheOutputsOfTheOthers)
{
    const auto one = all.of_target(1);
    EXPECT_EQ(one->n_targets(), 1);
    EXPECT_EQ(one->n_outputs(2), all->n_outputs(2));
    EXPECT_EQ(one->constant_scale(), each[1]->constant_scale());
    EXPECT_NE(one, all.of_target(2));
    EXPECT_NE(one, all);
    Rows seen   = rows;
    seen.values = rows_of(1).values;
    EXPECT_DOUBLE_EQ(nll(one, seen), nll(each[1], rows_of(1)));
    const auto gradient = gradient_of(one, seen), alone = gradient_of(each[1], rows_of(1));
    for (int i = 0; i < n; ++i)
        for (int c = 0; c < rows.k; ++c)
            EXPECT_EQ(gradient[static_cast<std::size_t>(i * rows.k + c)],
                      c % T == 1 ? alone[static_cast<std::size_t>(i * units + c / T)] : 0);
}

INSTANTIATE_TEST_SUITE_P(NoiseModels, SeveralTargets, testing::ValuesIn(targets_cases));

}   // namespace
}   // namespace credence
