// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/enum_names.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

enum class Shade { light, dark, hidden };
constexpr EnumNames<Shade, 2> shades{{{Shade::light, "light"}, {Shade::dark, "dark"}}};

TEST(EnumNames, FindEachValueByItsNameAndEachNameByItsValue)
{
    for (const auto& [value, name] : shades) {
        EXPECT_STREQ(shades.name_of(value), name);
        EXPECT_EQ(shades.find(name), value);
        EXPECT_EQ(shades.value_of(name, "The shade"), value);
    }
    EXPECT_STREQ(shades.name_of(Shade::hidden), "");
    EXPECT_EQ(shades.find(""), std::nullopt);
}

TEST(EnumNames, AreListedForAnUnknownName)
{
    EXPECT_THAT([] { shades.value_of("Dark", "The shade"); },
                testing::ThrowsMessage<Error>("The shade is \"Dark\", expected one of light, dark."));
}

}   // namespace
}   // namespace credence
