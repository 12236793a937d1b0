// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/encode_rows.h"

#include "unit/formats/table_file.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

const std::vector<std::string> two_inputs{"x", "y"}, with_words{"x", "colour=blue", "colour=red"};

std::vector<double> rows_of(const std::string& text, const std::vector<std::string>& names = two_inputs)
{
    const TableFile file(text);
    return read_input_rows(file.path(), names);
}
std::string rows_refused(const std::string& text, const std::vector<std::string>& names = two_inputs)
{
    return refusal([&] { rows_of(text, names); });
}

}   // namespace

TEST(InputRows, AreFoundByTheirNamesInAnyOrder)
{
    EXPECT_THAT(rows_of("x,y\n1,2\n3,4\n"), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(rows_of("y;other;x\n2;9;1\n4;9;3\n"), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(rows_of("x\n-1e3\n", {"x"}), ElementsAre(-1000));
}

TEST(InputRows, WithoutNamesAreInTheOrderOfTheInputs)
{
    EXPECT_THAT(rows_of("1,2\n3,4\n"), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(rows_refused("1,2,3\n"), HasSubstr("found 3 columns without names, expected 2"));
}

TEST(InputRows, OfWordsAreOneHot)
{
    EXPECT_THAT(rows_of("colour,x\nred,1\nblue,2\n", with_words), ElementsAre(1, 0, 1, 2, 1, 0));
    EXPECT_THAT(rows_refused("colour,x\ngreen,1\n", with_words),
                HasSubstr("line 2: column “colour” is “green”, expected one of the words in the training data"));
}

TEST(InputRows, RejectUnknownInputs)
{
    EXPECT_THAT(rows_refused("x,z\n1,2\n"), HasSubstr("found no column \"y\""));
    EXPECT_THAT(rows_refused("x,y\n1,2\n1,much\n"),
                HasSubstr("line 3: column “y” is “much”, expected a finite number"));
    EXPECT_THAT(rows_refused("x,y\n1,inf\n"), HasSubstr("expected a finite number"));
    EXPECT_THAT(rows_refused("x,y\n1,1e60\n"), HasSubstr("expected a finite number"));
    EXPECT_THAT(rows_refused("x,y\n"), HasSubstr("found no rows, expected at least 1"));
}
