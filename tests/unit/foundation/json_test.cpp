// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/json.h"
#include "foundation/text.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace {

using namespace credence;
using testing::HasSubstr;

std::string refusal(const std::string& text)
{
    return sentence_of_error([&] { parse_json(text, "a.json", "a study"); });
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(JsonText, ReadsJson)
{
    EXPECT_EQ(parse_json(R"({"a": [1, "]]{\"", 2.5e3]})", "a.json", "a study").at("a").at(2), 2500);
    EXPECT_EQ(parse_json<nlohmann::ordered_json>(R"({"z": 1, "a": 2})", "a.json", "a study").begin().key(), "z");
}

TEST(JsonText, InvalidJsonIsRejectedWithItsLine)
{
    EXPECT_EQ(refusal("{\n\n oops"), "a.json, line 3: found text that is not JSON, expected a study.");
    EXPECT_EQ(refusal(" \n"), "a.json: found no text, expected a study.");
    EXPECT_EQ(refusal("{\"a\": \"\xff\"}"), "a.json, line 1: found text that is not JSON, expected a study.");
    EXPECT_EQ(refusal("\"\\"), "a.json, line 1: found text that is not JSON, expected a study.");
}

TEST(JsonText, AKeyThatOccursTwiceInOneObjectIsReportedWithItsPath)
{
    EXPECT_EQ(refusal(R"({"training": {"steps": 5, "rate": 1, "steps": 7}})"),
              "a.json: found the key “training.steps” twice, expected it once.");
    EXPECT_EQ(refusal(R"({"training": {"steps": 5}, "training": {}})"),
              "a.json: found the key “training” twice, expected it once.");
    EXPECT_EQ(refusal(R"({"a": [{"x": 1}, {"x": 2}], "x": {"x": 3, "a": "x"}})"), "");
}

TEST(JsonText, NestingIsLimited)
{
    EXPECT_EQ(refusal(nested(64)), "");
    EXPECT_EQ(refusal("\n" + nested(65)),
              "a.json, line 2: found lists or objects nested more than 64 deep, expected a study.");
    EXPECT_THAT(refusal("{\"name\":" + nested(100'000) + "}"), HasSubstr("nested more than 64 deep"));
    EXPECT_THAT(refusal(std::string(1'000'000, '[')), HasSubstr("nested more than 64 deep"));
    EXPECT_EQ(refusal("\"" + std::string(1000, '[') + "\""),
              "");   // brackets in a string do not nest
}

TEST(JsonText, ANumberBeyondDoubleIsReported)
{
    EXPECT_EQ(refusal("{\"rate\":\n 1e999}"),
              "a.json, line 2: found the number 1e999, expected one of at most 1.8e308.");
    EXPECT_EQ(refusal("[1, 2.5e-400, -3, \"7e999\", -1e5000]"),
              "a.json, line 1: found the number -1e5000, expected one of at most 1.8e308.");
    EXPECT_LT(refusal("[" + std::string(400, '9') + "]").size(), 130u);
    EXPECT_EQ(parse_json("[1e-999]", "a.json", "a study").at(0), 0.0);
}

TEST(OneLine, HasNoLineBreakAndABoundedLength)
{
    EXPECT_EQ(one_line("a\nb\r\tc", 100), "a b  c");
    EXPECT_EQ(one_line("abcdefghij", 6), "abcd … ij");
    EXPECT_EQ(one_line("ééééé", 6), "éé … é");   // characters stay whole
    EXPECT_LT(std::string(Error("unknown key \"" + std::string(1'000'000, 'k') + "\".").what()).size(), 4100u);
    EXPECT_STREQ(Error("field", "found a\nb.").what(), "found a b.");
}

}   // namespace
