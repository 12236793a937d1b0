// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "runs/archive.h"
#include "study/fields.h"
#include "study/presets.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <unistd.h>

namespace credence {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

template <class Action>
Error error_of(Action action)
{
    try {
        action();
    } catch (const Error& e) {
        return e;
    }
    return Error("(no error)");
}

std::filesystem::path scratch_folder()
{
    auto folder = std::filesystem::path(testing::TempDir()) / ("credence_study_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    return folder;
}

Study study_with(const std::string& assignment)
{
    Study study;
    set_field(study, assignment);
    return study;
}

TEST(StudyJson, RoundTripIsTheIdentityForEveryPreset)
{
    for (const auto& p : presets()) {
        EXPECT_TRUE(study_from_json(to_json(p.study)) == p.study) << p.id;
        EXPECT_TRUE(study_from_text(to_text(p.study), p.id) == p.study) << p.id;
        EXPECT_EQ(to_text(study_from_text(to_text(p.study), p.id)), to_text(p.study)) << p.id;
    }
}

TEST(StudyJson, ContainsTheVersionAndEveryField)
{
    const auto json = to_json(Study{});
    EXPECT_EQ(json.at("credence"), 1);
    for (const auto& f : study_fields())
        if (!f.written_if_used && !f.written_if_changed) {
            EXPECT_TRUE(f.group() == "study" ? json.contains(f.key()) : json.at(f.group()).contains(f.key())) << f.path;
        }
}

TEST(StudyJson, NoiseSettingsAreWrittenWhereTheyApplyOrDiffer)
{
    const auto network_of = [](const Study& study) { return to_json(study).at("network"); };
    EXPECT_TRUE(network_of(Study{}).contains("noise_sd"));
    EXPECT_FALSE(network_of(Study{}).contains("noise_scale"));
    EXPECT_FALSE(network_of(Study{}).contains("noise_degrees"));

    const Study changed = study_with("network.noise_degrees=5");
    EXPECT_FALSE(network_of(changed).contains("noise_scale"));
    EXPECT_EQ(network_of(changed).at("noise_degrees"), 5);

    Study used = preset("sine_gap");
    set_field(used, "network.noise=student_t");
    EXPECT_EQ(network_of(used).at("noise_scale"), 0.1);
    EXPECT_EQ(network_of(used).at("noise_degrees"), 4);
}

TEST(StudyJson, GuardsAndStartingSdAreWrittenOnlyWhereTheyChangeSomething)
{
    for (const char* family : {"layer_scale", "tridiagonal"}) {
        const auto json = to_json(study_with(std::string("posterior.family=") + family));
        EXPECT_FALSE(json.at("posterior").contains("guard_delta")) << family;
        EXPECT_FALSE(json.at("posterior").contains("guard_mean")) << family;
        EXPECT_FALSE(json.at("network").contains("initial_sd")) << family;
    }
    Study study = study_with("posterior.family=layer_scale");
    set_field(study, "posterior.guard_delta=-10");
    set_field(study, "network.initialisation=gaussian");
    const auto json = to_json(study);
    EXPECT_EQ(json.at("posterior").at("guard_delta"), -10);
    EXPECT_EQ(json.at("network").at("initial_sd"), std::vector<double>{0.01});
    EXPECT_TRUE(study_from_json(json) == study);
}

TEST(StudyJson, TextBeginsWithVersionAndNameAndEndsWithANewline)
{
    const auto text = to_text(Study{});
    EXPECT_THAT(text, StartsWith("{\n  \"credence\": 1,\n  \"name\": \"Two moons, mean field\",\n"));
    EXPECT_THAT(text, EndsWith("}\n"));
}

TEST(StudyJson, MissingKeysTakeTheirDefaults)
{
    EXPECT_TRUE(study_from_text("{}", "empty.json") == Study{});
    Study expected;
    expected.training.steps = 7;
    EXPECT_TRUE(study_from_text(R"({"credence": 1, "training": {"steps": 7}})", "old.json") == expected);
}

TEST(StudyJson, MissingNoiseIsTheDefaultOfTheProblem)
{
    EXPECT_EQ(study_from_text(R"({"data": {"kind": "cubic"}})", "c.json").data.toy.noise,
              default_noise(ToyKind::cubic));
    EXPECT_EQ(study_from_text(R"({"data": {"kind": "cubic", "noise": 1}})", "c.json").data.toy.noise, 1);
}

TEST(StudyJson, EachFieldMissingFromAnOlderFileTakesItsDefault)
{
    for (const auto& f : study_fields()) {
        auto json = to_json(Study{});
        if (f.group() == "study")
            json.erase(f.key());
        else
            json[f.group()].erase(f.key());
        EXPECT_TRUE(study_from_json(json) == Study{}) << f.path;
    }
}

TEST(StudyJson, DrawnPointsSurvive)
{
    Study study;
    study.data.source = DataSource::drawn;
    study.data.points = {{0.1, -2.5, 0}, {1e-3, 4, 3}};
    EXPECT_EQ(study_from_text(to_text(study), "drawn.json").data.points, study.data.points);
    EXPECT_THAT(error_of([] { study_from_text(R"({"data": {"points": [[1]]}})", "p.json"); }).what(),
                HasSubstr("data.points is [1], expected a list of points"));
    EXPECT_THAT(error_of([] { study_from_text(R"({"data": {"points": [[1, 2, -1]]}})", "p.json"); }).what(),
                HasSubstr("expected a label from 0 to 99"));
}

TEST(StudyJson, ListedTestPointsSurviveAndOtherStudiesAreWrittenWithoutThem)
{
    Study study;
    study.data.source = DataSource::drawn;
    study.data.points = {{0, 1, 0}, {2, 3, 1}};
    EXPECT_THAT(to_text(study), Not(HasSubstr("test_points")));
    for (const auto& tests : {std::vector<DrawnPoint>{}, {{0.5, -1, 1}}}) {
        study.data.test_points = tests;
        const Study read       = study_from_text(to_text(study), "drawn.json");
        EXPECT_EQ(read.data.test_points, tests);
        EXPECT_TRUE(read == study);
        Study unlisted            = study;
        unlisted.data.test_points = {};
        EXPECT_FALSE(read == unlisted);
    }
    EXPECT_THAT(error_of([] { study_from_text(R"({"data": {"test_points": [[1]]}})", "p.json"); }).what(),
                HasSubstr("data.test_points is [1], expected a list of points"));
    study.data.test_points = std::vector<DrawnPoint>{{0, 1e12, 0}};
    EXPECT_THAT(error_of([&] { check(study); }).what(), HasSubstr("data.test_points has the coordinate 1e+12"));
}

TEST(StudyJson, AnUnknownKeyIsNamedWithItsNeighbours)
{
    const Error e = error_of([] { study_from_text(R"({"training": {"learning_rte": 1}})", "two.json"); });
    EXPECT_THAT(e.what(),
                HasSubstr("two.json: unknown key \"training.learning_rte\"; did you mean training.learning_rate"));
    EXPECT_EQ(e.field(), "training.learning_rte");
    EXPECT_THAT(error_of([] { study_from_text(R"({"trainig": {}})", "two.json"); }).what(),
                HasSubstr("did you mean training"));
    EXPECT_THAT(error_of([] { study_from_text(R"({"learning_rate": 1})", "two.json"); }).what(),
                HasSubstr("did you mean training.learning_rate"));
}

TEST(StudyJson, AValueOfTheWrongKindIsNamedWithWhatWasFound)
{
    const Error e = error_of([] { study_from_text(R"({"training": {"learning_rate": "fast"}})", "two.json"); });
    EXPECT_STREQ(e.what(),
                 "two.json: training.learning_rate is \"fast\", expected a number greater than 0 and at most 1000.");
    EXPECT_EQ(e.field(), "training.learning_rate");
    EXPECT_THAT(error_of([] { study_from_text(R"({"network": {"hidden": [50, 2.5]}})", "n.json"); }).what(),
                HasSubstr("network.hidden is [50,2.5], expected whole numbers"));
    EXPECT_THAT(error_of([] { study_from_text(R"({"network": 3})", "n.json"); }).what(),
                HasSubstr("network is 3, expected an object"));
    EXPECT_THAT(error_of([] { study_from_text(R"({"seed": -1})", "n.json"); }).what(),
                HasSubstr("seed is -1, expected a whole number"));
}

TEST(StudyJson, EveryFieldRejectsAValueOfAnotherKind)
{
    for (const auto& f : study_fields()) {
        auto json                                                         = to_json(Study{});
        (f.group() == "study" ? json[f.key()] : json[f.group()][f.key()]) = nlohmann::json::object();
        const Error e                                                     = error_of([&] { study_from_json(json); });
        EXPECT_EQ(e.field(), f.path) << e.what();
        EXPECT_THAT(e.what(), HasSubstr("is {}, expected ")) << f.path;
    }
}

TEST(StudyJson, ANewerVersionIsRejected)
{
    EXPECT_THAT(error_of([] { study_from_text(R"({"credence": 2})", "new.json"); }).what(),
                HasSubstr("new.json: this Study has version 2, but this program reads version 1."));
}

TEST(StudyJson, ASettingIsReadUnderItsFormerNameAndWrittenUnderTheCurrentOne)
{
    const Study old = study_from_json(nlohmann::json::parse(R"({"posterior": {"warm_up": 77, "warmup": 88}})"));
    EXPECT_EQ(std::get<long>(field("posterior.start_steps").get(old)), 77);
    EXPECT_EQ(std::get<long>(field("posterior.warmup").get(old)), 88);
    EXPECT_FALSE(to_json(old).at("posterior").contains("warm_up"));
    EXPECT_THAT(error_of([] {
                    study_from_json(nlohmann::json::parse(R"({"posterior": {"warm_up": 1, "start_steps": 2}})"));
                }).what(),
                HasSubstr("posterior.warm_up"))
        << "both names at once";
}

TEST(StudyJson, AFormerNameGivesTheCurrentNameAndSimilarOnes)
{
    Study study;
    const auto error = error_of([&] { set_field(study, "posterior.warm_up=2000"); });
    EXPECT_EQ(error.field(), "posterior.start_steps");
    EXPECT_STREQ(
        error.what(),
        "posterior.warm_up is now called posterior.start_steps. It is the number of Adam steps to the trained network "
        "from which a chain starts; the warm-up of NUTS and HMC is posterior.warmup.");
    EXPECT_EQ(study, Study());
}

TEST(StudyJson, TextThatIsNotJsonIsRejectedWithItsLine)
{
    EXPECT_STREQ(error_of([] { study_from_text("{\n\"name\": \"a\"\n\"note\": 1}", "bad.json"); }).what(),
                 "bad.json, line 3: found text that is not JSON, expected a Study.");
    EXPECT_THAT(error_of([] { study_from_text("[1]", "list.json"); }).what(),
                HasSubstr("list.json: found [1], expected a Study"));
    EXPECT_STREQ(error_of([] { study_from_text("", "empty.json"); }).what(),
                 "empty.json: found no text, expected a Study.");
}

TEST(StudyFile, SavesAndLoads)
{
    const auto file = scratch_folder() / "study.json";
    Study study     = study_with("seed=12");
    save_study(study, file);
    EXPECT_TRUE(load_study(file) == study);
    EXPECT_THAT(error_of([&] { load_study(file.parent_path() / "none.json"); }).what(),
                HasSubstr("none.json: the file cannot be read"));
    EXPECT_THAT(error_of([&] { load_study(file.parent_path()); }).what(), HasSubstr("the file cannot be read"));
}

TEST(StudyFile, ArbitraryTextIsRejected)
{
    const std::string deep = "{\"name\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
    EXPECT_THAT(error_of([&] { study_from_text(deep, "deep.json"); }).what(),
                HasSubstr("deep.json, line 1: found lists or objects nested more than 64 deep"));
    EXPECT_STREQ(error_of([] { study_from_text(R"({"training": {"learning_rate": 1e999}})", "a.json"); }).what(),
                 "a.json, line 1: found the number 1e999, expected one of at most 1.8e308.");
    const std::string key = error_of([] {
                                study_from_text("{\"" + std::string(1'000'000, 'k') + "\\nkey\": 1}", "a.json");
                            }).what();
    EXPECT_THAT(key, AllOf(testing::StartsWith("a.json: unknown key \"kkk"), testing::EndsWith("k key\".")));
    EXPECT_LT(key.size(), 150u);
    EXPECT_THAT(error_of([] { load_study("/dev/zero"); }).what(),
                HasSubstr("/dev/zero: the file cannot be read (it is a device)"));
}

TEST(StudyFile, ADataFileIsFoundNextToTheStudyAndSavedWithAnAbsolutePath)
{
    const auto folder = scratch_folder();
    std::ofstream(folder / "relative.json") << R"({"data": {"source": "csv", "file": "sub/table.csv"}})";
    const Study study = load_study(folder / "relative.json");
    EXPECT_EQ(study.data.file, (folder / "sub/table.csv").string());
    save_study(study, folder / "absolute.json");
    EXPECT_TRUE(load_study(folder / "absolute.json") == study);
}

TEST(StudyFile, AFileOfTestRowsIsFoundNextToTheStudy)
{
    const auto folder = scratch_folder();
    std::ofstream(folder / "split.json") << R"({"split": {"kind": "file", "test_rows": "index_test_7.txt"}})";
    EXPECT_EQ(load_study(folder / "split.json").split.test_rows, (folder / "index_test_7.txt").string());
}

TEST(StudyJson, NewSettingsOfTheSplitAreWrittenOnlyIfChanged)
{
    const auto split_of = [](const Study& study) { return to_json(study).at("split"); };
    for (const char* key : {"kind", "column", "folds", "fold", "test_rows", "calibration_fraction"})
        EXPECT_FALSE(split_of(Study{}).contains(key)) << key;
    const Study folds = study_with("split.kind=folds");
    EXPECT_EQ(split_of(folds).at("kind"), "folds");
    EXPECT_TRUE(study_from_json(to_json(folds)) == folds);
    Study table;
    table.data.source = DataSource::csv;
    EXPECT_FALSE(to_json(table).at("data").contains("missing"));
    table.data.csv.missing    = MissingValues::impute;
    table.data.csv.categories = {"code", "a, b"};
    EXPECT_EQ(to_json(table).at("data").at("missing"), "impute");
    EXPECT_TRUE(study_from_json(to_json(table)) == table);
}

TEST(SetField, ReadsPathAndValue)
{
    EXPECT_EQ(study_with("training.learning_rate=0.25").training.schedule.learning_rate, 0.25);
    EXPECT_EQ(study_with("seed=7").seed, 7u);
    EXPECT_EQ(study_with("network.hidden=3,4").network.hidden, (std::vector<int>{3, 4}));
    EXPECT_EQ(study_with("note=a = b").note, "a = b");
}

TEST(SetField, RejectsInvalidAssignments)
{
    EXPECT_THAT(error_of([] { study_with("seed"); }).what(),
                HasSubstr("found \"seed\", expected a setting and its value"));
    EXPECT_THAT(error_of([] { study_with("=3"); }).what(), HasSubstr("expected a setting and its value"));
    EXPECT_THAT(error_of([] { study_with("sed=3"); }).what(), HasSubstr("did you mean seed"));
}

TEST(CheckStudy, AcceptsTheDefaultAndEveryPreset)
{
    EXPECT_NO_THROW(check(Study{}));
    for (const auto& p : presets())
        EXPECT_NO_THROW(check(p.study)) << p.id;
}

TEST(CheckStudy, AMixtureNeedsTheSampledKl)
{
    Study study   = study_with("prior.kind=scale_mixture");
    const Error e = error_of([&] { check(study); });
    EXPECT_EQ(e.field(), "training.complexity");
    EXPECT_THAT(e.what(), HasSubstr("no closed form"));
    set_field(study, "training.complexity=sampled");
    EXPECT_NO_THROW(check(study));
    set_field(study, "prior.sigma_narrow=2");
    EXPECT_EQ(error_of([&] { check(study); }).field(), "prior.sigma_narrow");
}

TEST(CheckStudy, AMixtureCanBeThePriorOfEveryFamilyWithAPrior)
{
    for (const char* family : {"mean_field", "layer_scale", "tridiagonal", "sgfuncrld", "sgld"}) {
        Study study = study_with("prior.kind=scale_mixture");
        set_field(study, std::string("posterior.family=") + family);
        set_field(study, "training.complexity=sampled");
        EXPECT_NO_THROW(check(study)) << family;
    }
}

TEST(CheckStudy, RejectsMoreNumbersThanLayers)
{
    EXPECT_NO_THROW(check(study_with("training.layer_l2=0.1,0,1")));   // two hidden layers and the last one
    const Error e = error_of([] { check(study_with("training.layer_l2=0.1,0,1,1")); });
    EXPECT_EQ(e.field(), "training.layer_l2");
    EXPECT_STREQ(e.what(), "training.layer_l2 has 4 numbers, expected at most 3: one for each layer.");

    Study study = study_with("network.initialisation=gaussian");
    set_field(study, "network.initial_sd=0.1,0.1,0.1,0.1");
    const Error sd = error_of([&] { check(study); });
    EXPECT_EQ(sd.field(), "network.initial_sd");
    EXPECT_STREQ(sd.what(), "network.initial_sd has 4 numbers, expected 1 to 3: one for each layer.");
}

TEST(CheckStudy, RejectsInconsistentSettings)
{
    EXPECT_EQ(error_of([] { check(study_with("data.source=csv")); }).field(), "data.file");
    EXPECT_EQ(error_of([] { check(study_with("data.source=drawn")); }).field(), "data.points");
    EXPECT_EQ(error_of([] { check(study_with("prior.weight_sd=")); }).field(), "prior.weight_sd");
    Study study = study_with("posterior.family=tridiagonal");
    EXPECT_NO_THROW(check(study));
    set_field(study, "posterior.initial_tau=1,1,1,1,1,1,1");   // two hidden layers have six blocks
    EXPECT_EQ(error_of([&] { check(study); }).field(), "posterior.initial_tau");
    Study drawn       = study_with("data.source=drawn");
    drawn.data.points = {{0, 0, 1}, {1, 1, 1}};
    EXPECT_THAT(error_of([&] { check(drawn); }).what(), HasSubstr("points of one class only"));
    for (const double far : std::initializer_list<double>{1e38, -1e10, INFINITY, NAN}) {
        drawn.data.points = {{0, 0, 0}, {1, far, 1}};
        EXPECT_EQ(error_of([&] { check(drawn); }).field(), "data.points") << far;
    }
    drawn.data.points = {{0, 1e38, 0}, {1, 1, 1}};
    EXPECT_STREQ(error_of([&] { check(drawn); }).what(),
                 "data.points has the coordinate 1e+38, expected numbers from -1e9 to 1e9.");
}

TEST(CheckStudy, RejectsASplitThatTheDataDoNotHave)
{
    const auto sentence = [](std::initializer_list<const char*> assignments) -> std::string {
        Study study;
        for (const char* assignment : assignments)
            set_field(study, assignment);
        return error_of([&] { check(study); }).what();
    };
    EXPECT_THAT(sentence({"split.kind=groups"}), HasSubstr("split.kind is groups, but data.source is toy"));
    EXPECT_THAT(sentence({"data.source=csv", "data.file=a.csv", "split.kind=column"}),
                HasSubstr("split.column is empty"));
    EXPECT_THAT(sentence({"split.kind=folds", "split.column=patient"}), HasSubstr("which means independent rows"));
    EXPECT_THAT(sentence({"split.kind=file"}), HasSubstr("split.test_rows is empty"));
    EXPECT_THAT(sentence({"split.kind=folds", "split.folds=3", "split.fold=4"}), HasSubstr("split.fold is 4"));
    EXPECT_THAT(sentence({"data.source=csv", "data.file=a.csv", "data.ordered=low"}),
                HasSubstr("expected at least two categories"));
}

TEST(CheckStudy, RejectsTextsThatWouldFillEveryFileOfARun)
{
    Study study;
    study.name = std::string(1001, 'n');
    EXPECT_STREQ(error_of([&] { check(study); }).what(), "name has 1001 bytes, expected at most 1000.");
    study.name = std::string(1000, 'n');
    study.note = std::string(20001, 'n');
    EXPECT_STREQ(error_of([&] { check(study); }).what(), "note has 20001 bytes, expected at most 20000.");
    study.note.pop_back();
    EXPECT_NO_THROW(check(study));
}

TEST(CheckStudy, RejectsAnOutOfRangeValueWhateverItsSource)
{
    Study study;
    study.training.schedule.learning_rate = -1;
    EXPECT_EQ(error_of([&] { check(study); }).field(), "training.learning_rate");
}

}   // namespace
}   // namespace credence
