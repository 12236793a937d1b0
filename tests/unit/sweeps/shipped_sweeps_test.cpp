// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/sweeps/small_sweep.h"

#include <set>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(ShippedSweeps, HaveValidCellsAndANoteOnTheirPurpose)
{
    std::set<std::string> ids;
    for (const auto& sweep : sweeps()) {
        SCOPED_TRACE(sweep.id);
        EXPECT_TRUE(ids.insert(sweep.id).second);
        EXPECT_FALSE(sweep.title.empty());
        EXPECT_GT(sweep.note.size(), 40u);
        EXPECT_EQ(cells_of(sweep).size(), sweep.n_cells());
        if (!sweep.quick.empty() || !sweep.quick_axes.empty()) {
            EXPECT_FALSE(cells_of(quick_version(sweep)).empty());
        }
    }
    EXPECT_TRUE(ids.count("toys_20") == 1 && ids.count("two_moons_dropout") == 1);
}

TEST(ShippedSweeps, AreFoundByTheirIds)
{
    EXPECT_EQ(find_sweep("toys_20").n_cells(), 20u);
    EXPECT_THAT(sentence_thrown_by([] { find_sweep("toys"); }),
                HasSubstr("There is no sweep \"toys\", expected a file or one of "));
}

}   // namespace
}   // namespace credence
