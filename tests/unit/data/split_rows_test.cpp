// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/split_rows.h"
#include "data/table_schema.h"
#include "formats/csv.h"

#include "unit/formats/table_file.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <ranges>
#include <set>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// Row i has the input i; its value of the split column is values[i].
Dataset rows_with(const std::vector<std::string>& values, bool numbers = false, const std::string& name = "part")
{
    Dataset data;
    data.task          = Task::regression;
    data.n_rows        = values.size();
    data.n_features    = 1;
    data.feature_names = {"x"};
    SplitColumn column{.name = name};
    for (std::size_t i = 0; i < values.size(); ++i) {
        data.inputs.push_back(static_cast<double>(i));
        data.targets.push_back(static_cast<double>(i));
        auto at = std::ranges::find(column.values, values[i]) - column.values.begin();
        if (at == std::ssize(column.values))
            column.values.push_back(values[i]);
        column.codes.push_back(static_cast<std::uint32_t>(at));
        if (numbers)
            column.numbers.push_back(std::stod(values[i]));
    }
    data.split_column = std::make_shared<const SplitColumn>(std::move(column));
    return data;
}

void expect_each_row_once(const SplitRows& rows, std::size_t n)
{
    std::vector<int> times(n, 0);
    for (const auto* part : {&rows.training, &rows.test, &rows.calibration}) {
        EXPECT_TRUE(std::ranges::is_sorted(*part));
        for (const auto i : *part)
            ++times.at(i);
    }
    EXPECT_THAT(times, testing::Each(1));
    EXPECT_FALSE(rows.training.empty());
}

std::string refused(const Dataset& data, const SplitOptions& options)
{
    return refusal([&] { choose_rows(data, options); });
}

}   // namespace

TEST(SplitRows, OfFoldsAreDisjointAndComplete)
{
    Dataset data      = rows_with(std::vector<std::string>(23, "a"));
    data.split_column = nullptr;   // independent rows
    std::vector<int> tested(23, 0);
    for (int fold = 1; fold <= 5; ++fold) {
        const auto rows = choose_rows(data, {.seed = 9, .kind = SplitKind::folds, .folds = 5, .fold = fold});
        expect_each_row_once(rows, 23);
        EXPECT_TRUE(rows.test.size() == 4 || rows.test.size() == 5);
        for (const auto i : rows.test)
            ++tested[i];
    }
    EXPECT_THAT(tested, testing::Each(1));
    EXPECT_NE(choose_rows(data, {.seed = 1, .kind = SplitKind::folds}).test,
              choose_rows(data, {.seed = 2, .kind = SplitKind::folds}).test);
    EXPECT_THAT(refused(data, {.kind = SplitKind::folds, .folds = 5, .fold = 6}),
                HasSubstr("split.fold | split.fold is 6, expected a number from 1 to 5"));
    EXPECT_THAT(refused(data, {.kind = SplitKind::folds, .folds = 24}), HasSubstr("split.folds is 24"));
}

TEST(SplitRows, OfFoldsWithAColumnKeepItsGroupsTogetherAndAreBalanced)
{
    std::vector<std::string> patients;   // groups of 1 to 12 rows
    for (int i = 0; i < 200; ++i)
        patients.push_back("p" + std::to_string(i * i % 37));
    const Dataset data = rows_with(patients);
    const auto largest = static_cast<std::size_t>(std::ranges::max(
        std::ranges::transform_view(patients, [&](const auto& name) { return std::ranges::count(patients, name); })));
    std::set<std::vector<std::uint32_t>> first_folds;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        std::map<std::string, std::set<int>> folds_of_group;
        std::vector<std::size_t> sizes;
        for (int fold = 1; fold <= 5; ++fold) {
            const SplitOptions options{
                .seed = seed, .calibration_fraction = 0.2, .kind = SplitKind::folds, .folds = 5, .fold = fold};
            const auto rows = choose_rows(data, options);
            expect_each_row_once(rows, 200);
            EXPECT_EQ(choose_rows(data, options).test, rows.test);
            sizes.push_back(rows.test.size());
            std::set<std::string> calibration;
            for (const auto i : rows.test)
                folds_of_group[patients[i]].insert(fold);
            for (const auto i : rows.calibration)
                calibration.insert(patients[i]);
            EXPECT_FALSE(calibration.empty());
            for (const auto i : rows.training)
                EXPECT_FALSE(calibration.contains(patients[i])) << "seed " << seed;
            if (fold == 1)
                first_folds.insert(rows.test);
        }
        for (const auto& [group, folds] : folds_of_group)
            EXPECT_EQ(folds.size(), 1u) << group << ", seed " << seed;
        EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), 200u);
        EXPECT_LE(std::ranges::max(sizes) - std::ranges::min(sizes), largest) << "seed " << seed;
    }
    EXPECT_GT(first_folds.size(), 15u) << "the seed changes the folds";

    std::vector<std::string> equal;   // groups of three rows: folds differ by one group
    for (int i = 0; i < 51; ++i)
        equal.push_back(std::to_string(i % 17));
    for (int fold = 1; fold <= 5; ++fold) {
        const auto n = choose_rows(rows_with(equal), {.kind = SplitKind::folds, .folds = 5, .fold = fold}).test.size();
        EXPECT_TRUE(n == 9 || n == 12) << n;
    }
    EXPECT_EQ(refused(rows_with({"a", "b", "a", "c"}), {.kind = SplitKind::folds, .folds = 4}),
              "split.folds | split.folds is 4, expected a number from 2 to the number of groups in column “part”, 3.");
}

TEST(SplitRows, NeverDivideAGroup)
{
    std::vector<std::string> patients;
    for (int i = 0; i < 200; ++i)
        patients.push_back("p" + std::to_string(i * i % 37));
    const Dataset data = rows_with(patients);
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const auto rows = choose_rows(
            data, {.test_fraction = 0.3, .seed = seed, .calibration_fraction = 0.25, .kind = SplitKind::groups});
        expect_each_row_once(rows, 200);
        std::map<std::string, std::set<int>> parts_of_group;
        int part = 0;
        for (const auto* list : {&rows.training, &rows.test, &rows.calibration}) {
            for (const auto i : *list)
                parts_of_group[patients[i]].insert(part);
            ++part;
        }
        for (const auto& [group, parts] : parts_of_group)
            EXPECT_EQ(parts.size(), 1u) << group << ", seed " << seed;
        EXPECT_NEAR(static_cast<double>(rows.test.size()), 60, 12);
        EXPECT_FALSE(rows.calibration.empty());
    }
    const auto parts = split(data, {.test_fraction = 0.3, .calibration_fraction = 0.25, .kind = SplitKind::groups});
    ASSERT_EQ(parts.calibration_groups.size(), parts.calibration.n_rows);
    for (std::size_t i = 0; i < parts.calibration.n_rows; ++i)
        EXPECT_EQ(data.split_column->values[parts.calibration_groups[i]],
                  patients[static_cast<std::size_t>(parts.calibration.inputs[i])]);
    EXPECT_TRUE(split(data, {.calibration_fraction = 0.25}).calibration_groups.empty());
    EXPECT_THAT(refused(rows_with({"a", "a"}), {.kind = SplitKind::groups}),
                HasSubstr("has one value, “a”, expected at least two groups"));
}

TEST(SplitRows, InTimeOrderPutTheLastRowsIntoTheTestSet)
{
    const Dataset data = rows_with({"5", "1", "4", "2", "3", "0", "9", "8", "7", "6"}, true);
    const auto rows = choose_rows(data, {.test_fraction = 0.3, .calibration_fraction = 0.3, .kind = SplitKind::time});
    expect_each_row_once(rows, 10);
    EXPECT_THAT(rows.test, ElementsAre(6, 7, 8));       // 7, 8, 9
    EXPECT_THAT(rows.calibration, ElementsAre(0, 9));   // 5 and 6, just before the test rows
    Dataset plain      = data;
    plain.split_column = nullptr;
    EXPECT_THAT(choose_rows(plain, {.test_fraction = 0.3, .kind = SplitKind::time}).test, ElementsAre(7, 8, 9));
    const Dataset ties = rows_with({"1", "1", "2", "2", "2", "3"}, true);
    EXPECT_THAT(choose_rows(ties, {.test_fraction = 0.5, .kind = SplitKind::time}).test, ElementsAre(2, 3, 4, 5))
        << "rows of one day are not divided";
    EXPECT_THAT(refused(rows_with({"Monday", "Friday"}), {.kind = SplitKind::time}),
                HasSubstr("expected numbers, dates"));
}

TEST(SplitRows, FollowTheMarksOfAColumn)
{
    const auto rows = choose_rows(rows_with({"Train", "test", "validation", "training", "TEST"}),
                                  {.calibration_fraction = 0.5, .kind = SplitKind::column});
    EXPECT_THAT(rows.training, ElementsAre(0, 3));
    EXPECT_THAT(rows.test, ElementsAre(1, 4));
    EXPECT_THAT(rows.calibration, ElementsAre(2));
    EXPECT_THAT(choose_rows(rows_with({"0", "1", "0"}, true, "is_test"), {.kind = SplitKind::column}).test,
                ElementsAre(1));
    EXPECT_THAT(choose_rows(rows_with({"0", "1", "0"}, true, "in_train"), {.kind = SplitKind::column}).test,
                ElementsAre(0, 2));
    EXPECT_THAT(refused(rows_with({"train", "maybe"}), {.kind = SplitKind::column}),
                "split.column | Column “part” is “maybe” in row 1, expected train, test or validation.");
    EXPECT_THAT(refused(rows_with({"train", "train"}), {.kind = SplitKind::column}),
                HasSubstr("marks 2 rows as train and 0 as test"));
}

TEST(SplitRows, OfAFileAreTheListedOnes)
{
    const Dataset data  = rows_with(std::vector<std::string>(6, "a"));
    const auto of_lines = [&](std::string_view lines) {
        const TableFile file(lines);
        return choose_rows(data, {.kind = SplitKind::file, .test_rows = file.path().string()});
    };
    const auto sentence = [&](std::string_view lines) { return refusal([&] { of_lines(lines); }); };
    const auto rows     = of_lines("4\r\n\n1.0e+00\n0");
    expect_each_row_once(rows, 6);
    EXPECT_THAT(rows.test, ElementsAre(0, 1, 4));
    EXPECT_EQ(sentence("4\n6\n"), "split.test_rows | table.csv, line 2: row 6, expected a row from 0 to 5.");
    EXPECT_EQ(sentence("4\n-1\n"), "split.test_rows | table.csv, line 2: row -1, expected a row from 0 to 5.");
    EXPECT_EQ(sentence("4\n1\n4\n"),
              "split.test_rows | table.csv, line 3: row 4 is listed twice, expected each row once.");
    EXPECT_EQ(sentence("\n \n"), "split.test_rows | table.csv: found no row numbers, expected one per line.");
    EXPECT_THAT(sentence("1.5\n"), HasSubstr("line 1: found “1.5”, expected one row number, counted from 0."));
    EXPECT_THAT(sentence("0 1 2\n"), HasSubstr("line 1: found “0 1 2”"));
    EXPECT_THAT(sentence("0\n1\n2\n3\n4\n5\n"), HasSubstr("lists every row of the table"));
    EXPECT_THAT(refused(data, {.kind = SplitKind::file}), HasSubstr("split.test_rows is empty"));
    EXPECT_NE(refused(data, {.kind = SplitKind::file, .test_rows = "/nowhere.txt"}), "");
}

TEST(SplitRows, OfAFileCountTheRowsOfTheFileIfSomeAreLeftOut)
{
    const TableFile table("x,y\n1.5,1.5\n?,2.5\n3.5,3.5\n4.5,4.5\n");
    const TableFile list("1\n3\n");
    const Dataset data    = read_csv(table.path(), {.task = Task::regression, .missing = MissingValues::drop});
    const SplitData parts = split(data, {.kind = SplitKind::file, .test_rows = list.path().string()});
    EXPECT_THAT(parts.test.targets, ElementsAre(4.5)) << "row 1 has no value, row 3 is the last one";
    EXPECT_THAT(parts.test.table_rows, ElementsAre(3));
    EXPECT_THAT(parts.training.targets, ElementsAre(1.5, 3.5));
}

TEST(SplitColumn, IsReadWithTheTableAndIsNotAnInput)
{
    const TableFile table("day,x,y\n2024-01-03,1,1.5\n2024-01-01,2,2.5\n2024-01-02,3,3.5\n");
    const Dataset data = read_csv(table.path(), {.split_column = "day"});
    EXPECT_THAT(data.feature_names, ElementsAre("x"));
    EXPECT_THAT(split(data, {.test_fraction = 0.34, .kind = SplitKind::time}).test.targets, ElementsAre(1.5));
    EXPECT_THAT(refusal([&] { read_csv(table.path(), {.split_column = "week"}); }),
                HasSubstr("split.column | table.csv: found no column “week”"));
    EXPECT_THAT(refused(read_csv(table.path(), {}), {.kind = SplitKind::groups}), HasSubstr("split.column is empty"));
}

/// The traps of the benchmark tables: blanks before the first number, test rows in the scaler, a
/// second target among the inputs.
TEST(PublishedSplits, EqualThoseOfTheirAuthors)
{
    const char* folder = std::getenv("CREDENCE_DATA_DIR");
    auto uci           = std::filesystem::path(folder ? folder : "") / "uci";
    const auto packed  = uci / "uci-splits.tar.xz";
    if (!folder || (!std::filesystem::exists(uci / "yacht") && !std::filesystem::exists(packed)))
        GTEST_SKIP() << "CREDENCE_DATA_DIR is not set, or has no folder uci with the tables.";
    if (!std::filesystem::exists(uci / "yacht")) {
        uci = std::filesystem::path(testing::TempDir()) / "uci-tables";
        std::filesystem::create_directories(uci);
        const std::string command = "tar xf '" + packed.string() + "' -C '" + uci.string() + "'";
        if (std::system(command.c_str()) != 0)
            GTEST_SKIP() << "uci-splits.tar.xz could not be unpacked.";
    }
    const auto numbers = [](const std::filesystem::path& file) { return read_row_numbers(file.string(), 1'000'000); };
    for (const auto& [name, n_rows] : std::map<std::string, std::size_t>{{"bostonHousing", 506},
                                                                         {"concrete", 1030},
                                                                         {"energy", 768},
                                                                         {"kin8nm", 8192},
                                                                         {"power-plant", 9568},
                                                                         {"wine-quality-red", 1599},
                                                                         {"yacht", 308}}) {
        const auto at = uci / name;
        std::vector<std::string> inputs;
        for (const auto c : numbers(at / "index_features.txt"))
            inputs.push_back(std::to_string(c + 1));
        const auto target  = std::to_string(numbers(at / "index_target.txt").front() + 1);
        const Dataset data = read_csv(
            at / "data.txt", {.header = CsvHeader::no, .target = target, .columns = inputs, .task = Task::regression});
        ASSERT_EQ(data.n_rows, n_rows) << name;
        EXPECT_EQ(data.n_features, inputs.size()) << name;
        const auto file       = at / "index_test_7.txt";
        const SplitData parts = split(
            data, {.standardise_targets = true, .kind = SplitKind::file, .test_rows = file.string()});
        auto listed = numbers(file), training = numbers(at / "index_train_7.txt");
        std::ranges::sort(listed);
        std::ranges::sort(training);
        EXPECT_EQ(parts.test.table_rows, listed) << name;
        EXPECT_EQ(parts.training.table_rows, training) << name;
        EXPECT_EQ(parts.inputs, Standardiser::fit(parts.training)) << name;
        const double sum  = std::accumulate(parts.training.targets.begin(), parts.training.targets.end(), 0.0);
        const double mean = sum / static_cast<double>(parts.training.n_rows);
        EXPECT_NEAR(parts.target_mean, mean, 1e-4 * (1 + std::fabs(mean))) << name;
    }
}
