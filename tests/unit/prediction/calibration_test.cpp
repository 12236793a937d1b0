// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/calibration.h"

#include "foundation/error.h"

#include <gmock/gmock.h>

#include <algorithm>

using namespace credence;

TEST(ReliabilityBins, AConfidenceOnABoundCountsInTheBinBelow)
{
    for (int n : {3, 10, 15})
        for (int b = 1; b <= n; ++b) {
            const std::vector<double> confidence{static_cast<double>(b) / n};
            const auto bins = reliability_bins(confidence, std::vector<char>{1}, n);
            EXPECT_EQ(bins[b - 1].count, 1) << "bound " << b << " of " << n;
        }
}

TEST(ReliabilityBins, AFloatOnABoundCountsInTheBinBelowAlsoWhereItIsRoundedUp)
{
    for (int b = 1; b < 15; ++b) {
        const double rounded = static_cast<double>(static_cast<float>(b / 15.0));
        const auto bins      = reliability_bins(std::vector<double>{rounded, b / 15.0}, std::vector<char>{1, 1});
        EXPECT_EQ(bins[static_cast<std::size_t>(b) - 1].count, 2) << b << "/15";
    }
}

TEST(ReliabilityBins, ZeroCountsInTheFirstBin)
{
    EXPECT_EQ(reliability_bins(std::vector<double>{0}, std::vector<char>{0})[0].count, 1);
}

TEST(ReliabilityBins, EveryPredictionIsInExactlyOneBin)
{
    std::vector<double> confidence;
    for (int i = 0; i <= 1000; ++i)
        confidence.push_back(i / 1000.0);
    const auto bins = reliability_bins(confidence, std::vector<char>(1001, 1));
    long total      = 0;
    for (const auto& bin : bins) {
        total += bin.count;
        EXPECT_EQ(bin.correct, bin.count);
        EXPECT_GT(bin.mean_confidence(), bin.lower);
        EXPECT_LE(bin.mean_confidence(), bin.upper);
    }
    EXPECT_EQ(total, 1001);
}

TEST(CalibrationError, IsZeroWhereConfidenceIsTheShareOfHits)
{
    const std::vector<double> confidence{0.75, 0.75, 0.75, 0.75};
    EXPECT_EQ(expected_calibration_error(reliability_bins(confidence, std::vector<char>{1, 1, 0, 1})), 0);
}

TEST(CalibrationError, OfConfidentWrongPredictionsIsOne)
{
    EXPECT_EQ(expected_calibration_error(reliability_bins(std::vector<double>{1, 1}, std::vector<char>{0, 0})), 1);
}

TEST(CalibrationError, RejectsNoPredictions)
{
    EXPECT_THAT([] { expected_calibration_error(reliability_bins({}, {})); },
                testing::ThrowsMessage<Error>("Calibration error: there are no predictions."));
}

TEST(RejectionCurve, StartsAtTheTotalErrorAndRejectsTheMostUncertainFirst)
{
    const std::vector<double> uncertainty{0.1, 0.9, 0.5, 0.7};
    const auto points = rejection_curve(uncertainty, std::vector<char>{1, 0, 1, 0});
    ASSERT_EQ(points.size(), 4u);
    EXPECT_DOUBLE_EQ(points[0].rejected, 0);
    EXPECT_DOUBLE_EQ(points[0].error, 0.5);
    EXPECT_DOUBLE_EQ(points[1].rejected, 0.25);
    EXPECT_DOUBLE_EQ(points[1].error, 1.0 / 3);
    EXPECT_DOUBLE_EQ(points[2].error, 0);
    EXPECT_DOUBLE_EQ(points[3].error, 0);
}

TEST(RejectionCurve, OfEqualUncertaintiesIsFlatWhateverTheOrder)
{
    for (const auto& correct : {std::vector<char>{1, 1, 0, 0}, std::vector<char>{0, 1, 0, 1}})
        for (const auto& point : rejection_curve(std::vector<double>(4, 0.3), correct))
            EXPECT_DOUBLE_EQ(point.error, 0.5);
}

// NumPy 1.24: means of right and confidence in six groups of sorted confidences
TEST(AdaptiveCalibrationError, EqualsThatOfNumPy)
{
    const std::vector<double> confidence{0.9898, 0.558, 0.5987, 0.8464, 0.9217, 0.3827, 0.304,  0.3424, 0.8102, 0.7438,
                                         0.7751, 0.411, 0.4837, 0.9526, 0.6325, 0.4557, 0.7074, 0.8797, 0.527,  0.6633};
    const std::vector<char> correct{1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1};
    EXPECT_NEAR(adaptive_calibration_error(confidence, correct, 6), 0.218165, 1e-12);
}

TEST(AdaptiveCalibrationError, DoesNotDependOnTheOrderOfEqualConfidences)
{
    const std::vector<double> confidence{0.6, 0.6, 0.6, 0.6};
    EXPECT_NEAR(adaptive_calibration_error(confidence, std::vector<char>{1, 1, 0, 0}, 2), 0.1, 1e-15);
    EXPECT_NEAR(adaptive_calibration_error(confidence, std::vector<char>{0, 1, 0, 1}, 2), 0.1, 1e-15);
}

// NumPy 1.24: five bins for each of three classes
TEST(ClasswiseCalibrationError, EqualsThatOfNumPy)
{
    const std::vector<double> p{0.484, 0.107, 0.409, 0.538, 0.103, 0.359, 0.007, 0.303, 0.69,  0.009, 0.063, 0.928,
                                0.093, 0.375, 0.532, 0.209, 0.081, 0.71,  0.338, 0.612, 0.05,  0.233, 0.601, 0.166,
                                0.209, 0.328, 0.463, 0.534, 0.353, 0.113, 0.143, 0.545, 0.312, 0.348, 0.255, 0.397};
    EXPECT_NEAR(classwise_calibration_error(p, std::vector<int>{2, 1, 0, 0, 1, 1, 2, 2, 1, 0, 0, 2}, 5),
                0.35838888888888887, 1e-12);
}

// NumPy 1.24: cumulative means of the losses in the order of the uncertainties
TEST(SelectiveRisk, EqualsThatOfNumPy)
{
    const std::vector<double> uncertainty{0.6572, 0.1011, 0.3806, 0.1337, 0.6624, 0.8306, 0.3769, 0.3717,
                                          0.5395, 0.2151, 0.2474, 0.3299, 0.4574, 0.0815, 0.7527};
    const std::vector<double> loss{2.86,  0.482, 0.035, 1.424, 0.229, 0.084, 0.13, 0.024,
                                   0.473, 0.807, 0.275, 1.423, 0.817, 0.378, 0.71};
    const auto risk = selective_risk(uncertainty, loss);
    EXPECT_NEAR(risk[0], 0.378, 1e-15);
    EXPECT_NEAR(risk[4], 0.6731999999999999, 1e-14);
    EXPECT_NEAR(risk[14], 0.6767333333333333, 1e-14);
    EXPECT_NEAR(area_under_risk(risk), 0.6465044253894253, 1e-14);
    EXPECT_LE(area_under_risk(selective_risk(loss, loss)), area_under_risk(risk))
        << "the loss itself is the best order";
}

TEST(SelectiveRisk, OfEqualUncertaintiesIsTheMeanLossEverywhere)
{
    for (const double risk : selective_risk(std::vector<double>(4, 1.0), std::vector<double>{0, 1, 0, 1}))
        EXPECT_DOUBLE_EQ(risk, 0.5);
}
