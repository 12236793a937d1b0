// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <limits>

using namespace credence;

namespace {

constexpr double infinite   = std::numeric_limits<double>::infinity();
constexpr double nan_double = std::numeric_limits<double>::quiet_NaN();

}   // namespace

TEST(NumberText, HasADecimalPointInEveryLocale)
{
    EXPECT_EQ(number_text(0.25, 17), "0.25");
    EXPECT_EQ(display_text(541782.4, 3), "541782");
    EXPECT_EQ(display_text(-999.6, 3), "-1000");
    EXPECT_EQ(display_text(0.012345, 3), "0.0123");
    EXPECT_EQ(display_text(2.5e7, 3), "2.5e+07");
    EXPECT_EQ(shortest_text(0.1), "0.1");
    EXPECT_EQ(plain_text(0.1), "0.1");
    EXPECT_EQ(fixed_text(0.25, 3), "0.250");
    EXPECT_EQ(percent_text(0.99999), "99.999 %");
    EXPECT_EQ(percent_text(1 - 1e-12), "99.9999999999 %");
    EXPECT_EQ(percent_text(1), "100 %");
    EXPECT_EQ(number_from("0.002"), 0.002);
    EXPECT_EQ(rounded_number(49.3456, 3), 49.3);
}

TEST(NumberText, GroupsThousands)
{
    EXPECT_EQ(grouped_text(0), "0");
    EXPECT_EQ(grouped_text(999), "999");
    EXPECT_EQ(grouped_text(12400), "12,400");
    EXPECT_EQ(grouped_text(1234567), "1,234,567");
    EXPECT_EQ(grouped_text(-100), "-100");
    EXPECT_EQ(grouped_text(-1000), "-1,000");
}

TEST(NumberText, IsTestedInAGermanLocaleIfTheEnvironmentRequestsIt)
{
    if (!std::getenv("CREDENCE_TEST_GERMAN"))
        GTEST_SKIP() << "CREDENCE_TEST_GERMAN is not set, as it is for the tests labelled german";
    EXPECT_STREQ(std::localeconv()->decimal_point, ",");
    EXPECT_EQ(std::strtod("0.25", nullptr), 0) << "what the program must not use";
}

TEST(NumberText, RoundTripIsTheIdentity)
{
    std::uint64_t bits = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 1000; ++i) {
        bits               = bits * 6364136223846793005u + 1442695040888963407u;
        const double value = std::bit_cast<double>(bits);
        if (!(value - value == 0))
            continue;
        EXPECT_EQ(number_from(number_text(value, 17)), value);
        EXPECT_EQ(number_from(shortest_text(value)), value);
        EXPECT_EQ(number_from(plain_text(value)), value);
    }
}

TEST(NumberText, WholeNumbersArePlainInFull)
{
    EXPECT_EQ(plain_text(100000), "100000");
    EXPECT_EQ(plain_text(-3), "-3");
    EXPECT_EQ(plain_text(0), "0");
    EXPECT_EQ(plain_text(1 - 1e-9), "0.999999999");
    EXPECT_EQ(plain_text(1e300), "1e+300");
}

TEST(NumberText, NonFiniteNumbersHaveNames)
{
    for (const auto& text :
         {number_text(-nan_double, 17), shortest_text(nan_double), plain_text(nan_double), fixed_text(nan_double, 2)})
        EXPECT_EQ(text, "nan");
    for (const auto& text :
         {number_text(infinite, 17), shortest_text(infinite), plain_text(infinite), fixed_text(infinite, 2)})
        EXPECT_EQ(text, "inf");
    EXPECT_EQ(plain_text(-infinite), "-inf");
}

TEST(NumberText, OnlyACompleteTextIsANumber)
{
    EXPECT_EQ(number_from("+1e-3"), 1e-3);
    for (const char* text : {"", "+", "+-3", "0,25", "1 2", " 1", "1e", "1e999", "0x10"})
        EXPECT_EQ(number_from(text), std::nullopt) << text;
}
