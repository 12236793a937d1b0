// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep.h"
#include "unit/sweeps/small_sweep.h"

#include <nlohmann/json.hpp>

namespace credence {
namespace {

using ::testing::HasSubstr;
using RangeText = nlohmann::ordered_json;

std::string list_of(const std::string& range, bool whole = false)
{
    return range_values(RangeText::parse(range), whole).dump();
}

TEST(ValueRange, HasBothEndsAndRoundStepsBetween)
{
    EXPECT_EQ(list_of(R"({"from": 100, "to": 500, "step": 100})", true), "[100,200,300,400,500]");
    EXPECT_EQ(list_of(R"({"from": 1, "to": 5})", true), "[1,2,3,4,5]");
    EXPECT_EQ(list_of(R"({"from": 0.1, "to": 0.5, "step": 0.1})"), "[0.1,0.2,0.3,0.4,0.5]");
    EXPECT_EQ(list_of(R"({"from": 0, "to": 1, "points": 5})"), "[0.0,0.25,0.5,0.75,1.0]");
    EXPECT_EQ(list_of(R"({"from": 3, "to": 3})", true), "[3]");
}

TEST(ValueRange, OfALogarithmicScaleHasEqualRatios)
{
    EXPECT_EQ(list_of(R"({"from": 1e-4, "to": 1, "points": 5, "scale": "log"})"), "[0.0001,0.001,0.01,0.1,1.0]");
    EXPECT_EQ(list_of(R"({"from": 10, "to": 1000, "points": 3, "scale": "log"})", true), "[10,100,1000]");
}

TEST(ValueRange, ReportsErrors)
{
    const auto refused = [](const std::string& range) { return sentence_thrown_by([&] { list_of(range); }); };
    EXPECT_EQ(refused(R"({"from": 1})"), R"(found the range {"from":1}, expected a number as "to".)");
    EXPECT_EQ(refused(R"({"from": 2, "to": 1})"),
              "the range is from 2 to 1, expected an end that is not below its start.");
    EXPECT_EQ(refused(R"({"from": 0, "to": 1, "step": 0.3})"),
              "the range from 0 to 1 in steps of 0.3 does not reach its end, expected steps that divide it.");
    EXPECT_THAT(refused(R"({"from": 0, "to": 1, "step": 0})"), HasSubstr("expected a number greater than 0."));
    EXPECT_THAT(refused(R"({"from": 0, "to": 1, "points": 3, "scale": "log"})"),
                HasSubstr("starts at 0, expected a number greater than 0."));
    EXPECT_THAT(refused(R"({"from": 1, "to": 2, "scale": "log"})"), HasSubstr("has no \"points\""));
    EXPECT_THAT(refused(R"({"from": 1, "to": 2, "scale": "cubic"})"),
                HasSubstr(R"("cubic", expected "log" or "linear")"));
    EXPECT_THAT(refused(R"({"from": 1, "to": 2, "points": 1})"), HasSubstr("expected a whole number from 2 to 10000."));
    EXPECT_THAT(refused(R"({"from": 1, "to": 2, "points": 3, "step": 1})"), HasSubstr("expected one of them."));
    EXPECT_THAT(refused(R"({"from": 0, "to": 1e9})"), HasSubstr("has too many values, expected at most 10000."));
    EXPECT_THAT(refused(R"({"from": 0, "too": 1})"), HasSubstr(R"(the key "too")"));
}

}   // namespace
}   // namespace credence
