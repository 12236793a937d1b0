// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_world.h"

#include "foundation/error.h"
#include "foundation/files.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <unistd.h>

namespace credence {
namespace {

using ::testing::HasSubstr;
using ::testing::Pair;

std::filesystem::path table_file(const std::string& name, const std::string& text)
{
    const auto file = std::filesystem::temp_directory_path() / ("credence_bandit_" + std::to_string(::getpid()) + name);
    write_whole(file, text);
    return file;
}

/// A mushroom whose attributes are all `letter`, but for the odor.
std::string line_of(const char* kind, char letter, char odor)
{
    std::string line = kind;
    for (int a = 0; a < 22; ++a)
        line += std::string(",") + (a == 4 ? odor : letter);
    return line + "\n";
}

std::string refusal_of(const WorldOptions& options)
{
    try {
        const BanditWorld world(options);
    } catch (const Error& error) {
        return error.field() + ": " + error.what();
    }
    return "no refusal";
}

TEST(BanditWorld, TheMushroomsDependOnlyOnSeedAndIndex)
{
    const BanditWorld one({}), other({});
    EXPECT_EQ(one.context(4, 7), other.context(4, 7));
    EXPECT_NE(one.context(4, 7).inputs, one.context(4, 8).inputs);
    EXPECT_NE(one.context(4, 7).inputs, one.context(5, 7).inputs);
}

TEST(BanditWorld, HalfOfThePlaneIsEdibleAndHalfOfTheCoinFlipsAreLucky)
{
    const BanditWorld world({});
    int edible = 0, lucky = 0, both = 0;
    for (long t = 0; t < 4000; ++t) {
        const auto context = world.context(1, t);
        edible += context.edible;
        lucky += context.lucky;
        both += context.edible && context.lucky;
    }
    EXPECT_NEAR(edible, 2000, 160);   // five standard deviations
    EXPECT_NEAR(lucky, 2000, 160);
    EXPECT_NEAR(both, 1000, 140) << "the coin knows nothing of the mushroom";
}

TEST(BanditWorld, PointsWithoutNoiseAreOnTheShape)
{
    const BanditWorld circles({.shape = PlaneShape::circles, .noise = 0}),
        squares({.shape = PlaneShape::xor_squares, .noise = 0});
    for (long t = 0; t < 50; ++t) {
        const auto round = circles.context(1, t);
        EXPECT_NEAR(std::hypot(round.inputs[0], round.inputs[1]), round.edible ? 1 : 0.5, 1e-6);
        const auto square = squares.context(1, t);
        EXPECT_EQ(square.inputs[0] * square.inputs[1] > 0, square.edible);
    }
    const auto extent = circles.extent();
    EXPECT_LT(extent.x1_from, -1);
    EXPECT_GT(extent.x2_to, 1);
}

TEST(BanditWorld, AMushroomIsOneColumnOfEachAttribute)
{
    const auto file = table_file("_good.data",
                                 line_of("e", 'b', 'n') + line_of("p", 'f', 'f') + line_of("e", 'f', 'a'));
    const BanditWorld world({.kind = WorldKind::mushrooms, .file = file.string()});
    EXPECT_EQ(world.n_rows(), 3u);
    ASSERT_EQ(world.n_features(), 21u * 2 + 3);
    for (long t = 0; t < 20; ++t) {
        const auto context = world.context(2, t);
        EXPECT_EQ(std::accumulate(context.inputs.begin(), context.inputs.end(), 0.0f), 22.0f);
        EXPECT_EQ(context.edible, context.row != 1);
        const auto words = world.description(context);
        ASSERT_EQ(words.size(), 22u);
        EXPECT_THAT(words[4], Pair("odor", context.row == 0 ? "none" : context.row == 1 ? "foul" : "almond"));
        EXPECT_THAT(words[0], Pair("cap shape", context.row == 0 ? "bell" : "flat"));
    }
    std::filesystem::remove(file);
}

TEST(BanditWorld, RejectsFilesThatAreNotMushroomTables)
{
    WorldOptions options{.kind = WorldKind::mushrooms, .file = "/nowhere/agaricus-lepiota.data"};
    EXPECT_THAT(refusal_of(options), HasSubstr("world.file: "));
    EXPECT_THAT(refusal_of(options), HasSubstr("/nowhere/agaricus-lepiota.data"));
    const auto narrow = table_file("_narrow.data", "e,b,n\np,f,f\ne,f,a\n");
    options.file      = narrow.string();
    EXPECT_THAT(refusal_of(options), HasSubstr("found 2 attributes after the first column, expected the 22"));
    const auto others = table_file("_others.data", line_of("yes", 'b', 'n') + line_of("no", 'f', 'f'));
    options.file      = others.string();
    EXPECT_THAT(refusal_of(options), HasSubstr("values other than e (edible) and p (poisonous)"));
    std::filesystem::remove(narrow);
    std::filesystem::remove(others);
    EXPECT_THAT(refusal_of({.noise = -1}), HasSubstr("world.noise is -1, expected a number from 0 to 10"));
}

TEST(BanditWorld, TheTableOfUciHas117Columns)
{
    if (mushroom_file({}).empty())
        GTEST_SKIP() << "mushroom/agaricus-lepiota.data: set CREDENCE_DATA_DIR to the folder that holds it";
    const BanditWorld world({.kind = WorldKind::mushrooms});
    EXPECT_EQ(world.n_rows(), 8124u);
    EXPECT_EQ(world.n_features(), 117u);
    const auto first = world.description(world.context(1, 0));
    ASSERT_EQ(first.size(), 22u);
    for (const auto& [name, value] : first)
        EXPECT_GT(value.size(), 1u) << name << ": every letter of the table has a word";
}

}   // namespace
}   // namespace credence
