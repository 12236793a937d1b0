// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/figure_files.h"
#include "foundation/error.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const Chart captioned{.id = "decision_map", .title = "Decision map", .caption = "Entropy at η = 0.1 of 50 % of rows."};
const Table settings_of_caption{{{"Setting"}, {"Value"}, {"Unit"}},
                                {{"Learning rate η", "0.1", ""}, {"Steps", "200", "steps"}}};

TEST(CaptionFile, AsTextHasTitleCaptionAndALineForEachSetting)
{
    EXPECT_EQ(caption_as_text(captioned, settings_of_caption),
              "Decision map\n\nEntropy at η = 0.1 of 50 % of rows.\n\nSettings\n  Learning rate η: 0.1\n  Steps: 200 "
              "steps\n\nWritten by Credence.\n");
    EXPECT_EQ(caption_as_text(captioned, {}),
              "Decision map\n\nEntropy at η = 0.1 of 50 % of rows.\n\nWritten by Credence.\n");
}

TEST(CaptionFile, AsLatexIsReadInsideAFigureAndKeepsTheSettingsInComments)
{
    const std::string tex = caption_as_latex(captioned, settings_of_caption, "xor_map");
    EXPECT_THAT(tex, HasSubstr("\n\\caption[Decision map]{Entropy at "));
    EXPECT_THAT(tex, HasSubstr("50 \\% of rows.}\n\\label{fig:xor_map}\n"));
    EXPECT_THAT(tex, HasSubstr("% Steps & 200 & steps \\\\\n"));
    const auto label = tex.find("\\label{fig:");
    for (auto at = tex.find('\n', label); at != std::string::npos && at + 1 < tex.size(); at = tex.find('\n', at + 1))
        EXPECT_EQ(tex[at + 1], '%') << "nothing but the caption is typeset";
    EXPECT_THAT(caption_as_latex(captioned, {}, "xor_map"), Not(HasSubstr("tabular")));
}

TEST(FigureSizes, AreNamedAndGrowInWidth)
{
    double last = 0;
    for (const auto& size : figure_sizes()) {
        EXPECT_EQ(figure_size_named(size.id).title, size.title);
        EXPECT_GT(size.width_mm, last) << size.id;
        EXPECT_GE(size.font_pt, 6) << "can be read";
        last = size.width_mm;
    }
    try {
        figure_size_named("poster");
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), StartsWith("--size is \"poster\", expected WIDTHxHEIGHT in mm"));
        EXPECT_THAT(error.what(), HasSubstr("column, two_columns, slide."));
    }
}

}   // namespace

}   // namespace credence
