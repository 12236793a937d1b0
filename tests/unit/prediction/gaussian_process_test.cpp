// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/gaussian_process.h"

#include "foundation/error.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <numbers>

namespace credence {
namespace {

using ::testing::HasSubstr;

const std::vector<double> gp_five_x{-1.2, -0.5, 0.1, 0.4, 1.3}, gp_five_y{0.3, -0.8, 0.2, 0.9, -0.4},
    gp_places{-2.0, 0.0, 0.25, 3.0};

/// The integral of φ(u) φ(v) over the density of (u, v), by the trapezoidal rule out to eight standard deviations.
double integrated_product(double (*phi)(double), double k_uu, double k_uv, double k_vv)
{
    constexpr int steps  = 800;
    constexpr double end = 8, h = 2 * end / steps;
    const double a = std::sqrt(k_uu), b = k_uv / a, c = std::sqrt(k_vv - b * b);
    double sum = 0;
    for (int i = 0; i <= steps; ++i)
        for (int j = 0; j <= steps; ++j) {
            const double p = -end + i * h, q = -end + j * h;
            sum += h * h * std::exp(-0.5 * (p * p + q * q)) / (2 * std::numbers::pi) * phi(a * p) * phi(b * p + c * q);
        }
    return sum;
}

double as_tanh(double u) { return std::erf(std::sqrt(std::numbers::pi) / 2 * u); }

TEST(ExpectedProduct, IsTheIntegralOverTheGaussian)
{
    const auto relu                           = [](double u) { return std::max(0.0, u); };
    const auto sigmoid                        = [](double u) { return (1 + as_tanh(u / 2)) / 2; };
    const std::array<double, 3> covariances[] = {{2, 0.7, 1.5}, {0.8, -0.3, 0.5}, {0.1, 0.05, 3}};
    for (const auto& [uu, uv, vv] : covariances) {
        EXPECT_NEAR(expected_product(ActivationKind::relu, uu, uv, vv), integrated_product(relu, uu, uv, vv), 1e-4);
        EXPECT_NEAR(expected_product(ActivationKind::tanh, uu, uv, vv), integrated_product(as_tanh, uu, uv, vv), 1e-9);
        EXPECT_NEAR(expected_product(ActivationKind::sigmoid, uu, uv, vv), integrated_product(sigmoid, uu, uv, vv),
                    1e-9);
        EXPECT_EQ(expected_product(ActivationKind::identity, uu, uv, vv), uv);
    }
    // SciPy 1.10: adaptive quadrature over the angle, and 180 Gauss–Hermite nodes in each direction
    EXPECT_NEAR(expected_product(ActivationKind::relu, 2, 0.7, 1.5), 0.47349968351052846, 1e-12);
    EXPECT_NEAR(expected_product(ActivationKind::relu, 2, -1.2, 1.5), 0.044963722248892994, 1e-12);
    EXPECT_NEAR(expected_product(ActivationKind::tanh, 0.8, 0.3, 0.5), 0.15086744057182927, 1e-12);
    EXPECT_NEAR(expected_product(ActivationKind::sigmoid, 0.8, 0.3, 0.5), 0.26497577440135545, 1e-12);
}

TEST(ExpectedProduct, IsKnownAtTheEdges)
{
    EXPECT_DOUBLE_EQ(expected_product(ActivationKind::relu, 3, 3, 3), 1.5) << "half the variance";
    EXPECT_NEAR(expected_product(ActivationKind::relu, 3, -3, 3), 0, 1e-15) << "never both positive";
    EXPECT_EQ(expected_product(ActivationKind::relu, 0, 0, 3), 0);
    EXPECT_EQ(expected_product(ActivationKind::tanh, 0, 0, 3), 0);
    EXPECT_NEAR(expected_product(ActivationKind::relu, 3, 3 * (1 + 1e-15), 3), 1.5, 1e-7) << "beyond 1 by rounding";
    EXPECT_NEAR(expected_product(ActivationKind::tanh, 1e12, 1e12, 1e12), 1, 1e-5);
    EXPECT_THROW(expected_product(ActivationKind::softplus, 1, 0, 1), Error);
}

TEST(TanhAsErf, DiffersByAtMost0036)
{
    double largest = 0;
    for (int i = 0; i <= 6000; ++i)
        largest = std::max(largest, std::fabs(std::tanh(i * 1e-3) - as_tanh(i * 1e-3)));
    EXPECT_LT(largest, 0.036);
    EXPECT_GT(largest, 0.035);
}

TEST(WidthLimit, AddsTheVariancesOfAllWeightsOfAUnit)
{
    const auto network = mlp(1, {20, 30}, 1, ActivationKind::relu);
    const auto layout  = layout_of(network);
    Prior prior        = Prior::same(layout, GaussianPrior{0, 1});
    const double sds[] = {1.5, 0.7, 0.6, 0.5, std::sqrt(0.1), 0.4};
    for (std::size_t b = 0; b < 6; ++b)
        prior.blocks[b] = GaussianPrior{0, sds[b]};
    const auto kernel = width_limit(network, prior);
    ASSERT_EQ(kernel.layers.size(), 3u);
    EXPECT_DOUBLE_EQ(kernel.layers[0].weights, 2.25) << "the input is not summed over";
    EXPECT_DOUBLE_EQ(kernel.layers[1].weights, 20 * 0.36);
    EXPECT_DOUBLE_EQ(kernel.layers[2].weights, 30 * 0.1);
    EXPECT_DOUBLE_EQ(kernel.layers[1].biases, 0.25);
    EXPECT_NEAR(kernel(0.4, -1.2), 4.4428451854966635, 1e-12);   // NumPy 1.24, the recursion with arccos
    EXPECT_EQ(kernel(0.4, -1.2), kernel(-1.2, 0.4));
}

TEST(WidthLimit, OfOneHiddenLayerIsThePriorCovarianceOfTheNetworkAtAnyWidth)
{
    const auto network = mlp(1, {3}, 1, ActivationKind::relu);
    const auto layout  = layout_of(network);
    const auto prior   = Prior::weights_and_biases(layout, GaussianPrior{0, 0.8}, GaussianPrior{0, 0.5});
    const auto kernel  = width_limit(network, prior);
    constexpr int n    = 100000;
    double product = 0, squares = 0;
    std::vector<float> w(layout.size());
    for (int s = 0; s < n; ++s) {
        draw_from(prior, layout, {1, Stream::prior_draws, static_cast<std::uint32_t>(s)}, w);
        const auto f = [&](double x) {   // weights of layer 1, its biases, weights of layer 2, its bias
            double sum = static_cast<double>(w[9]);
            for (std::size_t i = 0; i < 3; ++i)
                sum += static_cast<double>(w[6 + i])
                       * std::max(0.0, static_cast<double>(w[i]) * x + static_cast<double>(w[3 + i]));
            return sum;
        };
        const double each = f(0.7) * f(-1.1);
        product += each / n;
        squares += each * each / n;
    }
    const double error = std::sqrt((squares - product * product) / n);
    EXPECT_NEAR(product, kernel(0.7, -1.1), 4 * error);
    EXPECT_LT(error, 0.01);
}

TEST(WidthLimit, IsRefusedWithAReason)
{
    const auto plain    = mlp(1, {5}, 1);
    const auto gaussian = Prior::same(layout_of(plain), GaussianPrior{0, 1});
    EXPECT_FALSE(why_no_width_limit(plain, gaussian));
    EXPECT_FALSE(why_no_width_limit(mlp(1, {}, 1), Prior::same(layout_of(mlp(1, {}, 1)), GaussianPrior{0, 1})));
    EXPECT_THAT(why_no_width_limit(mlp(1, {5}, 1, ActivationKind::relu, 0.2), gaussian).value(),
                HasSubstr("without dropout"));
    EXPECT_THAT(why_no_width_limit(mlp(1, {5}, 1, ActivationKind::elu), gaussian).value(), HasSubstr("activation elu"));
    EXPECT_THAT(why_no_width_limit(plain, Prior::same(layout_of(plain), GaussianPrior{0.1, 1})).value(),
                HasSubstr("mean 0"));
    EXPECT_THAT(why_no_width_limit(plain, Prior::same(layout_of(plain), ScaleMixturePrior{})).value(),
                HasSubstr("Gaussian prior"));
}

TEST(WidthLimit, OfALinearNetworkIsLinearRegression)
{
    const auto network = mlp(1, {}, 1);
    const auto kernel  = width_limit(
         network, Prior::weights_and_biases(layout_of(network), GaussianPrior{0, 2}, GaussianPrior{0, 3}));
    EXPECT_DOUBLE_EQ(kernel(0.5, -2), 9 + 4 * 0.5 * -2);
}

// NumPy 1.24: numpy.linalg.solve with K + s² I, without a Cholesky decomposition.
TEST(GaussianProcess, HasThePosteriorOfTheRbfKernel)
{
    const GaussianProcess process(RbfKernel{0.6, 1.3}, gp_five_x, gp_five_y, 0.2);
    const auto prediction = process.at(gp_places);
    const double mean[]   = {0.352067305578961, -0.028913140116072, 0.590061395260533, -0.019435168576091};
    const double sd[]     = {1.152691170752491, 0.203925808508099, 0.151532420827496, 1.299744617983971};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(prediction.mean[i], mean[i], 1e-12);
        EXPECT_NEAR(prediction.sd[i], sd[i], 1e-12);
    }
    EXPECT_NEAR(process.log_marginal_likelihood(), -5.831015306742426, 1e-12);
}

TEST(GaussianProcess, HasThePosteriorOfTheReluKernel)
{
    const WidthLimitKernel kernel{{{2.25, 0.49}, {20 * 0.36, 0.25}}, ActivationKind::relu};
    const GaussianProcess process(kernel, gp_five_x, gp_five_y, 0.2);
    const auto prediction = process.at(gp_places);
    const double mean[]   = {1.327515336028843, -0.01866447903773, 0.572882409150987, -2.704876301965932};
    const double sd[]     = {0.5916806224961, 0.20102676467767, 0.161671783798698, 1.073432421869803};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(prediction.mean[i], mean[i], 1e-10);
        EXPECT_NEAR(prediction.sd[i], sd[i], 1e-10);
    }
    EXPECT_NEAR(process.log_marginal_likelihood(), -9.968346146014472, 1e-10);
}

TEST(GaussianProcess, OfOneRowIsTheScalarFormula)
{
    const std::vector<double> x{0.5}, y{2};
    const auto prediction = GaussianProcess(RbfKernel{1, 2}, x, y, 1).at(x);
    EXPECT_DOUBLE_EQ(prediction.mean[0], 4.0 / 5 * 2);
    EXPECT_NEAR(prediction.sd[0], std::sqrt(4 - 16.0 / 5), 1e-15);
}

TEST(GaussianProcess, InterpolatesWithoutNoiseAlsoEqualRows)
{
    const std::vector<double> x{0, 1, 1, 2}, y{0, 1, 1, 0};
    const GaussianProcess process(RbfKernel{1, 1}, x, y, 0);   // singular: needs the jitter
    const auto prediction = process.at(x);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(prediction.mean[i], y[i], 1e-4);
        EXPECT_NEAR(prediction.sd[i], 0, 1e-2);
    }
}

TEST(GaussianProcess, RefusesWhatItCannotFit)
{
    const std::vector<double> one{1}, two{1, 2}, none, bad{NAN};
    EXPECT_THROW(GaussianProcess(RbfKernel{}, one, two, 1), Error);
    EXPECT_THROW(GaussianProcess(RbfKernel{}, none, none, 1), Error);
    EXPECT_THROW(GaussianProcess(RbfKernel{}, bad, one, 1), Error);
    const auto negative = [](double, double) { return -1.0; };
    EXPECT_THAT([&] { GaussianProcess(negative, one, one, 0.1); },
                testing::ThrowsMessage<Error>(HasSubstr("not positive definite")));
}

TEST(FittedRbf, IsTheMaximumOfTheMarginalLikelihood)
{
    std::vector<double> x, y;
    for (int i = 0; i < 17; ++i) {
        x.push_back(-2 + 0.25 * i);
        y.push_back(std::sin(2 * x.back()) + 0.1 * std::cos(37 * x.back()));
    }
    const auto kernel = fitted_rbf(x, y, 0.1).value();
    // SciPy 1.10: BFGS from twelve starts
    EXPECT_NEAR(kernel.length_scale, 1.025184244744781, 2e-3);
    EXPECT_NEAR(kernel.amplitude, 1.180920898845445, 2e-3);
    EXPECT_NEAR(GaussianProcess(kernel, x, y, 0.1).log_marginal_likelihood(), 0.8638830307767495, 1e-6);
}

TEST(FittedRbf, StopsOnRequestAndFitsConstants)
{
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(fitted_rbf(gp_five_x, gp_five_y, 0.2, source.get_token()));
    const std::vector<double> x{1, 1}, zero{0, 0};
    EXPECT_TRUE(fitted_rbf(x, zero, 0.1));
}

const std::vector<double> gp_eight{-1.0, 0.2,  -0.4, 1.1, 0.3,  -0.5, 0.9, 0.4,
                                   1.5,  -1.2, 0.1,  0.9, -1.3, -0.8, 2.0, 0.1};
const std::vector<int> gp_labels{0, 0, 1, 1, 1, 0, 1, 1};

/// Reference values: the same formulas in plain Python with explicit inverses and Newton's method in f.
TEST(GaussianProcessClassifier, HasTheLaplaceApproximationOfTheRbfKernel)
{
    const GaussianProcessClassifier process(RbfKernel{0.8, 2}, gp_eight, 2, gp_labels);
    EXPECT_NEAR(process.log_marginal_likelihood(), -5.2729487022040935, 1e-7);
    const double mode[] = {-0.9235824316948427, -1.6141880068008285, 1.2343397525802067, 1.073971595142068,
                           1.3174197516827455,  -1.0828660985857541, 0.8183669343045946, 1.3854424695101637};
    for (std::size_t i = 0; i < 8; ++i)
        EXPECT_NEAR(process.mode()[i], mode[i], 1e-4) << i;
    const auto p             = process.probabilities(std::vector<double>{0, 0, 1, 1, -2, 0.5, 9, 9});
    const double reference[] = {0.5332296028569778, 0.5646039678595375, 0.4440676792669316, 0.5};
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(p[i], reference[i], 1e-4) << i;
}

TEST(GaussianProcessClassifier, ExchangedLabelsExchangeTheClasses)
{
    std::vector<int> exchanged;
    for (const int label : gp_labels)
        exchanged.push_back(1 - label);
    const std::vector<double> places{0.2, 0.3, -1, 1};
    const auto p = GaussianProcessClassifier(RbfKernel{0.5, 3}, gp_eight, 2, gp_labels).probabilities(places),
               q = GaussianProcessClassifier(RbfKernel{0.5, 3}, gp_eight, 2, exchanged).probabilities(places);
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_NEAR(p[i] + q[i], 1, 1e-9);
}

TEST(GaussianProcessClassifier, ConvergesForLargeCovariances)
{
    const GaussianProcessClassifier process(RbfKernel{0.8, 300}, gp_eight, 2, gp_labels);
    EXPECT_TRUE(std::isfinite(process.log_marginal_likelihood()));
    const auto p = process.probabilities(gp_eight);
    for (std::size_t i = 0; i < 8; ++i)
        EXPECT_GT(gp_labels[i] ? p[i] : 1 - p[i], 0.5) << i;
}

TEST(Kernels, OfOneNumberAreThoseOfVectorsOfOneNumber)
{
    const WidthLimitKernel limit{{{1.5, 0.2}, {4, 0.3}, {2, 0.1}}, ActivationKind::tanh};
    const std::vector<double> x{0.4}, y{-1.2};
    EXPECT_DOUBLE_EQ(limit(x, y), limit(0.4, -1.2));
    const RbfKernel rbf{0.7, 2};
    EXPECT_NEAR(rbf(x, y), rbf(0.4, -1.2), 1e-15);
}

TEST(FittedRbfOfClasses, IsTheBestOfItsGridAndStopsOnRequest)
{
    const auto best   = fitted_rbf_of_classes(gp_eight, 2, gp_labels).value();
    const auto height = [](const RbfKernel& kernel) {
        return GaussianProcessClassifier(kernel, gp_eight, 2, gp_labels).log_marginal_likelihood();
    };
    EXPECT_GE(height(best), height({best.length_scale, 2 * best.amplitude}));
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(fitted_rbf_of_classes(gp_eight, 2, gp_labels, source.get_token()));
}

}   // namespace
}   // namespace credence
