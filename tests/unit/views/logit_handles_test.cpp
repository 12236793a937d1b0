// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/simplex_presets.h"
#include "tilted_gaussian.h"
#include "views/simplex.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

using namespace credence;

namespace {

/// PΣP, the part of Σ that affects softmax [3 × 3].
std::vector<double> in_plane(const LogitGaussian& distribution)
{
    const auto S = distribution.covariance();
    std::vector<double> out(9, 0);
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    out[static_cast<std::size_t>(3 * k + l)] += ((k == i) - 1.0 / 3)
                                                                * S[static_cast<std::size_t>(3 * i + j)]
                                                                * ((j == l) - 1.0 / 3);
    return out;
}
std::vector<double> of_axes(const LogitHandles& handles)
{
    std::vector<double> out(9, 0);
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l)
            for (int w = 0; w < 2; ++w)
                out[3 * k + l] += handles.axis(w)[k] * handles.axis(w)[l];
    return out;
}
void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance)
{
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR(a[i], b[i], tolerance) << "entry " << i;
}

}   // namespace

TEST(LogitHandles, AxesAreARootOfTheCovarianceThatSoftmaxSees)
{
    const LogitHandles handles(tilted());
    expect_near(of_axes(handles), in_plane(tilted()), 1e-14);
    EXPECT_GE(handles.length(0), handles.length(1));
    for (int w = 0; w < 2; ++w)
        EXPECT_NEAR(handles.axis(w)[0] + handles.axis(w)[1] + handles.axis(w)[2], 0, 1e-15);
}

TEST(LogitHandles, ADraggedMeanMovesAndTheCovarianceStays)
{
    const auto moved = LogitHandles(tilted()).with_mean({0.2, 0.7});
    EXPECT_NEAR(moved.mean().first, 0.2, 1e-12);
    EXPECT_NEAR(moved.mean().second, 0.7, 1e-12);
    EXPECT_EQ(moved.distribution().covariance(), tilted().covariance());
    EXPECT_NEAR(moved.distribution().mu()[0] + moved.distribution().mu()[1] + moved.distribution().mu()[2], 0,
                1e-12);   // as before
}

TEST(LogitHandles, ADraggedAxisMovesAndTheOtherKeepsItsLength)
{
    const LogitHandles before(tilted());
    for (int which = 0; which < 2; ++which) {
        const LogitHandles::Logits to{0.9, -0.2, -0.7};
        const auto after = before.with_axis(which, to);
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(after.axis(which)[k], to[k], 1e-12);
        EXPECT_NEAR(after.length(1 - which), before.length(1 - which), 1e-12);
        expect_near(of_axes(after), in_plane(after.distribution()), 1e-12);   // and the distribution has these axes
    }
}

TEST(LogitHandles, TheShiftThatSoftmaxIgnoresStaysWhileAnAxisIsDragged)
{
    const auto after    = LogitHandles(tilted()).with_axis(0, {2, -1, -1}).distribution();
    double along_before = 0, along_after = 0;
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
            along_before += tilted().covariance(k, l);
            along_after += after.covariance(k, l);
        }
    EXPECT_NEAR(along_after, along_before, 1e-12);
}

TEST(LogitHandles, PositionRoundTripIsTheIdentity)
{
    const LogitHandles handles(tilted());
    const auto way   = handles.towards({0.3, 0.25});
    const auto there = handles.with_axis(0, way).end(0);
    EXPECT_NEAR(there.first, 0.3, 1e-12);
    EXPECT_NEAR(there.second, 0.25, 1e-12);
}

TEST(LogitHandles, StayUsableAtTheBorderAndForAnAxisOfNoLength)
{
    const auto corner = LogitHandles(tilted()).with_mean({1.3, -0.2});
    EXPECT_TRUE(corner.mean().inside());
    EXPECT_GT(corner.mean().first, 0.99);
    EXPECT_GT(LogitHandles(tilted()).with_length(1, 0).length(1), 0);
    EXPECT_EQ(LogitHandles(tilted()).with_axis(0, {0, 0, 0}).distribution().covariance(), tilted().covariance());
}

TEST(LogitHandles, TheEllipsePassesThroughTheEndsOfTheAxesAndCloses)
{
    const LogitHandles handles(tilted());
    const Line line = handles.ellipse(96);
    EXPECT_NEAR(line.x.front(), handles.end(0).first, 1e-12);
    EXPECT_NEAR(line.x.back(), line.x.front(), 1e-12);
    EXPECT_NEAR(line.x[24], handles.end(1).first, 1e-12);
    EXPECT_NEAR(line.y[24], handles.end(1).second, 1e-12);
}

TEST(SimplexPresets, EachHasAPictureAndItsOwnNames)
{
    std::set<std::string> ids, titles;
    for (const auto& preset : simplex_presets()) {
        EXPECT_TRUE(ids.insert(preset.id).second) << preset.id;
        EXPECT_TRUE(titles.insert(preset.title).second) << preset.title;
        EXPECT_FALSE(preset.note.empty());
        const auto value = simplex_density(preset.distribution, {}, {.variant = preset.variant, .cells = 40});
        EXPECT_TRUE(value.bridge) << preset.title;
    }
}

TEST(SimplexPresets, DirichletPresetsReproduceTheirDirichlet)
{
    const auto& first = simplex_presets().front();
    const auto alpha  = bridge(first.distribution, first.variant).dirichlet().alpha();
    EXPECT_NEAR(alpha[0], 2, 1e-12);
    EXPECT_NEAR(alpha[2], 6, 1e-12);
}
