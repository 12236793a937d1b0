// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/figure_files.h"

#include "runs/provenance.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(StudyMarks, AShortStudyIsStoredInTheFile)
{
    const Study study;
    EXPECT_EQ(study_comments_of(to_text(study)), "credence-study begin\n" + to_text(study) + "credence-study end");
    EXPECT_EQ(study_comments_of(""), "");
}

TEST(StudyMarks, ALongStudyIsNamedByItsHash)
{
    Study study;
    study.note          = std::string(5'000'000, 'a');
    const auto comments = study_comments_of(to_text(study));
    EXPECT_THAT(comments, StartsWith("credence-study hash " + study_hash(study) + "\n"));
    EXPECT_LT(comments.size(), 200u);

    Study drawn;
    for (int i = 0; i < 5000; ++i)
        drawn.data.points.push_back({0.1 * i, 1e-7 * i, i % 2});
    EXPECT_THAT(study_comments_of(to_text(drawn)), StartsWith("credence-study hash " + study_hash(drawn) + "\n"));
}

}   // namespace
}   // namespace credence
