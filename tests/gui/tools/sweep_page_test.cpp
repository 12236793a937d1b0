// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/sweep_page.h"

#include "parts/setting_lines.h"
#include "session/app_context.h"
#include "session/settings.h"

#include "foundation/build_info.h"
#include "study/fields.h"
#include "study/presets.h"
#include "widgets/chart_view.h"
#include "widgets/table_view.h"

#include "gui/wait_until.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDateTime>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <variant>

using namespace credence;
using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

Study tinySweptStudy()
{
    Study study = preset("two_moons_mean_field");
    for (const char* setting :
         {"data.n=80", "network.hidden=5", "training.steps=20", "training.learning_rate=0.01", "prediction.samples=20"})
        set_field(study, setting);
    study.name = "Tiny moons";
    return study;
}

/// The page as a user meets it, at a first start.
class SweepDriver {
public:
    SweepDriver()
    {
        QFile::remove(lastSweepFile());
        QDir(sweepsFolder()).removeRecursively();
        context.session.setStudy(tinySweptStudy());
        page.resize(1000, 680);
        page.show();
    }
    template <class Control>
    Control* find(const char* name)
    {
        auto* found = page.findChild<Control*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    void click(const char* button) { find<QPushButton>(button)->click(); }
    const Chart& chart(const char* view) { return find<ChartView>(view)->chart(); }
    /// Of the remaining rows.
    template <class Control>
    Control* axis(const char* name, int row)
    {
        QList<Control*> shown;
        for (auto* each : page.findChildren<Control*>(QLatin1String(name)))
            if (!each->parentWidget()->isHidden())
                shown += each;
        EXPECT_LT(row, shown.size()) << name;
        return shown.value(row);
    }
    void vary(int row, const char* path, const char* values)
    {
        auto* box = axis<SettingBox>("sweepSetting", row);
        box->setCurrentIndex(box->findData(QLatin1String(path)));
        Q_EMIT box->activated(box->currentIndex());
        axis<QLineEdit>("sweepValues", row)->setText(QString::fromUtf8(values));
    }
    std::string mistake(int row) { return axis<QLabel>("sweepAxisMistake", row)->text().toStdString(); }
    std::string plan() { return find<QLabel>("sweepPlan")->text().toStdString(); }
    bool canRun() { return find<QPushButton>("toolRun")->isEnabled(); }
    bool waitFor(const std::function<bool()>& condition) { return waitUntil(condition, 60000); }
    bool settled()
    {
        return waitFor([&] { return !page.busy(); });
    }
    QAbstractItemModel& cells() { return *find<TableView>("sweepTable")->model(); }
    int column(const QString& title)
    {
        for (int c = 0; c < cells().columnCount(); ++c)
            if (cells().headerData(c, Qt::Horizontal).toString().simplified().startsWith(title))
                return c;
        return -1;
    }
    std::vector<QString> states()
    {
        std::vector<QString> out;
        for (int row = 0; row < cells().rowCount(); ++row)
            out.push_back(cells().index(row, column("State")).data().toString());
        return out;
    }
    auto count(const QString& state)
    {
        const auto all = states();
        return std::count(all.begin(), all.end(), state);
    }

    AppContext context;
    SweepPage page{context};
};

/// Each results.json below the folder of sweeps, with the time of its last change.
std::map<QString, QDateTime> resultsOfCells()
{
    std::map<QString, QDateTime> out;
    for (const auto& base : QDir(sweepsFolder()).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot))
        for (const auto& cell : QDir(base.filePath() + "/cells").entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot))
            if (const QFileInfo results(cell.filePath() + "/results.json"); results.exists())
                out[results.filePath()] = results.lastModified();
    return out;
}

}   // namespace

TEST(SweepPage, AsksBeforeItAddsCellsToThoseOfAnotherBuild)
{
    SweepDriver sweep;
    sweep.vary(0, "training.learning_rate", "0.01, 0.02");
    sweep.find<QSpinBox>("sweepSeeds")->setValue(1);
    ASSERT_TRUE(sweep.settled());
    set_commit("aaaaaaaaaaaa");
    sweep.click("toolRun");
    ASSERT_TRUE(sweep.settled());
    set_commit("");
    EXPECT_EQ(sweep.count("done"), 2);
    sweep.vary(0, "training.learning_rate", "0.01, 0.02, 0.03");
    ASSERT_TRUE(sweep.settled());

    sweep.click("toolRun");
    ASSERT_TRUE(sweep.settled());
    EXPECT_THAT(sweep.page.message().toStdString(),
                ::testing::AllOf(HasSubstr("Another build computed cells of this sweep: Credence "),
                                 HasSubstr("commit aaaaaaaaaaaa"), HasSubstr(build_text(this_build()))));
    EXPECT_EQ(sweep.count("done"), 2);
    sweep.find<QAbstractButton>("offer0")->click();
    ASSERT_TRUE(sweep.settled());
    EXPECT_EQ(sweep.count("done"), 3);
}

TEST(SweepPage, FillsItsTableShowsMeansFiguresDifferencesAndExports)
{
    SweepDriver sweep;
    ASSERT_TRUE(sweep.settled());
    EXPECT_THAT(sweep.plan(), HasSubstr("9 cells (3 × 3 seeds), none is done yet"))
        << "three learning rates by default";
    EXPECT_EQ(sweep.find<QLabel>("sweepBase")->text(), "Tiny moons");
    sweep.vary(0, "training.learning_rate", "0.01, 0.02");
    sweep.click("sweepAdd");
    EXPECT_FALSE(sweep.canRun()) << "a setting is not chosen yet";
    sweep.vary(1, "training.steps", "20 ... 40 step 20");
    sweep.find<QSpinBox>("sweepSeeds")->setValue(2);
    ASSERT_TRUE(sweep.settled());
    EXPECT_THAT(sweep.plan(), HasSubstr("8 cells (2 × 2 × 2 seeds), none is done yet"));
    EXPECT_EQ(sweep.count("waiting"), 8) << "the cells are listed before they run";
    EXPECT_FALSE(sweep.chart("sweepSummary").message.empty());

    ASSERT_TRUE(sweep.canRun());
    sweep.click("toolRun");
    EXPECT_TRUE(sweep.page.running());
    EXPECT_FALSE(sweep.find<QLineEdit>("sweepValues")->isEnabled()) << "nothing is changed under a sweep";
    ASSERT_TRUE(sweep.settled());
    EXPECT_EQ(sweep.page.message(), QString());
    EXPECT_EQ(sweep.count("done"), 8);
    EXPECT_THAT(sweep.plan(), HasSubstr("all are done."));
    const int nll = sweep.column("test NLL");
    ASSERT_GE(nll, 0);
    for (int row = 0; row < 8; ++row)
        EXPECT_TRUE(std::isfinite(sweep.cells().index(row, nll).data(Qt::UserRole).toDouble())) << row;
    sweep.find<TableView>("sweepTable")->sortByColumn(nll, Qt::AscendingOrder);
    EXPECT_LE(sweep.cells().index(0, nll).data(Qt::UserRole).toDouble(),
              sweep.cells().index(7, nll).data(Qt::UserRole).toDouble());

    EXPECT_EQ(sweep.find<QComboBox>("sweepScore")->currentText(), "test NLL");
    const auto summary = sweep.chart("sweepSummary").table;
    ASSERT_TRUE(summary.has_value()) << sweep.chart("sweepSummary").message;
    ASSERT_EQ(summary->rows.size(), 4U);
    ASSERT_EQ(summary->columns.size(), 5U);
    for (const auto& row : summary->rows) {
        EXPECT_EQ(std::get<long>(row.at(2)), 2) << "seeds";
        EXPECT_TRUE(std::isfinite(std::get<double>(row.at(3))));
        EXPECT_GE(std::get<double>(row.at(4)), 0);
    }
    EXPECT_THAT(sweep.chart("sweepSummary").caption, HasSubstr("Lowest mean: "));
    EXPECT_FALSE(sweep.chart("sweepPicture").panels.empty()) << sweep.chart("sweepPicture").message;
    const auto differences = sweep.chart("sweepDifferences").table;
    ASSERT_TRUE(differences.has_value()) << sweep.chart("sweepDifferences").message;
    EXPECT_GE(differences->rows.size(), 4U) << "a pair for each setting at each value of the other";
    EXPECT_THAT(sweep.find<QTextBrowser>("sweepSentences")->toPlainText().toStdString(), HasSubstr("2 seeds"));

    QSignalSpy opened(&sweep.page, &SweepPage::fileRequested);
    sweep.find<TableView>("sweepTable")->setCurrentIndex(sweep.cells().index(0, 0));
    sweep.click("sweepOpenRun");
    ASSERT_EQ(opened.count(), 1) << sweep.page.message().toStdString();
    EXPECT_TRUE(QFile::exists(opened.front().front().toString()));

    const QTemporaryDir folder;
    sweep.click("toolExport");
    auto* dialog = sweep.page.findChild<QDialog*>("exportDialog");
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(dialog->findChild<QListWidget*>("exportViews")->count(), 5);
    for (const char* format : {"pdf", "svg", "csv", "tex"})
        dialog->findChild<QCheckBox*>(QStringLiteral("format/") + format)->setChecked(true);
    dialog->findChild<QLineEdit*>("exportFolder")->setText(folder.path());
    dialog->findChild<QPushButton*>("writeFiles")->click();
    ASSERT_TRUE(sweep.waitFor([&] { return !sweep.page.message().isEmpty(); }));
    for (const char* file : {"sweep_cells.csv", "sweep_summary.tex", "sweep_all_scores.csv", "sweep_comparison.csv"}) {
        QFile written(folder.filePath(QLatin1String(file)));
        ASSERT_TRUE(written.open(QIODevice::ReadOnly)) << file << ": " << sweep.page.message().toStdString();
        EXPECT_TRUE(written.readAll().contains("Tiny moons")) << file << " carries the base";
    }
    EXPECT_TRUE(QFile::exists(folder.filePath("sweep_scores.pdf")));
}

TEST(SweepPage, CancelKeepsFinishedCellsAndRunContinuesEvenAfterARestart)
{
    SweepDriver sweep;
    ASSERT_TRUE(sweep.settled());
    sweep.vary(0, "training.steps", "20, 2000000");   // the second would take minutes
    sweep.find<QSpinBox>("sweepSeeds")->setValue(1);
    ASSERT_TRUE(sweep.settled());
    sweep.click("toolRun");
    ASSERT_TRUE(sweep.waitFor([&] { return sweep.count("done") == 1; }));
    EXPECT_TRUE(sweep.page.running());
    EXPECT_THAT(sweep.plan(), EndsWith("."));
    EXPECT_THAT(sweep.plan(), Not(AnyOf(HasSubstr("remaining"), HasSubstr("estimate"))))
        << "the remaining time is next to the progress bar";
    sweep.click("toolCancel");
    EXPECT_FALSE(sweep.page.running());
    ASSERT_TRUE(sweep.settled());
    EXPECT_THAT(sweep.plan(), HasSubstr("1 done"));
    const auto before = resultsOfCells();
    ASSERT_EQ(before.size(), 1U);

    sweep.vary(0, "training.steps", "20, 30");
    ASSERT_TRUE(sweep.settled());
    EXPECT_THAT(sweep.plan(), HasSubstr("2 cells, 1 done"))
        << "another value, and the cell of the first is found again";
    sweep.click("toolRun");
    ASSERT_TRUE(sweep.settled());
    EXPECT_EQ(sweep.count("done"), 2) << sweep.page.message().toStdString();
    const auto after = resultsOfCells();
    EXPECT_EQ(after.size(), 2U);
    EXPECT_EQ(after.at(before.begin()->first), before.begin()->second) << "finished cells are not repeated";

    SweepPage again(sweep.context);
    again.show();
    ASSERT_TRUE(sweep.waitFor([&] { return !again.busy(); }));
    EXPECT_THAT(again.findChild<QLabel*>("sweepPlan")->text().toStdString(), HasSubstr("2 cells, all are done."));
    again.run();
    ASSERT_TRUE(sweep.waitFor([&] { return !again.message().isEmpty(); }));
    EXPECT_THAT(again.message().toStdString(), HasSubstr("All 2 cells are already done"));
    EXPECT_EQ(resultsOfCells(), after);
    sweep.vary(0, "training.steps", "2000000");
    ASSERT_TRUE(sweep.settled());
    sweep.click("toolRun");
    ASSERT_TRUE(sweep.waitFor([&] { return sweep.page.busy(); }));
}   // at work: the destructor returns

TEST(SweepPage, AnErrorIsShownAtItsFieldAndNothingRuns)
{
    SweepDriver sweep;
    ASSERT_TRUE(sweep.settled());
    ASSERT_TRUE(sweep.canRun());
    for (const auto& [line, words] : std::initializer_list<std::pair<const char*, const char*>>{
             {"0.1, many", "many"},
             {"", "found no value"},
             {"0.1, 0.1", "is repeated"},
             {"-1", "Learning rate"},
             {"0.1 … 0.5", "a range needs a step"},
             {"0.5 … 0.1 step 0.1", "not below its start"},
             {"0.1 to lots in 3 points", "“lots” is not a number"}}) {
        sweep.vary(0, "training.learning_rate", line);
        EXPECT_THAT(sweep.mistake(0), HasSubstr(words));
        EXPECT_FALSE(sweep.canRun()) << line;
        ASSERT_TRUE(sweep.settled());
        EXPECT_FALSE(sweep.canRun()) << line;
        EXPECT_FALSE(sweep.find<QPushButton>("toolExport")->isEnabled()) << "of the sweep before: " << line;
    }
    sweep.vary(0, "training.learning_rate", "0.001 … 0.1 in 3 points, log");
    ASSERT_TRUE(sweep.settled());
    EXPECT_EQ(sweep.mistake(0), "");
    EXPECT_TRUE(sweep.canRun());
    EXPECT_TRUE(sweep.find<QPushButton>("toolExport")->isEnabled());
    EXPECT_DOUBLE_EQ(sweep.cells().index(3, 0).data(Qt::UserRole).toDouble(), 0.01) << "three seeds per value";

    sweep.click("sweepAdd");
    sweep.vary(1, "training.learning_rate", "0.3");
    EXPECT_THAT(sweep.mistake(1), HasSubstr("already varied above"));
    EXPECT_FALSE(sweep.canRun());
    sweep.axis<QToolButton>("sweepRemove", 1)->click();
    ASSERT_TRUE(sweep.settled());
    EXPECT_TRUE(sweep.canRun());

    const QTemporaryDir folder;
    const QString file = folder.filePath("mine.json");
    sweep.page.saveSweep(file);
    EXPECT_THAT(sweep.page.message().toStdString(), HasSubstr("Saved mine.json"));
    sweep.vary(0, "network.hidden", "5; 5, 5");
    ASSERT_TRUE(sweep.settled());
    EXPECT_THAT(sweep.plan(), HasSubstr("6 cells (2 × 3 seeds)"));
    sweep.page.openSweep(file);
    ASSERT_TRUE(
        waitUntil([&] { return sweep.axis<SettingBox>("sweepSetting", 0)->path() == "training.learning_rate"; }));
    ASSERT_TRUE(sweep.settled());
    EXPECT_EQ(sweep.axis<SettingBox>("sweepSetting", 0)->path(), "training.learning_rate");
    EXPECT_EQ(sweep.axis<QLineEdit>("sweepValues", 0)->text(), "0.001, 0.01, 0.1");
    EXPECT_EQ(sweep.find<QSpinBox>("sweepSeeds")->value(), 3);
    sweep.page.openSweep(folder.filePath("none.json"));
    ASSERT_TRUE(waitUntil([&] { return sweep.page.message().contains("none.json"); }));
    EXPECT_THAT(sweep.page.message().toStdString(), HasSubstr("none.json"));
    EXPECT_EQ(sweep.axis<QLineEdit>("sweepValues", 0)->text(), "0.001, 0.01, 0.1") << "existing content stays";
}

TEST(SweepPage, EachPartIsALineThatDescribesItsSettingsAndOneIsOpen)
{
    SweepDriver sweep;
    ASSERT_TRUE(sweep.settled());
    auto* axes  = sweep.find<SettingLine>("section/sweepAxes");
    auto* seeds = sweep.find<SettingLine>("section/sweepSeeds");
    EXPECT_TRUE(axes->isChecked());
    EXPECT_FALSE(sweep.find<QSpinBox>("sweepSeeds")->isVisible());
    EXPECT_THAT(sweep.find<SettingLine>("section/sweepBase")->sentence().toStdString(),
                HasSubstr("Two moons · 80 points"));
    EXPECT_EQ(seeds->sentence(), "3 seeds, from 1 to 3");
    sweep.find<QSpinBox>("sweepSeeds")->setValue(1);
    EXPECT_EQ(seeds->sentence(), "Seed 1 only");
    sweep.vary(0, "training.steps", "10, 20");
    EXPECT_EQ(axes->sentence(), QString::fromStdString(field("training.steps").label) + ": 10, 20");
    sweep.vary(0, "training.steps", "10 ... 70 step 10");
    EXPECT_TRUE(axes->sentence().endsWith("10, 20, …, 70")) << axes->sentence().toStdString();
    EXPECT_EQ(sweep.find<SettingLine>("section/sweepSaved")->sentence(), "Scores and runs");
    sweep.find<QCheckBox>("sweepKeep")->setChecked(false);
    EXPECT_EQ(sweep.find<SettingLine>("section/sweepSaved")->sentence(), "Scores only");

    seeds->click();
    EXPECT_TRUE(sweep.find<QSpinBox>("sweepSeeds")->isVisible());
    EXPECT_FALSE(sweep.find<QLineEdit>("sweepValues")->isVisible());
    sweep.vary(0, "training.steps", "many");
    EXPECT_THAT(axes->accessibleDescription().toStdString(), HasSubstr("many")) << "a closed line hides no mistake";
    seeds->click();
    EXPECT_FALSE(sweep.find<QSpinBox>("sweepSeeds")->isVisible()) << "all can be closed";
}

TEST(SweepPage, StatesWhyCellsFailedAndLoadsIncludedSweeps)
{
    SweepDriver sweep;
    ASSERT_TRUE(sweep.settled());
    Sweep broken = usual_sweep(tinySweptStudy());
    set_field(broken.base.study, "prediction.points=/nowhere/at_all.csv");
    sweep.page.setSweep(broken);
    ASSERT_TRUE(sweep.settled());
    sweep.click("toolRun");
    ASSERT_TRUE(sweep.settled());
    EXPECT_THAT(sweep.page.message().toStdString(), HasSubstr("9 cells failed. The first, "));
    EXPECT_THAT(sweep.page.message().toStdString(), HasSubstr("at_all.csv"));
    EXPECT_EQ(sweep.count("failed"), 9);
    EXPECT_GE(sweep.column("Error message"), 0);

    set_field(broken.base.study, "data.source=csv");
    set_field(broken.base.study, "data.file=/nowhere/table.csv");
    sweep.page.setSweep(broken);
    ASSERT_TRUE(sweep.settled());
    sweep.click("toolRun");
    ASSERT_TRUE(sweep.settled());
    EXPECT_THAT(sweep.page.message().toStdString(),
                HasSubstr("/nowhere/table.csv does not exist. Copy the table there"));
    EXPECT_EQ(sweep.count("failed"), 0) << "no cell was started";

    const auto& shipped = shipped_sweep("two_moons_dropout");
    sweep.page.setSweep(shipped);
    ASSERT_TRUE(sweep.settled());
    EXPECT_TRUE(sweep.canRun()) << sweep.plan();
    EXPECT_EQ(static_cast<std::size_t>(sweep.cells().rowCount()), shipped.n_cells());
    EXPECT_EQ(sweep.find<QLabel>("sweepBase")->text().toStdString(), shipped.base.study.name);
    sweep.click("sweepTakeStudy");
    EXPECT_EQ(sweep.find<QLabel>("sweepBase")->text(), "Tiny moons");
}

TEST(SweepPage, TheNextStartBeginsWithTheSweepThatWasChangedLastInAnyWindow)
{
    SweepDriver first;
    first.vary(0, "network.hidden", "5; 6");
    ASSERT_TRUE(first.settled());
    SweepPage second(first.context);
    second.show();
    Sweep newest                     = load_sweep(lastSweepFile().toStdString());
    newest.base.study.training.steps = 77;
    second.setSweep(newest);
    ASSERT_TRUE(waitUntil([] { return load_sweep(lastSweepFile().toStdString()).base.study.training.steps == 77; }));
    first.page.hide();
    first.page.show();   // looks at its folder again, and has nothing new to remember
    ASSERT_TRUE(first.settled());
    EXPECT_EQ(load_sweep(lastSweepFile().toStdString()).base.study.training.steps, 77);
}
