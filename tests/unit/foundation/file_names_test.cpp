// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/file_names.h"

#include <gmock/gmock.h>

#include <set>

using namespace credence;

namespace {

std::vector<std::string> file_names_of(const std::vector<std::string>& names) { return distinct_file_names(names); }

}   // namespace

TEST(DistinctFileNames, AreSmallLettersDigitsAndHyphens)
{
    EXPECT_THAT(file_names_of({"Two moons, τ = 0.1", "../../etc/passwd", "a_b", "", "τ"}),
                ::testing::ElementsAre("two-moons-0-1", "etc-passwd", "a-b", "run", "run-2"));
    EXPECT_LE(file_names_of({std::string(500, 'x')}).front().size(), 60U);
}

TEST(DistinctFileNames, AreUniqueForAllNames)
{
    EXPECT_THAT(file_names_of({"moons", "moons-2", "Moons", "moons!"}),
                ::testing::ElementsAre("moons", "moons-2", "moons-3", "moons-4"));
    EXPECT_THAT(file_names_of({"moons", "moons", "moons-2"}), ::testing::ElementsAre("moons", "moons-3", "moons-2"));
    const auto many = file_names_of(std::vector<std::string>(100, "the same"));
    EXPECT_EQ(std::set<std::string>(many.begin(), many.end()).size(), 100U);
}
