// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/family_settings.h"
#include "study/image_settings.h"
#include "unit/study/image_studies.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ImageSettings, TransformEachStrokePresetIntoEachOtherByTheFamily)
{
    for (const std::string& from : families)
        for (const std::string& to : families)
            EXPECT_THAT(differences(with_family_defaults(strokes_of(from), to).study, strokes_of(to)), IsEmpty())
                << from << " to " << to;
}

TEST(ImageSettings, TransformEachOfThePapersMnistNetsIntoEachOther)
{
    for (const std::string& from : families)
        for (const std::string& to : families)
            if (from != "mean_field" && to != "mean_field") {
                EXPECT_THAT(differences(with_family_defaults(mnist_of(from), to).study, mnist_of(to)), IsEmpty())
                    << from << " to " << to;
            }
}

TEST(ImageSettings, SwitchFromTwoMoonsToStrokesAndBack)
{
    for (const std::string& family : families) {
        const Study moons = of_family("two_moons_", family), strokes = with_data_source(moons, DataSource::strokes);
        EXPECT_THAT(differences(strokes, strokes_of(family)), IsEmpty()) << family;
        EXPECT_THAT(differences(with_data_source(strokes, DataSource::toy), moons), IsEmpty()) << family;
    }
}

TEST(ImageSettings, StayBetweenSourcesOfOneKind)
{
    const Study strokes = strokes_of("tridiagonal");
    EXPECT_THAT(differences(strokes, with_data_source(strokes, DataSource::images)),
                ElementsAre("Data from: Stroke digits → Data set of images"));
    EXPECT_THAT(differences(Study{}, with_data_source(Study{}, DataSource::csv)),
                ElementsAre("Data from: Toy problem → Table in a file"));
}

TEST(ImageSettings, AnotherNetworkBringsItsInitialTau)
{
    for (const std::string& family : families) {
        const Study lenet = strokes_of(family), dense = with_network_kind(lenet, NetworkKind::mlp);
        EXPECT_NO_THROW(check(dense)) << family;
        EXPECT_EQ(dense.network.dropout, 0);
        EXPECT_TRUE(with_network_kind(dense, NetworkKind::lenet_caffe) == lenet);
    }
    const Study own = with(strokes_of("layer_scale"), {"posterior.initial_tau=0.3"});
    EXPECT_EQ(with_network_kind(own, NetworkKind::lenet5).posterior.initial_tau, own.posterior.initial_tau);
}

}   // namespace
}   // namespace credence
