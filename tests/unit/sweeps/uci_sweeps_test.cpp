// SPDX-License-Identifier: GPL-3.0-or-later
// Known traps of the UCI benchmark: a wrong target column, the second target among the inputs, test rows in the scaler.
#include "foundation/files.h"
#include "runs/experiment.h"
#include "study/fields.h"
#include "unit/sweeps/small_sweep.h"

#include <algorithm>
#include <set>

namespace credence {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Lt;
using ::testing::SizeIs;

constexpr const char* uci_sweeps[] = {"uci_small", "uci_benchmark", "uci_protein",
                                      "uci_nuts",  "uci_conformal", "uci_conformal_protein"};
constexpr int uci_rows             = 30;

int inputs_of_uci_table(const std::string& table)
{
    const std::pair<const char*, int> inputs[] = {{"bostonHousing", 13},
                                                  {"concrete", 8},
                                                  {"energy", 8},
                                                  {"kin8nm", 8},
                                                  {"naval-propulsion-plant", 16},
                                                  {"power-plant", 4},
                                                  {"protein-tertiary-structure", 9},
                                                  {"wine-quality-red", 11},
                                                  {"yacht", 6}};
    const auto found = std::ranges::find(inputs, table, [](const auto& one) { return std::string(one.first); });
    return found == std::end(inputs) ? 0 : found->second;
}

/// A table with the columns of the published one: inputs, target (100 + row), and for naval the second
/// target. The test rows 2, 11 and 29 have huge inputs and the target −1000.
void write_uci_table(const std::filesystem::path& folder, const std::string& table)
{
    std::string text;
    for (int row = 0; row < uci_rows; ++row) {
        const bool test = row == 2 || row == 11 || row == 29;
        for (int column = 0; column < inputs_of_uci_table(table); ++column)
            text += (test ? "1e6" : std::to_string((7 * row + 3 * column) % 13)) + " ";
        text += test ? "-1000" : std::to_string(100 + row);
        text += table.starts_with("naval") ? " 5000\n" : "\n";
    }
    std::filesystem::create_directories(folder);
    write_whole(folder / "data.txt", text);
    write_whole(folder / "index_test_0.txt", "2\n11\n29\n");
}

/// One cell per table: the first value of every other axis.
std::vector<SweepCell> first_cells(Sweep sweep)
{
    for (auto& axis : sweep.axes)
        if (axis.name != "table")
            axis.values.resize(1);
    return cells_of(sweep);
}

TEST(UciSweeps, HaveThePublishedTargetsAndInputs)
{
    std::set<std::string> tables;
    for (const char* id : {"uci_benchmark", "uci_protein", "uci_conformal", "uci_conformal_protein"})
        for (const auto& value : shipped_sweep(id).axes.front().values) {
            SCOPED_TRACE(value.label);
            tables.insert(value.label);
            const int n = inputs_of_uci_table(value.label);
            std::string columns;
            for (int column = 1; column <= n; ++column)
                columns += (column > 1 ? ", " : "") + std::to_string(column);
            Study study;
            for (const auto& [path, setting] : value.set)
                field(path).set(study, setting);
            EXPECT_EQ(field("data.columns").get(study), FieldValue(columns));
            EXPECT_EQ(field("data.target").get(study), FieldValue(std::to_string(n + 1)))
                << "the last column; of naval the last but one";
        }
    EXPECT_THAT(tables, SizeIs(9));
}

TEST(UciSweeps, PredictThePublishedTargetAndScaleByTheTrainingRowsAlone)
{
    const FreshFolder fresh("uci_traps");
    for (const char* id : uci_sweeps) {
        const Sweep& sweep = shipped_sweep(id);
        for (auto& cell : first_cells(sweep)) {
            const auto table = sweep.axes.front().values[cell.at.front()].label;
            SCOPED_TRACE(std::string(id) + ", " + table);
            write_uci_table(fresh.path / table, table);
            cell.study.data.file       = (fresh.path / table / "data.txt").string();
            cell.study.split.test_rows = (fresh.path / table / "index_test_0.txt").string();
            const auto experiment      = prepare(cell.study);
            ASSERT_NE(experiment, nullptr);
            const auto& data = *experiment->data;
            EXPECT_EQ(static_cast<int>(data.training.n_features), inputs_of_uci_table(table));
            EXPECT_THAT(data.test.targets, ElementsAre(-1000, -1000, -1000)) << "the published test rows";
            EXPECT_THAT(data.calibration.targets, SizeIs(5u)) << "one fifth of the 27 others";
            EXPECT_THAT(data.training.targets, SizeIs(22u));
            for (const auto* part : {&data.training, &data.calibration}) {
                EXPECT_THAT(part->inputs, Each(Lt(13))) << "neither a test row nor a target is an input";
                for (const double target : part->targets)
                    EXPECT_GE(target, 100);
            }
            EXPECT_EQ(data.inputs, Standardiser::fit(data.training)) << "scales of the training rows alone";
            double sum = 0;
            for (const double target : data.training.targets)
                sum += target;
            EXPECT_NEAR(data.target_mean, sum / 22, 1e-4);
        }
    }
}

TEST(UciSweeps, OfConformalIntervalsHaveEachScoreAtNinetyPercent)
{
    for (const char* id : {"uci_conformal", "uci_conformal_protein"}) {
        SCOPED_TRACE(id);
        const Sweep& sweep = shipped_sweep(id);
        EXPECT_EQ(sweep.replicates, "split");
        EXPECT_EQ(sweep.replicate_axis()->values.size(), std::string(id).ends_with("protein") ? 5u : 20u);
        std::vector<ConformalScore> scores;
        Sweep one_table = quick_version(sweep);
        for (auto& axis : one_table.axes)
            if (axis.name != "score")
                axis.values.resize(1);
        for (const auto& cell : cells_of(one_table)) {
            scores.push_back(cell.study.prediction.conformal.score);
            EXPECT_EQ(cell.study.prediction.level, 0.9);
        }
        EXPECT_THAT(scores, ElementsAre(ConformalScore::absolute, ConformalScore::normalised, ConformalScore::cqr));
    }
}

}   // namespace
}   // namespace credence
