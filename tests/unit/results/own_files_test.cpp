// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/own_files.h"

#include "charts/figure_files.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "runs/archive.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <unistd.h>

namespace credence {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

struct OwnFiles : ::testing::Test {
    OwnFiles() { fs::create_directories(folder); }
    ~OwnFiles() override { fs::remove_all(folder); }

    std::string refusal(const WantedFiles& wanted, bool overwrite = false, const fs::path& study = {}) const
    {
        return sentence_of_error([&] { require_own_files(folder, wanted, overwrite, study); });
    }

    fs::path folder = fs::path(::testing::TempDir()) / ("credence_own_files_" + std::to_string(::getpid()));
};

TEST_F(OwnFiles, AnEmptyFolderAndOneWithOtherFilesAreAccepted)
{
    EXPECT_EQ(refusal(files_of_run), "");
    write_whole(folder / "notes.txt", "mine");
    EXPECT_EQ(refusal(files_of_run), "");
    require_own_files(folder / "missing", files_of_run, false);
}

TEST_F(OwnFiles, FilesOfTheUserWithOurNamesAreReplacedOnlyWithOverwrite)
{
    for (const char* name : {"results.json", "run.credence", "outputs.npz", "weights.npz", "study.json"}) {
        write_whole(folder / name, "{\"mine\": 1}");
        EXPECT_THAT(refusal(files_of_run),
                    AllOf(HasSubstr((folder / name).string() + ": Credence did not write this file"),
                          HasSubstr("--overwrite")));
        EXPECT_EQ(refusal(files_of_run, true), "");
        fs::remove(folder / name);
    }
    write_whole(folder / "cells.csv", "a,b\n");
    EXPECT_THAT(refusal(files_of_sweep), HasSubstr("cells.csv: Credence did not write this file"));
    fs::create_directories(folder / "cells");
    EXPECT_EQ(refusal(files_of_sweep), "") << "a sweep ran here";
}

TEST_F(OwnFiles, FilesWrittenByCredenceAreReplacedSilently)
{
    write_whole(folder / "results.json", "{\"credence\": 1}");
    write_whole(folder / "outputs.npz", "numbers");
    SavedRun run;
    run.name = "kept";
    save_run(run, folder / "run.credence");
    EXPECT_EQ(refusal(files_of_run), "");
    write_whole(folder / "run.credence", "a database of somebody else");
    EXPECT_THAT(refusal(files_of_run), HasSubstr("run.credence: Credence did not write this file"));
}

TEST_F(OwnFiles, ResultsOfImageRunsAreReplacedThoughTheyDescribeTheirNetwork)
{
    write_whole(folder / "results.json", R"({"credence": 1, "stop": "cancelled", "network": {"weights": 7}})");
    EXPECT_EQ(refusal(files_of_run), "");
}

TEST_F(OwnFiles, TablesOfActiveLearningAreOwnIfBothExist)
{
    write_whole(folder / "queries.csv", "questions of a survey");
    EXPECT_THAT(refusal(files_of_active), HasSubstr("queries.csv: Credence did not write this file"));
    write_whole(folder / "labelling.csv", "round");
    EXPECT_EQ(refusal(files_of_active), "");
}

TEST_F(OwnFiles, TheStudyFileCanBeInTheOutputFolder)
{
    write_whole(folder / "study.json", "{}");
    EXPECT_EQ(refusal(files_of_run, false, folder / "study.json"), "");
    EXPECT_THAT(refusal(files_of_run, false, folder / "other.json"), HasSubstr("study.json"));
}

TEST_F(OwnFiles, TablesAndFiguresOfTheUserAreReplacedOnlyWithOverwrite)
{
    for (const char* name : {"data/scores.csv", "data/layers_table.csv", "figures/slice.pdf"}) {
        fs::create_directories((folder / name).parent_path());
        write_whole(folder / name, "a,b\n1,2\n");
        EXPECT_THAT(refusal(files_of_run), HasSubstr(std::string(name) + ": Credence did not write this file"));
        EXPECT_EQ(refusal(files_of_run, true), "");
        fs::remove(folder / name);
    }
    write_whole(folder / "data" / "rows.csv", "a,b\n");   // not a name of ours
    EXPECT_EQ(refusal(files_of_run), "");
    for (const char* name : {"alpha.npy", "top_k.csv"}) {
        write_whole(folder / name, "mine");
        EXPECT_THAT(refusal(files_of_bridge), HasSubstr(name));
        fs::remove(folder / name);
    }
    write_whole(folder / "distances.csv", "a,b\n");
    EXPECT_THAT(refusal(files_of_comparison), HasSubstr("distances.csv"));
    write_whole(folder / "distances.csv", "# credence-study begin\n# {}\n");
    EXPECT_EQ(refusal(files_of_comparison), "");
    write_whole(folder / "states.csv", "Bayern,Hessen\n");
    EXPECT_THAT(refusal(files_of_double_well), HasSubstr("states.csv"));
}

TEST_F(OwnFiles, FiguresOfCommandsReplaceOnlyFiguresOfCredence)
{
    const std::vector<std::pair<const WantedFiles*, const char*>> figures{
        {&files_of_comparison, "compare_truth.pdf"},
        {&files_of_bandit, "bandit_regret.png"},
        {&files_of_active, "active_learning.svg"},
        {&files_of_double_well, "double_well_seeds.svg"},
        {&files_of_bridge_against_sampling, "bridge_against_sampling.pdf"}};
    for (const auto& [wanted, name] : figures) {
        write_whole(folder / name, "my figure");
        EXPECT_THAT(refusal(*wanted), HasSubstr(std::string(name) + ": Credence did not write this file"));
        EXPECT_EQ(refusal(*wanted, true), "");
        write_whole(folder / name, "%PDF-1.4 <xmp:CreatorTool>Credence 0.1.0");
        EXPECT_EQ(refusal(*wanted), "") << name;
        fs::remove(folder / name);
    }
}

TEST_F(OwnFiles, TablesNextToAFigureBelongToItOrToAFolderOfCredence)
{
    const auto refused_of = [&](const WantedFiles& wanted, const std::string& name) {
        write_whole(folder / name, "my table");
        const auto sentence = refusal(wanted);
        EXPECT_THAT(sentence, ::testing::AnyOf("", HasSubstr(name + ": Credence did not write this file")));
        return !sentence.empty();
    };
    for (const char* name : {"active_learning.csv", "active_learning_map_bald.tex", "active_learning_map_random.csv"}) {
        EXPECT_TRUE(refused_of(files_of_active, name)) << name;
        const auto picture = (folder / name).replace_extension(".pdf");
        write_whole(picture, "%PDF-1.4 <xmp:CreatorTool>Credence 0.1.0");
        EXPECT_FALSE(refused_of(files_of_active, name)) << name;
        fs::remove(picture);
        fs::remove(folder / name);
    }
    EXPECT_TRUE(refused_of(files_of_bandit, "bandit_regret.csv"));
    write_whole(folder / "results.json", R"({"bandit": {}})");
    EXPECT_FALSE(refused_of(files_of_bandit, "bandit_regret.csv"));
}

TEST_F(OwnFiles, AnInterruptedRunOfSomethingElseIsKept)
{
    write_whole(folder / "run.credence-progress", "my notes");
    EXPECT_THAT(refusal(files_of_run), HasSubstr("run.credence-progress: Credence did not write this file"));
    EXPECT_EQ(refusal(files_of_run, true), "");
    write_whole(folder / "run.credence-progress", "CredProg and damage");
    write_whole(folder / "study.json", "{}");
    EXPECT_EQ(refusal(files_of_run), "");
}

TEST_F(OwnFiles, AFigureReplacesOnlyFiguresOfCredence)
{
    const auto refused = [&](const char* name, bool overwrite = false) {
        try {
            require_own_figure(folder / name, overwrite);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(refused("new.csv"), "");
    EXPECT_EQ(refused("/dev/null"), "");
    fs::create_directories(folder / "map.pdf");
    EXPECT_THAT(refused("map.pdf"), HasSubstr("map.pdf: expected a file or nothing, found a folder"));
    write_whole(folder / "table.csv", "x,y\n1,2\n");
    EXPECT_THAT(refused("table.csv"), AllOf(HasSubstr("table.csv: Credence did not write this file"), HasSubstr("--to"),
                                            HasSubstr("--overwrite")));
    EXPECT_EQ(refused("table.csv", true), "");
    for (const char* own : {"# credence-study begin\n", "% credence-study hash 12ab\n",
                            "# Imported predictions: a.npz (probabilities of 50 rows, 3 classes).\n",
                            "<svg><metadata id=\"credence-build\">", "%PDF-1.4 <xmp:CreatorTool>Credence 0.1.0"}) {
        write_whole(folder / "own", own);
        EXPECT_EQ(refused("own"), "") << own;
    }
    const Chart chart{.title = "Decision map", .caption = "Entropy."};
    const Table settings{{{"Setting"}, {"Value"}}, {{"Steps", "200"}}};
    for (const auto& caption :
         {caption_as_text(chart, {}), caption_as_text(chart, settings), caption_as_latex(chart, settings, "map")}) {
        write_whole(folder / "map_caption.txt", caption);
        EXPECT_EQ(refused("map_caption.txt"), "") << caption;
        write_whole(folder / "map_caption.txt", "My own words. " + caption.substr(0, caption.size() - 2));
        EXPECT_THAT(refused("map_caption.txt"), HasSubstr("Credence did not write this file")) << caption;
    }
}

TEST_F(OwnFiles, AStudyOrTableWithANameOfOursIsKept)
{
    write_whole(folder / "results.json", R"({"credence": 1, "network": {"hidden": [4]}})");
    EXPECT_THAT(refusal(files_of_run), HasSubstr("results.json: Credence did not write this file"));
    EXPECT_THROW(require_inputs_kept(folder, files_of_run, folder / "results.json", "study.json"), Error);
    write_whole(folder / "study.json", "{}");
    EXPECT_NO_THROW(require_inputs_kept(folder, files_of_run, folder / "study.json", "study.json"));
    fs::create_directories(folder / "data");
    write_whole(folder / "data" / "scores.csv", "x,y\n");
    EXPECT_THROW(require_inputs_kept(folder, files_of_run, folder / "data" / "scores.csv"), Error);
    EXPECT_NO_THROW(require_inputs_kept(folder, files_of_run, folder / "table.csv"));
    EXPECT_NO_THROW(require_inputs_kept(folder, files_of_run, ""));
}

TEST_F(OwnFiles, AnOutputIsNeverTheInput)
{
    write_whole(folder / "new.csv", "x\n1\n");
    fs::create_symlink(folder / "new.csv", folder / "link.csv");
    EXPECT_THROW(require_other_file(folder / "new.csv", folder / "new.csv"), Error);
    EXPECT_THROW(require_other_file(folder / "link.csv", folder / "new.csv"), Error);
    EXPECT_NO_THROW(require_other_file(folder / "out.csv", folder / "new.csv"));
    EXPECT_NO_THROW(require_other_file("-", folder / "new.csv"));
}

TEST_F(OwnFiles, AFileInPlaceOfAFolderIsRejectedEvenWithOverwrite)
{
    write_whole(folder / "data", "numbers");
    EXPECT_THAT(refusal(files_of_run, true), HasSubstr("data: expected a folder or nothing, found a file"));
    fs::remove(folder / "data");
    fs::create_directories(folder / "results.json");
    EXPECT_THAT(refusal(files_of_run, true), HasSubstr("results.json: expected a file or nothing, found a folder"));
}

}   // namespace
}   // namespace credence
