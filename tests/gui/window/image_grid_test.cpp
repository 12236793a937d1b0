// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "images/image_area.h"
#include "images/image_grid.h"
#include "images/image_list.h"
#include "parts/workbench.h"
#include "session/app_context.h"
#include "widgets/chart_hand.h"

#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QListView>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>

using namespace credence;

namespace {

/// Few stroke digits and a small network: predictions of all of them take milliseconds.
Study strokes(int test = 120)
{
    Study study;
    study.name                        = "Strokes";
    study.data.source                 = DataSource::strokes;
    study.data.images.training_images = 300;
    study.data.images.test_images     = test;
    study.network.hidden              = {16};
    study.prediction.samples          = 20;
    study.training.steps              = 150;
    return study;
}

class Images : public testing::Test {
protected:
    void open(const Study& study)
    {
        window->session().setStudy(study);
        ASSERT_TRUE(window.waitFor(
            [&] { return window->session().state() == Session::State::ready && grid().model().predicted(); }));
        ASSERT_TRUE(window.waitForPictures());
        ASSERT_TRUE(list().isVisible());
    }
    ImageGrid& grid() { return window.imageGrid(); }
    QListView& list() { return *grid().list(); }
    const ImageListModel& model() { return grid().model(); }
    QString status() { return window.find<QLabel>("imageStatus")->text(); }
    void clickImage(int place)
    {
        list().scrollTo(model().index(place));
        QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, list().visualRect(model().index(place)).center());
    }
    void clickFilter(const QString& name) { QTest::mouseClick(window.find<QToolButton>(name), Qt::LeftButton); }
    /// A cell of the confusion matrix in this panel.
    void clickCell(ViewPanel* panel, int truth, int predicted)
    {
        auto* view     = panel->chartView();
        const QPoint p = view->positionOf(0, predicted, truth).toPoint();
        auto* target   = view->childAt(p);
        ASSERT_NE(target, nullptr);
        QTest::mouseClick(target, Qt::LeftButton, {}, target->mapFrom(view, p));
    }

    WindowDriver window;
};

}   // namespace

TEST_F(Images, AreInTheCentreWithTheirUntrainedPredictions)
{
    open(strokes());
    EXPECT_EQ(model().rowCount(), 120);
    EXPECT_EQ(model().predictions().size(), 120U);
    EXPECT_TRUE(model().predicted()->whole());
    EXPECT_EQ(model().predicted()->draws, 20);
    EXPECT_THAT(status().toStdString(), testing::HasSubstr("120 of 120 test images"));
    EXPECT_FALSE(window->panel("decision_map")->isVisible());
}

TEST_F(Images, EachFilterShowsTheNumberOnItsButton)
{
    open(strokes());
    ASSERT_TRUE(window.train(150));
    for (const auto& [name, filter] : {std::pair{"filterWrong", ImageFilter::wrong},
                                       {"filterUncertain", ImageFilter::uncertain},
                                       {"filterCertainWrong", ImageFilter::certain_but_wrong},
                                       {"filterRight", ImageFilter::right},
                                       {"filterAll", ImageFilter::all}}) {
        clickFilter(name);
        EXPECT_EQ(grid().choice().filter, filter);
        EXPECT_EQ(model().rowCount(), model().rows().count(filter));
        EXPECT_TRUE(window.find<QToolButton>(name)->text().endsWith(' ' + QString::number(model().rowCount()))) << name;
        for (int i = 0; i < model().rowCount(); ++i) {
            const auto image = model().imageAt(i);
            const bool right = model().predictionOf(image)->predicted == model().labelOf(image);
            EXPECT_TRUE(filter != ImageFilter::wrong || !right);
            EXPECT_TRUE(filter != ImageFilter::right || right);
            EXPECT_TRUE(filter != ImageFilter::uncertain || !model().predictionOf(image)->certain_no_overlap);
        }
    }
    EXPECT_EQ(model().rows().wrong + model().rows().right, 120);
}

TEST_F(Images, TheFirstClickOpensTheInspectorAndSelectsTheImageUnderThePointer)
{
    open(strokes());
    window->resize(1440, 900);
    window->workbench().reset();
    ASSERT_FALSE(window.isOpen("inputDock"));
    clickImage(31);
    EXPECT_TRUE(window.waitFor([&] { return window.isOpen("inputDock"); }));
    EXPECT_EQ(list().currentIndex().row(), 31);
    EXPECT_EQ(window->context().selection.chosen().row, 31U);
}

TEST_F(Images, AClickChoosesTheInputThatBoxplotsFollow)
{
    open(strokes());
    window.showView("boxplots");   // for images the page Image is in front
    ASSERT_TRUE(window.waitForPictures());
    const auto before = data_table(window->panel("boxplots")->chart()).rows;
    clickImage(17);
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_EQ(window->context().requests.chosen().input.row, 17U);
    EXPECT_EQ(window.find<QSpinBox>("inputRow")->value(), 17);
    EXPECT_NE(data_table(window->panel("boxplots")->chart()).rows, before);
    EXPECT_THAT(window.find<QLabel>("chosenInput")->text().toStdString(),
                testing::HasSubstr("true class " + std::to_string(model().labelOf(17))));
    window.find<QSpinBox>("inputRow")->setValue(44);   // and the other way round
    EXPECT_EQ(list().currentIndex().row(), 44);
}

TEST_F(Images, OfTheTrainingSetCanBeChosenWithTheirClass)
{
    open(strokes());
    auto* part = window.find<QComboBox>("imagePart");
    part->setCurrentIndex(part->findData(static_cast<int>(ImagePart::training)));
    ASSERT_TRUE(window.waitFor([&] { return model().predicted(); }));
    EXPECT_EQ(model().rowCount(), 300);
    window.showView("boxplots");   // in front is Image
    clickImage(5);
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_EQ(window->context().requests.chosen().input.values.size(), 784U);
    EXPECT_EQ(window->context().requests.chosen().input.name, "training image 5");
    EXPECT_EQ(window->context().requests.chosen().input.label, model().labelOf(5));
    EXPECT_TRUE(window.waitFor([&] { return !data_table(window->panel("boxplots")->chart()).rows.empty(); }));
    part->setCurrentIndex(part->findData(static_cast<int>(ImagePart::test)));
    EXPECT_FALSE(list().currentIndex().isValid()) << "the chosen image is not among these";
}

TEST_F(Images, KeysMoveTheChoice)
{
    open(strokes());
    clickImage(0);
    const auto press = [&](Qt::Key key) { QTest::keyClick(&list(), key); };
    press(Qt::Key_Right);
    EXPECT_EQ(window->context().requests.chosen().input.row, 1U);
    press(Qt::Key_Down);
    const auto below = window->context().requests.chosen().input.row;
    EXPECT_GT(below, 2U);
    EXPECT_GT(list().visualRect(model().index(static_cast<int>(below))).top(),
              list().visualRect(model().index(1)).top());
    EXPECT_EQ(list().visualRect(model().index(static_cast<int>(below))).left(),
              list().visualRect(model().index(1)).left());
    press(Qt::Key_End);
    EXPECT_EQ(window->context().requests.chosen().input.row, 119U);
    press(Qt::Key_PageUp);
    EXPECT_LT(window->context().requests.chosen().input.row, 119U);
    press(Qt::Key_Home);
    EXPECT_EQ(window->context().requests.chosen().input.row, 0U);
    const int label = model().labelOf(40);
    QTest::keyClick(&list(), static_cast<Qt::Key>(Qt::Key_0 + label));
    EXPECT_EQ(model().labelOf(static_cast<std::uint32_t>(window->context().requests.chosen().input.row)), label)
        << "typing a class jumps to its next image";
}

TEST_F(Images, ACellOfTheConfusionMatrixShowsItsImagesUntilTheChipIsClicked)
{
    open(strokes());
    ASSERT_TRUE(window.train(150));
    clickFilter("filterWrong");
    ASSERT_GT(model().rowCount(), 0);
    const auto image = model().imageAt(0);
    const int truth = model().labelOf(image), predicted = model().predictionOf(image)->predicted;
    window.find<ViewArea>("centreTabs")->show(window.imageConfusion());
    ASSERT_TRUE(window.waitForPictures());
    clickCell(window.imageConfusion(), truth, predicted);
    EXPECT_TRUE(list().isVisible());
    EXPECT_EQ(grid().choice().true_class, truth);
    EXPECT_EQ(grid().choice().predicted_class, predicted);
    ASSERT_GT(model().rowCount(), 0);
    for (int i = 0; i < model().rowCount(); ++i) {
        EXPECT_EQ(model().labelOf(model().imageAt(i)), truth);
        EXPECT_EQ(model().predictionOf(model().imageAt(i))->predicted, predicted);
    }
    auto* chip = window.find<QToolButton>("classChip");
    EXPECT_TRUE(chip->isVisible());
    EXPECT_EQ(chip->text(), QStringLiteral("true %1, predicted %2").arg(truth).arg(predicted));
    QTest::mouseClick(chip, Qt::LeftButton);
    EXPECT_FALSE(chip->isVisible());
    EXPECT_EQ(model().rowCount(), 120);
}

TEST_F(Images, ABarOfTheCalibrationListsItsImagesUntilTheChipIsClicked)
{
    open(strokes());
    ASSERT_TRUE(window.train(150));
    window.showView("calibration");
    ASSERT_TRUE(window.waitForPictures());
    auto* panel = window->panel("calibration");
    ASSERT_EQ(panel->chart().panels.size(), 3U) << panel->chart().message;
    const auto bars = std::get<Bars>(panel->chart().panels.front().series.front());
    ASSERT_FALSE(bars.data_rows.empty());
    Q_EMIT panel->chartView()->hand().pointClicked(0, bars.position.back(), 0.5);
    EXPECT_TRUE(window.waitFor([&] { return list().isVisible(); }));
    ASSERT_EQ(model().rowCount(), static_cast<int>(bars.data_rows.back().size()));
    EXPECT_EQ(model().imageAt(0), bars.data_rows.back().front().row);
    QTest::mouseClick(window.find<QToolButton>("classChip"), Qt::LeftButton);
    EXPECT_EQ(model().rowCount(), 120);
}

TEST_F(Images, TheConfusionMatrixOfTheDockCountsWhatTheGridShowsAndFiltersItToo)
{
    open(strokes());
    window.showView("confusion");
    ASSERT_TRUE(window.waitForPictures());
    const auto& chart = window->panel("confusion")->chart();
    ASSERT_FALSE(chart.panels.empty()) << chart.message;
    const auto& map   = std::get<HeatMap>(chart.panels[0].series[0]);
    const auto& first = *model().predictionOf(0);
    clickCell(window->panel("confusion"), model().labelOf(0), first.predicted);
    EXPECT_EQ(model().rowCount(),
              static_cast<int>(map.z[static_cast<std::size_t>(model().labelOf(0) * 10 + first.predicted)]));
}

TEST_F(Images, AnEmptySelectionStatesWhy)
{
    open(strokes());
    auto* truth = window.find<QComboBox>("trueClass");
    truth->setCurrentIndex(truth->findData(4));
    auto* criterion = window.find<QComboBox>("imageCriterion");
    criterion->setCurrentIndex(criterion->findData(static_cast<int>(CertaintyCriterion::probability)));
    clickFilter("filterCertainWrong");
    ASSERT_EQ(model().rowCount(), 0) << "an untrained net is never certain";
    EXPECT_TRUE(window.find<QLabel>("imageMessage")->isVisible());
    EXPECT_EQ(window.find<QLabel>("imageMessage")->text(),
              QStringLiteral("No image of class 4 is certain but wrong at α = 0.95."));
}

TEST_F(Images, SelectionAndPositionStayWhilePredictionsUpdate)
{
    open(strokes(400));
    clickImage(200);
    ASSERT_TRUE(window.waitForPictures());
    const int place = list().verticalScrollBar()->value();
    ASSERT_GT(place, 0);
    window.setSteps(100000000);
    ASSERT_TRUE(window.waitFor([&] { return window->session().state() == Session::State::ready; }));
    window.clickAction("train");
    ASSERT_TRUE(
        window.waitFor([&] { return model().predicted() && model().predicted()->run.snapshot->point.step > 0; }));
    const auto seen = model().predicted()->run.snapshot->point.step;
    ASSERT_TRUE(window.waitFor([&] { return model().predicted()->run.snapshot->point.step > seen; }))
        << "the grid follows the training";
    EXPECT_LE(model().predicted()->draws, 20);
    EXPECT_EQ(list().currentIndex().row(), 200);
    EXPECT_EQ(list().verticalScrollBar()->value(), place);
    clickImage(210);
    EXPECT_EQ(window->context().requests.chosen().input.row, 210U);
    auto* order = window.find<QComboBox>("imageOrder");
    order->setCurrentIndex(order->findData(static_cast<int>(ImageOrder::entropy)));
    const auto later = model().predicted()->run.snapshot->point.step;
    ASSERT_TRUE(window.waitFor([&] { return model().predicted()->run.snapshot->point.step > later; }));
    EXPECT_EQ(grid().chosen(), 210U);
    EXPECT_EQ(model().imageAt(list().currentIndex().row()), 210U) << "wherever it is now";
    EXPECT_EQ(window->context().requests.chosen().input.row, 210U);
    window.clickAction("stop");
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_EQ(model().predicted()->draws, 20) << "all draws once it is still";
}

TEST_F(Images, OrdersAreThoseOfTheirNumbers)
{
    open(strokes());
    auto* order = window.find<QComboBox>("imageOrder");
    order->setCurrentIndex(order->findData(static_cast<int>(ImageOrder::entropy)));
    for (int i = 1; i < model().rowCount(); ++i)
        EXPECT_GE(model().predictionOf(model().imageAt(i - 1))->entropy,
                  model().predictionOf(model().imageAt(i))->entropy);
}

TEST_F(Images, TheSliderAndTheKeysChangeTheirSize)
{
    open(strokes());
    auto* zoom  = window.find<QSlider>("imageZoom");
    auto* cells = static_cast<ImageDelegate*>(list().itemDelegate());
    zoom->setValue(0);
    EXPECT_EQ(cells->side(), 28);
    zoom->setValue(3);
    EXPECT_EQ(cells->side(), 112);
    const int wide = list().visualRect(model().index(0)).width();
    QTest::keyClick(&list(), Qt::Key_Minus);
    EXPECT_EQ(cells->side(), 84);
    EXPECT_LT(list().visualRect(model().index(0)).width(), wide);
}

TEST_F(Images, PicturesAreTheBytesOfTheDataAtWholeMultiples)
{
    open(strokes());
    const QImage small = model().picture(3);
    ASSERT_EQ(small.size(), QSize(28, 28));
    const auto bytes = image_bytes(model().experiment(), ImagePart::test, 3);
    for (int y = 0; y < 28; ++y)
        for (int x = 0; x < 28; ++x)
            EXPECT_EQ(qGray(small.pixel(x, y)), bytes[static_cast<std::size_t>(y * 28 + x)]);
    QImage page(64, 64, QImage::Format_RGB32);
    page.fill(Qt::red);
    QPainter painter(&page);
    drawCrisp(painter, small, QRectF(0, 0, 64, 64));
    painter.end();
    for (int y = 0; y < 56; ++y)
        for (int x = 0; x < 56; ++x)
            EXPECT_EQ(page.pixel(4 + x, 4 + y), small.pixel(x / 2, y / 2) | 0xff000000);
}

TEST_F(Images, ColoursKeepTheirChannels)
{
    const std::vector<std::uint8_t> bytes{10, 20, 30, 40, 50, 60};   // 1 × 2 pixels
    const QImage image = pictureOf(bytes, {3, 1, 2});
    EXPECT_EQ(image.pixel(0, 0), qRgb(10, 30, 50));
    EXPECT_EQ(image.pixel(1, 0), qRgb(20, 40, 60));
}

TEST_F(Images, WordsForScreenReadersAndTipsCarryTheNumbers)
{
    open(strokes());
    const auto words = model().index(2).data(Qt::AccessibleTextRole).toString().toStdString();
    EXPECT_THAT(words,
                testing::StartsWith("test image 2, true class " + std::to_string(model().labelOf(2)) + ", predicted "));
    EXPECT_THAT(words, testing::HasSubstr("nats"));
    const auto tip = model().index(2).data(Qt::ToolTipRole).toString().toStdString();
    for (const char* part : {"Confidence", "Predictive entropy", "Epistemic part", "(i)", "(ii)", "20"})
        EXPECT_THAT(tip, testing::HasSubstr(part));
    for (const char* name : {"trueClass", "predictedClass", "imageOrder", "imageCriterion", "imagePart"})
        EXPECT_FALSE(window.find<QComboBox>(name)->accessibleName().isEmpty()) << name;
}

TEST_F(Images, ShowDataShowsTheTableOfTheDisplayedImages)
{
    open(strokes());
    clickFilter("filterWrong");
    const int wrong = model().rowCount();
    QTest::mouseClick(window.find<QToolButton>("data/image_grid"), Qt::LeftButton);
    const auto tables = grid().findChildren<QTableView*>();
    ASSERT_EQ(tables.size(), 1);
    EXPECT_TRUE(tables.front()->isVisible());
    EXPECT_EQ(tables.front()->model()->rowCount(), wrong);
    QTest::mouseClick(window.find<QToolButton>("data/image_grid"), Qt::LeftButton);
    EXPECT_TRUE(list().isVisible());
}

TEST_F(Images, GiveWayToTheMapWhenTheDataHaveOne)
{
    open(strokes());
    clickImage(17);
    window->session().setStudy(Study{});
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_FALSE(grid().isVisible());
    EXPECT_TRUE(window->panel("decision_map")->isVisible());
    EXPECT_TRUE(window->panel("decision_map")->chart().message.empty());
}

TEST_F(Images, RunsOnThemAreComparedByTheirScores)
{
    open(strokes());
    ASSERT_TRUE(window.train(60));
    ASSERT_TRUE(window.train(90));
    for (const int row : {0, 1})
        window->context().runs.setData(window->context().runs.index(row, SavedRuns::name), Qt::Checked,
                                       Qt::CheckStateRole);
    window.clickButton("compareRuns");
    ASSERT_TRUE(window.waitForPictures());
    const auto& chart = window->panel("compare_decision_maps")->chart();
    ASSERT_TRUE(chart.table.has_value()) << chart.message;
    EXPECT_EQ(chart.table->columns.size(), 3U);
    EXPECT_TRUE(window->panel("compare_decision_maps")->isVisible());
    window.clickButton("endComparison");
    EXPECT_TRUE(list().isVisible());
}

TEST_F(Images, TheTimeMachineMovesTheGrid)
{
    open(strokes());
    ASSERT_TRUE(window.train(150));
    EXPECT_EQ(model().predicted()->run.snapshot->point.step, 150);
    ASSERT_GT(window->session().run().recorded().size(), 2U);
    window->session().currentRun().showRecorded(0);
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_EQ(model().predicted()->run.snapshot, window->session().run().recorded().front());
}

TEST_F(Images, ThousandsOfImagesArePaintedOnlyWhereVisible)
{
    open(strokes(5000));
    int painted = 0;
    class Counter : public QStyledItemDelegate {
    public:
        explicit Counter(int& painted) : m_painted(painted) {}
        void paint(QPainter*, const QStyleOptionViewItem&, const QModelIndex&) const override { ++m_painted; }

    private:
        int& m_painted;
    } counter(painted);
    auto* own = list().itemDelegate();
    list().setItemDelegate(&counter);
    list().verticalScrollBar()->setValue(list().verticalScrollBar()->maximum() / 2);
    painted = 0;
    list().viewport()->repaint();
    EXPECT_GT(painted, 10);
    EXPECT_LT(painted, 300);
    list().setItemDelegate(own);
}
