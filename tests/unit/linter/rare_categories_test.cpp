// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include "unit/formats/table_file.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

/// Forty rows with a column of `categories` different words.
LintCase with_words(int categories)
{
    std::string text = "x,who,class\n";
    for (int i = 0; i < 40; ++i)
        text += std::to_string(i) + ".5,p" + std::to_string(i % categories) + "," + (i % 2 ? "a" : "b") + "\n";
    const TableFile file(text);
    Study study          = small_study("mean_field");
    study.data.source    = DataSource::csv;
    study.data.file      = file.path().string();
    study.training.steps = 2;
    return case_of(study);
}

TEST(LintRareCategories, AColumnOfRowNamesIsFound)
{
    const auto finding = found("rare_categories", with_words(40));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr("Column who is read as 40 categories, with 32 training rows"));
    EXPECT_TRUE(found("rare_categories", with_words(20)));
}

TEST(LintRareCategories, IsSilentForCategoriesThatRecur)
{
    EXPECT_FALSE(found("rare_categories", with_words(12)));
    EXPECT_FALSE(found("rare_categories", with_words(3)));
    EXPECT_FALSE(found("rare_categories", case_of(small_study("mean_field"))));
}

}   // namespace
}   // namespace credence
