// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/picture_link.h"

#include "foundation/files.h"
#include "study/presets.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <unistd.h>

namespace credence {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct PictureLinks : ::testing::Test {
    fs::path folder = fs::path(::testing::TempDir()) / ("credence_picture_link_" + std::to_string(::getpid()));
    fs::path file   = folder / "slide.credence-link";
    PictureLinks() { fs::create_directories(folder / "runs"); }
    ~PictureLinks() override { fs::remove_all(folder); }
};

std::string refused(const std::string& text)
{
    return refusal([&] { picture_link_from_text(text, "slide.credence-link", "/slides"); });
}

TEST_F(PictureLinks, RoundTripIsTheIdentity)
{
    write_whole(folder / "runs" / "run.credence", "a run");
    PictureLink link;
    link.study     = preset("two_moons_tridiagonal");
    link.run       = folder / "runs" / "run.credence";
    link.view      = "boxplots";
    link.step      = 1200;
    link.input     = {0.1, -2.5};
    link.quantity  = MapQuantity::class_probability;
    link.map_class = 0;
    save_picture_link(link, file);
    EXPECT_THAT(read_file(file, "a link"), HasSubstr("\"run\": \"runs/run.credence\"")) << "relative to the link";
    EXPECT_TRUE(is_picture_link(file));
    const auto loaded = load_picture_link(file);
    EXPECT_EQ(loaded.run, link.run);
    EXPECT_EQ(loaded.view, "boxplots");
    EXPECT_EQ(loaded.step, 1200);
    EXPECT_THAT(loaded.input, ElementsAre(0.1, -2.5));
    EXPECT_FALSE(loaded.row);
    EXPECT_EQ(loaded.quantity, MapQuantity::class_probability);
    EXPECT_EQ(loaded.map_class, 0);
    ASSERT_TRUE(loaded.study);
    EXPECT_TRUE(*loaded.study == *link.study);

    PictureLink other;   // all that may be missing
    other.study = default_study();
    other.row   = 17;
    save_picture_link(other, file);
    const auto again = load_picture_link(file);
    EXPECT_EQ(again.row, 17U);
    EXPECT_FALSE(again.step);
    EXPECT_TRUE(again.run.empty());
    EXPECT_TRUE(again.view.empty());
}

TEST_F(PictureLinks, AMissingRunIsReplacedByItsStudy)
{
    PictureLink link;
    link.run = folder / "runs" / "gone.credence";
    save_picture_link(link, file);
    EXPECT_THAT(refusal([&] { load_picture_link(file); }),
                HasSubstr("gone.credence does not exist; expected it or a Study"));
    link.study = default_study();
    save_picture_link(link, file);
    const auto loaded = load_picture_link(file);
    EXPECT_TRUE(loaded.run.empty());
    EXPECT_TRUE(loaded.study);
}

TEST_F(PictureLinks, AStudyIsNotALink)
{
    save_study(default_study(), folder / "study.json");
    EXPECT_FALSE(is_picture_link(folder / "study.json"));
    EXPECT_FALSE(is_picture_link(folder / "none.json"));
    write_whole(folder / "broken.json", "{");
    EXPECT_FALSE(is_picture_link(folder / "broken.json"));
}

TEST(PictureLink, EachErrorIsOneSentence)
{
    const auto with = [](const std::string& keys) { return refused("{\"credence_link\": 1, " + keys + "}"); };
    EXPECT_THAT(refused("{"), StartsWith("slide.credence-link, line 1: found text that is not JSON, expected a link"));
    EXPECT_THAT(refused("[]"), HasSubstr("expected an object"));
    EXPECT_THAT(refused("{\"credence\": 1}"), HasSubstr("found no key credence_link, expected a link"));
    EXPECT_THAT(refused("{\"credence_link\": 2, \"run\": \"a.credence\"}"),
                HasSubstr("has version 2, but this program reads version 1."));
    EXPECT_THAT(with("\"step\": 1"), HasSubstr("found neither run nor study, expected one of them."));
    EXPECT_THAT(
        with("\"run\": \"a.credence\", \"step\": -1"),
        ::testing::AllOf(StartsWith("slide.credence-link: step is "), HasSubstr("expected a whole number from 0.")));
    EXPECT_THAT(with("\"run\": \"a.credence\", \"step\": 1.5"), HasSubstr("expected a whole number from 0."));
    EXPECT_THAT(with("\"run\": \"a.credence\", \"view\": \"boxes\""), HasSubstr("view: There is no view \"boxes\""));
    EXPECT_THAT(with("\"run\": \"a.credence\", \"input\": [1, \"x\"]"), HasSubstr("expected a list of numbers."));
    EXPECT_THAT(with("\"run\": \"a.credence\", \"input\": [1], \"row\": 2"),
                HasSubstr("expected either input or row, not both."));
    EXPECT_THAT(with("\"run\": \"a.credence\", \"quantity\": \"doubt\""),
                StartsWith("slide.credence-link: quantity is \"doubt\", expected one of class_probability, "));
    EXPECT_THAT(with("\"run\": \"a.credence\", \"speed\": 2"), HasSubstr("speed"));
    EXPECT_THAT(with("\"study\": {\"credence\": 1, \"training\": {\"steps\": -5}}"),
                HasSubstr("slide.credence-link: study: "));
    EXPECT_EQ(with("\"run\": \"a.credence\""), "");
}

TEST(PictureLink, TheStepIsTheNearestRecordedOne)
{
    const std::vector<long> steps{0, 10, 20, 40};
    EXPECT_EQ(nearest_step(steps, {}), 3U);
    EXPECT_EQ(nearest_step(steps, 0), 0U);
    EXPECT_EQ(nearest_step(steps, 14), 1U);
    EXPECT_EQ(nearest_step(steps, 15), 1U);
    EXPECT_EQ(nearest_step(steps, 16), 2U);
    EXPECT_EQ(nearest_step(steps, 1000), 3U);
}

}   // namespace
}   // namespace credence
