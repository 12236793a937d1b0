// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_words.h"

#include "study/fields.h"
#include "study/presets.h"

#include <gmock/gmock.h>

#include <algorithm>

using namespace credence;

namespace {

std::vector<Cell> row_of(const Table& table, const std::string& label)
{
    const auto found = std::find_if(table.rows.begin(), table.rows.end(),
                                    [&](const auto& row) { return row.front() == Cell(label); });
    return found == table.rows.end() ? std::vector<Cell>{} : *found;
}

}   // namespace

TEST(SettingsTable, NamesSettingsByTheirLabelsAndChoicesByTheirTitles)
{
    Study study          = preset("two_moons_mean_field");
    study.data.toy.noise = 0.44;
    const auto table     = settings_table(study);
    EXPECT_EQ(row_of(table, "Noise"), (std::vector<Cell>{"Noise", "0.44", "data units"}));
    EXPECT_EQ(row_of(table, "Posterior"),
              (std::vector<Cell>{"Posterior", shown_value(field("posterior.family"), study), ""}));
    EXPECT_NE(shown_value(field("posterior.family"), study), "mean_field");
    EXPECT_TRUE(row_of(table, "Name").empty());
}

TEST(SettingsTable, OmitsSettingsWithoutEffect)
{
    EXPECT_TRUE(row_of(settings_table(preset("two_moons_mean_field")), "Dropout rate").empty());
    EXPECT_FALSE(row_of(settings_table(preset("two_moons_bernoulli_dropout")), "Dropout rate").empty());
}

TEST(UnusualSettings, AreThoseThatDifferFromANewStudy)
{
    Study study;
    EXPECT_EQ(unusual_settings(study), "");
    study.data.toy.noise      = 0.44;
    study.training.batch_size = 7;
    study.seed                = 12;   // named by every caption
    EXPECT_EQ(unusual_settings(study), "Noise 0.44, Minibatch m 7");
}

TEST(UnusualSettings, NameTheTemperatureOfAChainThatIsNotOne)
{
    for (const char* family : {"sgld", "psgld", "sghmc", "cyclical_sgld", "sgfuncrld"}) {
        Study study            = preset("two_moons_mean_field");
        study.posterior.family = family;
        const Field& T         = field("posterior.temperature");
        EXPECT_THAT(unusual_settings(study), testing::Not(testing::HasSubstr(T.label))) << family;
        EXPECT_EQ(T.caution(study), "");
        set_field(study, "posterior.temperature=0.1");
        EXPECT_THAT(unusual_settings(study), testing::HasSubstr(T.label + " 0.1")) << family;
        EXPECT_EQ(T.caution(study), "A cold posterior: narrower than the true posterior.");
        set_field(study, "posterior.temperature=2");
        EXPECT_EQ(T.caution(study), "A warm posterior: wider than the true posterior.");
        set_field(study, "posterior.temperature=0");
        EXPECT_EQ(T.caution(study), "Without noise: an optimiser, not the posterior.");
    }
}

TEST(DifferingSettings, HaveAColumnForEachStudyAndNoRowForWhatIsTheSame)
{
    Study one = preset("two_moons_mean_field"), other = one;
    const std::vector<const Study*> both{&one, &other};
    const std::vector<std::string> names{"one", "other"};
    other.name = "another name";
    EXPECT_TRUE(differing_settings(both, names).rows.empty());
    other.data.toy.noise   = 0.44;
    other.posterior.family = "bernoulli_dropout";
    const auto table       = differing_settings(both, names);
    ASSERT_EQ(table.columns.size(), 3U);
    EXPECT_EQ(table.columns[2].name, "other");
    EXPECT_EQ(row_of(table, "Noise [data units]")[2], Cell("0.44"));
    EXPECT_NE(row_of(table, "Noise [data units]")[1], Cell("0.44"));
    EXPECT_EQ(row_of(table, "Posterior")[2], Cell(shown_value(field("posterior.family"), other)));
    EXPECT_EQ(row_of(table, "Dropout rate")[1], Cell(std::string())) << "it has no effect there";
    for (const auto& row : table.rows)
        EXPECT_NE(row.at(1), row.at(2)) << std::get<std::string>(row.front());
}
