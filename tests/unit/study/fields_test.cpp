// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "study/fields.h"
#include "study/presets.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

namespace credence {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A value inside the field's range that is not its default.
FieldValue other_value(const Field& f)
{
    const FieldValue now = f.get(Study{});
    const auto inside    = [&](double x) {
        return (f.min_open ? x > f.min : x >= f.min) && (f.max_open ? x < f.max : x <= f.max);
    };
    const auto other = [&](double than) {
        for (const double candidate : {than + 1, than / 2, (f.min + f.max) / 2, 0.25, 1.0, 0.0, 7.0})
            if (candidate != than && inside(candidate))
                return candidate;
        return than;
    };
    if (const auto* flag = std::get_if<bool>(&now))
        return !*flag;
    if (const auto* whole = std::get_if<long>(&now))
        return static_cast<long>(*whole + 1 <= f.max ? *whole + 1 : *whole - 1);
    if (const auto* number = std::get_if<double>(&now))
        return other(*number);
    if (std::holds_alternative<std::vector<long>>(now))
        return std::vector<long>{3, 20, 100};
    if (std::holds_alternative<std::vector<double>>(now))
        return std::vector<double>{0.25, 0.125, 0.4375};
    if (!f.choices.empty())
        return f.choices.back().name == std::get<std::string>(now) ? f.choices.front().name : f.choices.back().name;
    return std::string("one, two");
}

TEST(Fields, PathsAreUniqueAndInTheKnownGroups)
{
    const std::set<std::string> groups{"study",     "data",  "split",    "network",
                                       "posterior", "prior", "training", "prediction"};
    std::set<std::string> paths;
    for (const auto& f : study_fields()) {
        EXPECT_TRUE(paths.insert(f.path).second) << f.path;
        EXPECT_TRUE(groups.contains(f.group())) << f.path;
        EXPECT_EQ(f.path, f.group() == "study" ? f.key() : f.group() + "." + f.key());
        EXPECT_EQ(&field(f.path), &f);
    }
}

TEST(Fields, EachHasALabelAHelpInWholeSentencesAndHelpForItsChoices)
{
    for (const auto& f : study_fields()) {
        EXPECT_THAT(f.label, Not(IsEmpty())) << f.path;
        EXPECT_GT(f.help.size(), 30u) << f.path;
        EXPECT_TRUE(f.help.ends_with('.') || f.help.ends_with(')')) << f.path << ": " << f.help;
        EXPECT_TRUE(f.applies) << f.path;
        for (const auto& c : f.choices) {
            EXPECT_THAT(c.title, Not(IsEmpty())) << f.path;
            EXPECT_TRUE(c.help.ends_with('.')) << f.path << ": " << c.help;
        }
    }
}

TEST(Fields, ASetValueIsReadBack)
{
    for (const auto& f : study_fields()) {
        Study study;
        const FieldValue value = other_value(f);
        ASSERT_NE(value, f.get(study)) << f.path;
        ASSERT_EQ(value.index(), f.get(study).index()) << f.path;
        f.set(study, value);
        EXPECT_EQ(f.get(study), value) << f.path << ": " << value_text(f.get(study));
    }
}

TEST(Fields, SettingOneLeavesAllOthersUnchanged)
{
    for (const auto& f : study_fields()) {
        Study study;
        f.set(study, other_value(f));
        for (const auto& g : study_fields())
            if (&f != &g) {
                EXPECT_EQ(g.get(study), g.get(Study{})) << "setting " << f.path << " changed " << g.path;
            }
    }
}

TEST(Fields, TextRoundTripIsTheIdentity)
{
    for (const auto& f : study_fields())
        for (const auto& value : {f.get(Study{}), other_value(f)})
            EXPECT_EQ(parse_value(f, value_text(value)), value) << f.path << ": " << value_text(value);
}

TEST(Fields, EveryChoiceCanBeSetAndAnUnknownOneIsRejectedWithTheList)
{
    for (const auto& f : study_fields()) {
        if (f.choices.empty())
            continue;
        for (const auto& c : f.choices) {
            Study study;
            f.set(study, FieldValue{c.name});
            EXPECT_EQ(std::get<std::string>(f.get(study)), c.name) << f.path;
        }
        Study study;
        const auto sentence = sentence_of_error([&] { f.set(study, FieldValue{std::string("nonsense")}); });
        EXPECT_THAT(sentence, HasSubstr(f.path + " is \"nonsense\", expected one of " + f.choices.front().name));
        EXPECT_THAT(sentence, HasSubstr(f.choices.back().name));
    }
}

TEST(Fields, ChoicesSuitATaskIfAndOnlyIfAStudyOfItAcceptsThem)
{
    for (const auto kind : {ToyKind::two_moons, ToyKind::cubic})
        for (const char* path : {"prediction.conformal", "prediction.conformal_by", "prediction.recalibration"})
            for (const auto& choice : field(path).choices) {
                Study study;
                study.data.toy.kind              = kind;
                study.split.calibration_fraction = 0.2;
                if (field(path).key() == "conformal_by") {
                    set_field(study, kind == ToyKind::cubic ? "prediction.conformal=cqr" : "prediction.conformal=thr");
                    set_field(study, "prediction.conformal_column=x");
                }
                field(path).set(study, FieldValue{choice.name});
                EXPECT_EQ(sentence_of_error([&] { check(study); }) == "", suits(choice, study))
                    << path << "=" << choice.name << ", " << sentence_of_error([&] { check(study); });
            }
}

TEST(Fields, NumbersOutsideTheRangeAreRejectedAndChangeNothing)
{
    int refused = 0;
    for (const auto& f : study_fields()) {
        const FieldValue kind = f.get(Study{});
        std::vector<double> wrong;
        if (std::isfinite(f.min))
            wrong.push_back(f.min_open ? f.min : f.min - 1);
        if (std::isfinite(f.max))
            wrong.push_back(f.max_open ? f.max : f.max + 2);
        for (const double x : wrong) {
            FieldValue value;
            if (std::holds_alternative<long>(kind))
                value = static_cast<long>(x);
            else if (std::holds_alternative<double>(kind))
                value = x;
            else if (std::holds_alternative<std::vector<long>>(kind))
                value = std::vector<long>{static_cast<long>(x)};
            else
                value = std::vector<double>{x};
            Study study;
            const auto sentence = sentence_of_error([&] { f.set(study, value); });
            EXPECT_THAT(sentence, HasSubstr(f.path + " is ")) << value_text(value);
            EXPECT_THAT(sentence, HasSubstr(", expected ")) << f.path;
            EXPECT_EQ(f.get(study), kind) << f.path;
            ++refused;
        }
    }
    EXPECT_GT(refused, 40);
}

TEST(Fields, NotANumberIsRejected)
{
    Study study;
    EXPECT_THAT(sentence_of_error([&] { field("training.learning_rate").set(study, FieldValue{std::nan("")}); }),
                HasSubstr("expected a number greater than 0 and at most 1000."));
}

TEST(Fields, InvalidTextIsRejectedWithFoundAndExpected)
{
    EXPECT_EQ(sentence_of_error([] { parse_value(field("training.learning_rate"), "fast"); }),
              "training.learning_rate is \"fast\", expected a number greater than 0 and at most 1000.");
    EXPECT_EQ(sentence_of_error([] { parse_value(field("training.steps"), "2.5"); }),
              "training.steps is \"2.5\", expected a whole number from 1 to 1000000000.");
    EXPECT_EQ(sentence_of_error([] { parse_value(field("network.hidden"), "50, many"); }),
              "network.hidden is \"50, many\", expected whole numbers from 1 to 10000, separated by commas.");
    EXPECT_EQ(sentence_of_error([] { parse_value(field("split.standardise_inputs"), "perhaps"); }),
              "split.standardise_inputs is \"perhaps\", expected true or false.");
}

TEST(Fields, ADecimalCommaIsRejectedWithTheCorrectNotation)
{
    EXPECT_EQ(sentence_of_error([] { parse_value(field("training.learning_rate"), "0,25"); }),
              "training.learning_rate is \"0,25\", expected a number greater than 0 and at most 1000 with a decimal "
              "point, as 0.25.");
    EXPECT_EQ(sentence_of_error([] { parse_value(field("training.learning_rate"), "0,2,5"); }),
              "training.learning_rate is \"0,2,5\", expected a number greater than 0 and at most 1000.");
    EXPECT_EQ(parse_value(field("prior.weight_mean"), "0,25"), (FieldValue{std::vector<double>{0, 25}}))
        << "commas separate the numbers of a list";
}

TEST(Fields, ErrorsForTheWindowUseTheLabelOfTheSetting)
{
    EXPECT_EQ(with_labels("network.hidden makes a net of 7 weights."), "Hidden layers makes a net of 7 weights.");
    EXPECT_EQ(with_labels("prior.sigma_narrow is 2, expected less than prior.sigma_wide."),
              field("prior.sigma_narrow").label + " is 2, expected less than " + field("prior.sigma_wide").label + ".");
    EXPECT_EQ(with_labels("a.csv, line 3: \"name\" is 0.5, see notes.txt."),
              "a.csv, line 3: \"name\" is 0.5, see notes.txt.");
    for (const auto& f : study_fields()) {
        if (f.path.find('.') != std::string::npos) {
            EXPECT_EQ(with_labels(f.path + " is 3."), f.label + " is 3.");
        }
    }
}

TEST(Fields, ChangesIncludeThePathOfTheSetting)
{
    Study a, b;
    b.training.steps = 7;
    b.data.points.push_back({1, 2, 0});
    const auto changes = changes_between(a, b);
    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(changes[0].path, "training.steps");
    EXPECT_EQ(changes[0].text(), differences(a, b)[0]);
    EXPECT_EQ(changes[1].path, "points");
}

TEST(Fields, AnotherShareOrSeedSplitsAllPointsAgain)
{
    for (const char* assignment : {"split.seed=1", "split.seed=9", "split.test_fraction=0.2"}) {
        Study study;
        study.data.source      = DataSource::drawn;
        study.data.points      = {{0, 0, 0}, {1, 1, 1}};
        study.data.test_points = std::vector<DrawnPoint>{{2, 2, 1}};
        Study before           = study;
        set_field(study, assignment);
        EXPECT_EQ(study.data.test_points, std::nullopt) << assignment;
        EXPECT_THAT(study.data.points, ElementsAre(DrawnPoint{0, 0, 0}, DrawnPoint{1, 1, 1}, DrawnPoint{2, 2, 1}));
        EXPECT_EQ(changes_between(before, study).back().text(), "Points: 2 training, 1 test → 3");
        set_field(before, "training.steps=7");
        EXPECT_TRUE(before.data.test_points.has_value());
    }
}

TEST(Fields, TextIsParsedLeniently)
{
    EXPECT_EQ(parse_value(field("training.steps"), "1e4"), FieldValue{10000L});
    EXPECT_EQ(parse_value(field("network.hidden"), "[50,50]"), (FieldValue{std::vector<long>{50, 50}}));
    EXPECT_EQ(parse_value(field("network.hidden"), ""), (FieldValue{std::vector<long>{}}));
    EXPECT_EQ(parse_value(field("prior.weight_sd"), " 1 ; .5 "), (FieldValue{std::vector<double>{1, 0.5}}));
    EXPECT_EQ(parse_value(field("split.standardise_inputs"), "off"), FieldValue{false});
    EXPECT_EQ(parse_value(field("posterior.family"), " tridiagonal "), FieldValue{std::string("tridiagonal")});
}

TEST(Fields, ColumnNamesCanContainCommasAndQuotes)
{
    Study study;
    study.data.csv.columns = {"cap shape", "width, mm", "the \"best\" one", "7"};
    const auto text        = field("data.columns").get(study);
    Study copy;
    field("data.columns").set(copy, text);
    EXPECT_EQ(copy.data.csv.columns, study.data.csv.columns) << value_text(text);
}

TEST(Fields, AnUnknownPathNamesItsNeighbours)
{
    EXPECT_THAT(sentence_of_error([] { field("training.learning_rte"); }),
                HasSubstr("did you mean training.learning_rate"));
    EXPECT_THAT(sentence_of_error([] { field("learning_rate"); }), HasSubstr("did you mean training.learning_rate"));
    EXPECT_EQ(sentence_of_error([] { field("zzzzzzzz"); }), "There is no setting \"zzzzzzzz\".");
}

TEST(Fields, DifferencesNameWhatChangedByItsLabel)
{
    Study a, b;
    EXPECT_THAT(differences(a, b), IsEmpty());
    b.training.schedule.learning_rate = 0.05;
    b.posterior.family                = "tridiagonal";
    EXPECT_THAT(differences(a, b),
                ElementsAre("Posterior: Mean field (Bayes by Backprop) → τ and correlation ρ per block",
                            "Learning rate η: 0.001 → 0.05"));
    b = a;
    b.data.points.push_back({1, 2, 0});
    EXPECT_THAT(differences(a, b), ElementsAre("Points: 0 → 1"));
}

TEST(Fields, DifferencesLeaveOutNameAndNote)
{
    Study a, b;
    b.name = "Another";
    b.note = "Another note.";
    EXPECT_THAT(differences(a, b), IsEmpty());
    b.seed = 2;
    EXPECT_THAT(differences(a, b), ElementsAre("Seed: 1 → 2"));
}

TEST(Fields, OnlySettingsWithAnEffectApply)
{
    Study study;
    study.posterior.family = "point_estimate";
    EXPECT_TRUE(field("training.l2").applies(study));
    EXPECT_FALSE(field("prior.weight_sd").applies(study));
    EXPECT_FALSE(field("posterior.initial_tau").applies(study));
    EXPECT_FALSE(field("training.error_draws").applies(study));
    set_field(study, "training.layer_l2=0.1");
    EXPECT_FALSE(field("training.l2").applies(study)) << "the list replaces it";
    EXPECT_TRUE(field("network.input_dropout").applies(study));
    study.posterior.family = "tridiagonal";
    EXPECT_FALSE(field("training.l2").applies(study));
    EXPECT_FALSE(field("training.layer_l2").applies(study));
    EXPECT_TRUE(field("training.error_draws").applies(study));
    EXPECT_TRUE(field("prior.weight_sd").applies(study));
    EXPECT_TRUE(field("posterior.initial_rho").applies(study));
    EXPECT_FALSE(field("network.noise_sd").applies(study));
    study.data.toy.kind = ToyKind::cubic;
    EXPECT_TRUE(field("network.noise_sd").applies(study));
    EXPECT_FALSE(field("network.noise_scale").applies(study));
    set_field(study, "network.noise=student_t");
    EXPECT_FALSE(field("network.noise_sd").applies(study));
    EXPECT_TRUE(field("network.noise_scale").applies(study));
    EXPECT_TRUE(field("network.noise_degrees").applies(study));
    EXPECT_THROW(set_field(study, "network.noise_degrees=2"), Error);
}

}   // namespace
}   // namespace credence
