// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/settle.h"
#include "gui/wait_until.h"
#include "unit/not_empty.h"
#include "window_driver.h"

#include "simplex/bridge_sampling_panel.h"
#include "simplex/open_logits.h"
#include "unit/outputs/logits_npz.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>

#include <cmath>

using namespace credence;
using namespace logits_npz;
using testing::HasSubstr;

namespace {

QString written(const QTemporaryDir& folder, const QString& name, const std::vector<ZipMember>& members)
{
    QFile file(folder.filePath(name));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    const Bytes bytes = zip_of(members);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
    return file.fileName();
}

/// Rows of 50 classes with long lists: reading them takes its time.
QString manyRows(const QTemporaryDir& folder, std::size_t n)
{
    constexpr std::size_t K = 50;
    std::vector<double> mean(n * K), spread(n * K, 1);
    for (std::size_t i = 0; i < mean.size(); ++i)
        mean[i] = std::sin(static_cast<double>(i));
    return written(folder, "many.npz", {doubles("mean", {n, K}, mean), doubles("variance", {n, K}, spread)});
}

/// The dialog with an open file, as a user meets it.
class LogitsDriver {
public:
    explicit LogitsDriver(const std::vector<ZipMember>& members = four_rows())
    {
        file = written(folder, "four.npz", members);
        dialog.show();
        dialog.open(file);
        wait();
    }
    void wait()
    {
        EXPECT_TRUE(waitUntil([&] { return !dialog.busy(); }, 20000));
    }
    template <class Widget>
    Widget* find(const char* name)
    {
        auto* found = dialog.findChild<Widget*>(QString::fromLatin1(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    std::string text(const char* label) { return find<QLabel>(label)->text().toStdString(); }

    QTemporaryDir folder;
    QString file;
    OpenLogits dialog;
};

}   // namespace

TEST(OpenLogits, ShowsRowsTotalsAndTheListOfTheChosenRow)
{
    LogitsDriver logits;
    EXPECT_EQ(logits.text("logitsAbout"), "four.npz: 4 rows, 3 classes, variances");
    EXPECT_THAT(logits.text("logitsNumbers"), testing::AllOf(HasSubstr("top-1 accuracy <b>0.5000</b>"),
                                                             HasSubstr("true class in the list <b>0.7500</b>"),
                                                             HasSubstr("mean length <b>2.000</b>")));
    auto& model = logits.dialog.model();
    ASSERT_EQ(model.rowCount(), 4);
    EXPECT_EQ(model.index(2, LogitsModel::labelColumn).data().toString(), "owl");
    EXPECT_EQ(model.index(2, LogitsModel::predictedColumn).data().toString(), "dog");
    EXPECT_EQ(model.index(2, LogitsModel::listedColumn).data().toString(), "yes");
    EXPECT_EQ(logits.text("logitsRemaining"), "Row 0: one class remains: cat");
    logits.find<QTableView>("logitsTable")->selectRow(2);
    logits.wait();
    EXPECT_EQ(logits.text("logitsRemaining"), "Row 2: 3 classes remain: dog, cat, owl");
}

TEST(OpenLogits, TheSliderChangesListAndTotals)
{
    LogitsDriver logits;
    logits.dialog.chooseRow(1);
    logits.wait();
    EXPECT_THAT(logits.text("logitsRemaining"), HasSubstr("3 classes remain: cat, dog, owl"));
    const auto before = logits.text("logitsNumbers");
    logits.find<QSlider>("logitsThresholdSlider")->setValue(1000);
    EXPECT_NEAR(logits.find<QDoubleSpinBox>("logitsThreshold")->value(), 0.9, 1e-4);
    logits.wait();
    EXPECT_NE(logits.text("logitsNumbers"), before);
    EXPECT_THAT(logits.text("logitsRemaining"), testing::Not(HasSubstr("owl")));
    logits.find<QDoubleSpinBox>("logitsThreshold")->setValue(0.05);
    logits.wait();
    EXPECT_EQ(logits.text("logitsNumbers"), before);
    logits.find<QSpinBox>("logitsLongest")->setValue(2);
    logits.wait();
    EXPECT_THAT(logits.text("logitsRemaining"), HasSubstr("2 classes remain: cat, dog"));
    EXPECT_NE(logits.text("logitsNumbers"), before);
    logits.find<QSpinBox>("logitsLongest")->setValue(0);   // all
    logits.wait();
    EXPECT_EQ(logits.text("logitsNumbers"), before);
}

TEST(OpenLogits, FiltersAndSortsAndKeepsTheChosenRow)
{
    LogitsDriver logits;
    auto& model = logits.dialog.model();
    auto* table = logits.find<QTableView>("logitsTable");
    table->selectRow(2);
    logits.wait();
    table->sortByColumn(LogitsModel::confidenceColumn, Qt::AscendingOrder);
    EXPECT_EQ(model.fileRow(table->currentIndex().row()), 2u);
    EXPECT_EQ(model.fileRow(0), 2u) << "the most uncertain one";
    logits.find<QComboBox>("logitsFilter")->setCurrentIndex(3);   // the true class is not in the list
    ASSERT_EQ(model.rowCount(), 1);
    EXPECT_EQ(model.fileRow(0), 3u);
}

TEST(OpenLogits, AnotherVariantIsCountedAgain)
{
    LogitsDriver logits;
    const auto before = logits.dialog.model().at(2).log_total;
    logits.find<QComboBox>("logitsVariant")->setCurrentIndex(2);
    logits.wait();
    EXPECT_NE(logits.dialog.model().at(2).log_total, before);
}

TEST(OpenLogits, WithoutLabelsHidesEverythingThatNeedsThem)
{
    LogitsDriver logits({doubles("mean", {2, 2}, {1, 0, 0, 1}), doubles("variance", {2, 2}, {1, 1, 1, 1})});
    EXPECT_TRUE(logits.find<QTableView>("logitsTable")->isColumnHidden(LogitsModel::labelColumn));
    EXPECT_THAT(logits.text("logitsNumbers"), HasSubstr("no labels, so no accuracies"));
}

TEST(OpenLogits, AnInvalidFileIsReportedAndTheOpenOneStays)
{
    LogitsDriver logits;
    logits.dialog.open(
        written(logits.folder, "bad.npz", {doubles("mean", {1, 2}, {1, 2}), doubles("variance", {1, 2}, {1, -1})}));
    logits.wait();
    bool shown = false;
    for (const auto* label : credence::not_empty(logits.dialog.findChildren<QLabel*>()))
        shown = shown || label->text().contains("bad.npz: variance of row 0, class 1 is -1, expected a number > 0.");
    EXPECT_TRUE(shown);
    EXPECT_EQ(logits.text("logitsAbout"), "four.npz: 4 rows, 3 classes, variances");
    EXPECT_EQ(logits.dialog.model().rowCount(), 4);
}

TEST(OpenLogits, ShowsRowsWhileReadingAndCancelKeepsThem)
{
    constexpr int n = 8000;
    const QTemporaryDir folder;
    const QString file = manyRows(folder, n);
    OpenLogits dialog;
    dialog.show();
    dialog.open(file);
    auto& model = dialog.model();
    ASSERT_TRUE(waitUntil([&] { return model.rowCount() > 0; }, 20000));
    ASSERT_LT(model.rowCount(), n);
    EXPECT_TRUE(dialog.busy());
    const auto* numbers = dialog.findChild<QLabel*>("logitsNumbers");
    EXPECT_THAT(numbers->text().toStdString(), HasSubstr("of 8,000 rows read so far"));
    auto* table = dialog.findChild<QTableView*>("logitsTable");
    table->selectRow(7);
    const int before = model.rowCount();
    ASSERT_TRUE(waitUntil([&] { return model.rowCount() > before; }, 20000));
    EXPECT_EQ(table->currentIndex().row(), 7) << "the chosen row stays chosen while others are added";
    dialog.findChild<QPushButton*>("toolCancel")->click();
    const int kept = model.rowCount();
    EXPECT_LT(kept, n);
    EXPECT_THAT(numbers->text().toStdString(), HasSubstr("Reading stopped after "));
    ASSERT_TRUE(waitUntil([&] { return !dialog.busy(); }, 20000));
    settle();
    EXPECT_EQ(model.rowCount(), kept) << "no row is added after Cancel";
    EXPECT_EQ(dialog.findChild<QLabel*>("logitsRemaining")->text().left(5).toStdString(), "Row 7");
}

TEST(OpenLogits, ContinuesReadingWithRowsInTheChosenOrder)
{
    const QTemporaryDir folder;
    OpenLogits dialog;
    dialog.show();
    dialog.findChild<QTableView*>("logitsTable")->sortByColumn(LogitsModel::confidenceColumn, Qt::DescendingOrder);
    dialog.open(manyRows(folder, 3000));
    ASSERT_TRUE(waitUntil([&] { return !dialog.busy(); }, 60000));
    auto& model = dialog.model();
    ASSERT_EQ(model.rowCount(), 3000);
    for (int i = 1; i < model.rowCount(); ++i)
        ASSERT_GE(model.at(model.fileRow(i - 1)).confidence, model.at(model.fileRow(i)).confidence);
    EXPECT_THAT(dialog.findChild<QLabel*>("logitsNumbers")->text().toStdString(), HasSubstr("mean length"));
}

TEST(OpenLogits, CancelsAndClosesWhileItReads)
{
    const QTemporaryDir folder;
    const QString file = manyRows(folder, 2000);
    OpenLogits dialog;
    dialog.show();
    dialog.open(file);
    EXPECT_TRUE(dialog.busy());
    dialog.findChild<QPushButton*>("toolCancel")->click();
    EXPECT_FALSE(dialog.busy());
    EXPECT_EQ(dialog.model().rowCount(), 0);
    dialog.open(file);
    EXPECT_TRUE(dialog.busy());
    settle();
}   // closed at work: the destructor returns

TEST(OpenLogits, TheWindowOpensAnNpzThatIsDroppedOnIt)
{
    WindowDriver window;
    const QTemporaryDir folder;
    window->openFile(written(folder, "four.npz", four_rows()));
    OpenLogits* dialog = nullptr;   // the file is recognised in the background
    ASSERT_TRUE(window.waitFor([&] { return (dialog = window->findChild<OpenLogits*>("openLogits")) != nullptr; }));
    EXPECT_TRUE(window.waitFor([&] { return dialog->isVisible() && dialog->model().rowCount() == 4; }));
}

TEST(BridgeSampling, ComparesThePublishedGaussiansOnOpeningAndATypedOneOnRequest)
{
    BridgeSamplingPanel panel;
    panel.findChild<QComboBox*>("samplingDraws")->setCurrentIndex(0);
    panel.show();
    ASSERT_TRUE(waitUntil([&] { return !panel.busy(); }, 60000));
    const auto* figure  = panel.findChild<ChartView*>("samplingFigure");
    const auto* numbers = panel.findChild<ChartView*>("samplingNumbers");
    EXPECT_EQ(figure->chart().panels.size(), 4u);
    EXPECT_EQ(numbers->chart().table->rows.size(), 18u);
    EXPECT_TRUE(panel.findChild<QPushButton*>("toolExport")->isEnabled());
    panel.findChild<QComboBox*>("samplingSource")->setCurrentIndex(1);
    panel.findChild<QPushButton*>("toolRun")->click();
    ASSERT_TRUE(waitUntil([&] { return !panel.busy(); }, 60000));
    EXPECT_EQ(figure->chart().panels.size(), 2u);
}

TEST(BridgeSampling, ReportsAnInvalidGaussianAndStopsOnRequest)
{
    BridgeSamplingPanel panel;
    panel.show();
    panel.findChild<QPushButton*>("toolCancel")->click();
    EXPECT_FALSE(panel.busy());
    panel.findChild<QComboBox*>("samplingSource")->setCurrentIndex(1);
    panel.findChild<QDoubleSpinBox*>("samplingCovariance0")->setValue(50);
    panel.run();
    EXPECT_FALSE(panel.busy());
    bool shown = false;
    for (const auto* label : panel.findChildren<QLabel*>())
        shown = shown || label->text().contains("negative eigenvalue");
    EXPECT_TRUE(shown);
}

TEST(TopK, TheThresholdOfTheWindowMovesTheMarginalsOfTheChosenInput)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(50));
    auto* panel = window->panel("beta_marginals");
    ASSERT_NE(panel, nullptr);
    window.areaOf("beta_marginals")->show(panel);
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_THAT(panel->chart().caption, HasSubstr("T = 0.05."));
    window.find<QDoubleSpinBox>("topKThreshold")->setValue(0.3);
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_THAT(panel->chart().caption, HasSubstr("T = 0.3."));
    window.find<QSlider>("topKSlider")->setValue(0);
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_THAT(panel->chart().caption, HasSubstr("T = 0.001."));
    window.find<QSpinBox>("listLongest")->setValue(1);
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_THAT(panel->chart().caption, HasSubstr(", at most 1. Remain: "));
    EXPECT_THAT(panel->chart().caption, HasSubstr("(1 of 2 classes)"));
}
