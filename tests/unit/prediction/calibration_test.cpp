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
