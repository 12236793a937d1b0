// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/source.h"

#include "foundation/error.h"
#include "study/field_makers.h"
#include "study/names.h"

#include <gmock/gmock.h>

#include <set>

using namespace credence;

namespace {

class EverySource : public testing::TestWithParam<std::string> {
protected:
    const Source& it() const { return source(GetParam()); }
    Study study() const
    {
        Study study;
        study.data.source = GetParam();
        return study;
    }
};

std::vector<std::string> ids()
{
    std::vector<std::string> all;
    for (const Source& s : sources())
        all.push_back(s.id);
    return all;
}

}   // namespace

TEST_P(EverySource, HasSettingsThatAreFieldsOfTheStudyAndApply)
{
    for (const Field& own : it().fields) {
        EXPECT_EQ(own.group(), "data");
        EXPECT_EQ(field(own.path).applies(study()), own.applies(study())) << own.path;
        EXPECT_EQ(field(own.path).help, own.help) << own.path;   // a shared one is the same everywhere
    }
}

TEST_P(EverySource, GivesATableOrImages)
{
    EXPECT_NE(static_cast<bool>(it().load), static_cast<bool>(it().load_images));
    EXPECT_EQ(is_images(it().id), it().gives_images());
    EXPECT_FALSE(it().name(study().data).empty());
    if (it().gives_images()) {
        EXPECT_EQ(stated_task(study().data), Task::classification);
    }
}

TEST_P(EverySource, KeepsTheOrderOfItsSettings)
{
    std::size_t before = 0;
    for (const Field& own : it().fields) {
        const auto place = static_cast<std::size_t>(&field(own.path) - study_fields().data());
        EXPECT_GT(place, before) << own.path;
        before = place;
    }
}

INSTANTIATE_TEST_SUITE_P(All, EverySource, testing::ValuesIn(ids()), [](const auto& info) { return info.param; });

TEST(Sources, AreTheChoicesOfTheFieldInTheirOrder)
{
    std::set<std::string> seen;
    const auto& choices = field("data.source").choices;
    ASSERT_EQ(choices.size(), sources().size());
    for (std::size_t i = 0; i < choices.size(); ++i) {
        EXPECT_TRUE(seen.insert(sources()[i].id).second) << sources()[i].id;
        EXPECT_EQ(choices[i].name, sources()[i].id);
        EXPECT_EQ(choices[i].title, sources()[i].title);
        EXPECT_EQ(choices[i].help, sources()[i].hint);
    }
}

TEST(Sources, AnUnknownNameListsTheAvailableOnes)
{
    try {
        source("tape");
        FAIL() << "found a source tape";
    } catch (const Error& error) {
        EXPECT_EQ(error.field(), "data.source");
        std::string all;
        for (const Source& known : sources())
            all += (all.empty() ? "" : ", ") + known.id;
        EXPECT_THAT(error.what(), testing::StartsWith("data.source is \"tape\", expected one of " + all));
        EXPECT_THAT(all, testing::HasSubstr("toy"));
    }
}

TEST(Sources, OwnSettingsAreStoredInTheStudyAndHaveDefaults)
{
    const Field columns = field_makers::own(
        {.path = "data.columns_a_row", .label = "Columns", .help = "Of each row.", .min = 1, .max = 9}, 3L);
    Study study;
    EXPECT_EQ(std::get<long>(columns.get(study)), 3);
    columns.set(study, FieldValue{5L});
    EXPECT_EQ(std::get<long>(columns.get(study)), 5);
    EXPECT_TRUE(study.posterior.own.empty());
    EXPECT_FALSE(study.data == Study{}.data);
}
