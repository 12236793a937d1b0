// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_workbench.h"

#include "images/edit_panels.h"
#include "images/image_canvas.h"
#include "images/thumbnail_strip.h"
#include "window_driver.h"

#include "views/image_rows.h"

#include "unit/not_empty.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>

#include <numeric>

using namespace credence;
using testing::HasSubstr;

namespace {

/// The window with a few stroke digits and a small net.
class Bench : public WindowDriver {
public:
    Bench()
    {
        Study digits                       = study();
        digits.data.source                 = DataSource::strokes;
        digits.data.images.training_images = 100;
        digits.data.images.test_images     = 40;
        digits.network.hidden              = {16};
        digits.training.steps              = 30;
        digits.prediction.samples          = 30;
        (*this)->session().setStudy(digits);
        EXPECT_TRUE(waitFor([&] {
            return window().session().run().current().experiment
                   && has_images(*window().session().run().current().experiment);
        }));
        EXPECT_TRUE(settled());
    }

    ImageWorkbench& bench() { return *window().imageWorkbench(); }
    ImageCanvas& canvas() { return *bench().canvas(); }
    ViewOptions options() { return window().context().requests.chosen(); }

    bool settled()
    {
        return waitFor([&] { return !bench().settling(); }) && waitForPictures();
    }
    std::string boxes() { return to_csv(data_table(bench().chart()->chart())); }
    std::string headline() { return find<QLabel>("imageHeadline")->text().toStdString(); }

    /// A stroke through these pixels of the image, by the mouse.
    void stroke(const std::vector<QPointF>& pixels)
    {
        const auto at = [&](QPointF pixel) { return canvas().positionOf(pixel.x(), pixel.y()).toPoint(); };
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, at(pixels.front()));
        for (std::size_t i = 1; i < pixels.size(); ++i)
            for (int k = 1; k <= 5; ++k) {
                const QPointF between = pixels[i - 1] + (pixels[i] - pixels[i - 1]) * k / 5.0;
                QMouseEvent move(QEvent::MouseMove, at(between), canvas().mapToGlobal(at(between)), Qt::NoButton,
                                 Qt::LeftButton, {});
                QApplication::sendEvent(&canvas(), &move);
            }
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, at(pixels.back()));
    }
    void setBox(const char* name, double value) { find<QDoubleSpinBox>(name)->setValue(value); }
};

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}   // namespace

TEST(ImageWorkbench, IsAvailableOnlyForImages)
{
    WindowDriver toy;
    EXPECT_FALSE(toy->imageWorkbench()->isVisible());
    Bench window;
    EXPECT_TRUE(window.bench().isVisible());
    window->session().setStudy(Study{});
    ASSERT_TRUE(window.waitFor([&] { return !window->session().run().current().experiment->data->image; }));
    EXPECT_FALSE(window.bench().isVisible());
}

TEST(ImageWorkbench, ShowsTheChosenTestImageWithItsVerdictAndItsNeighbours)
{
    Bench window;
    window.find<QSpinBox>("inputRow")->setValue(7);
    ASSERT_TRUE(window.settled());
    const auto& experiment = *window->session().run().current().experiment;
    const auto bytes       = image_bytes(experiment, ImagePart::test, 7);
    EXPECT_THAT(window.canvas().pixels(), testing::ElementsAreArray(bytes));
    EXPECT_THAT(window.headline(),
                HasSubstr("test image 7: true " + std::to_string(experiment.data->test.labels[7]) + ", predicted "));
    EXPECT_THAT(window.find<QLabel>("imageOverlap")->text().toStdString(), HasSubstr("ertain by (i)"));
    EXPECT_THAT(window.find<QLabel>("imageProbability")->text().toStdString(), HasSubstr("ertain by (ii)"));
    EXPECT_EQ(window.bench().nearest()->count(), 8);
    EXPECT_THAT(window.bench().nearest()->at(0).tip.toStdString(), HasSubstr("Training image "));
    EXPECT_EQ(window.bench().chart()->chart().id, "boxplots");
}

TEST(ImageWorkbench, ReportsThePixelUnderThePointer)
{
    Bench window;
    std::size_t brightest = 0;
    for (std::size_t i = 0; i < 784; ++i)
        if (window.canvas().pixels()[i] > window.canvas().pixels()[brightest])
            brightest = i;
    const int x = static_cast<int>(brightest % 28), y = static_cast<int>(brightest / 28);
    const QPoint at = window.canvas().positionOf(x, y).toPoint();
    QMouseEvent move(QEvent::MouseMove, at, window.canvas().mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(&window.canvas(), &move);
    EXPECT_EQ(window.find<QLabel>("imagePixel")->text(),
              QStringLiteral("row %1, column %2: %3").arg(y).arg(x).arg(window.canvas().pixels()[brightest]));
}

TEST(ImageWorkbench, AStrokeOfTheMouseBecomesTheChosenInputAndMovesTheBoxplots)
{
    Bench window;
    const auto before = window.boxes();
    window.clickButton("imageDraw");
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(sum(window.options().input.values), 0);   // nothing drawn yet
    const auto empty = window.boxes();
    EXPECT_NE(empty, before);
    window.stroke({{5, 4}, {20, 5}, {9, 23}});
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.options().input.name, "drawn image");
    EXPECT_FALSE(window.options().input.label);
    EXPECT_GT(sum(window.options().input.values), 20 * 255);
    EXPECT_NE(window.boxes(), empty);
    EXPECT_THAT(window.headline(), HasSubstr("drawn image: predicted "));
    EXPECT_THAT(window.find<QLabel>("chosenInput")->text().toStdString(), testing::Not(HasSubstr("784")));
}

TEST(ImageWorkbench, ShowsQuickPicturesWhileThePenMovesAndFullOnesWhenItRests)
{
    Bench window;
    Study study              = window.study();
    study.prediction.samples = 120;
    window->session().setStudy(study);
    window.clickButton("imageDraw");
    ASSERT_TRUE(window.settled());
    const auto at = window.canvas().positionOf(14, 14).toPoint();
    QTest::mousePress(&window.canvas(), Qt::LeftButton, {}, at);
    ASSERT_TRUE(window.waitFor(
        [&] { return window.bench().chart()->chart().caption.find("50 samples") != std::string::npos; }));
    QTest::mouseRelease(&window.canvas(), Qt::LeftButton, {}, at);
    ASSERT_TRUE(window.waitFor(
        [&] { return window.bench().chart()->chart().caption.find("120 samples") != std::string::npos; }));
}

TEST(ImageWorkbench, ADrawingIsCentredUnlessTurnedOffAndCanBeUndoneErasedAndCleared)
{
    Bench window;
    window.clickButton("imageDraw");
    window.stroke({{3, 3}, {3, 12}});
    const auto column = [&] {
        double x = 0;
        for (std::size_t i = 0; i < 784; ++i)
            x += window.options().input.values[i] * static_cast<double>(i % 28);
        return x / sum(window.options().input.values);
    };
    EXPECT_NEAR(column(), 13.5, 0.1);
    window.find<QCheckBox>("imageCentre")->setChecked(false);
    EXPECT_NEAR(column(), 3, 0.2);
    const auto one = window.options().input.values;
    window.stroke({{20, 3}, {20, 12}});
    EXPECT_GT(sum(window.options().input.values), 1.9 * sum(one));
    QTest::keyClick(&window.canvas(), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(window.options().input.values, one);
    window.clickButton("imageEraser");
    window.stroke({{3, 2}, {3, 13}});
    EXPECT_LT(sum(window.options().input.values), 0.1 * sum(one));
    window.clickButton("imageClear");
    EXPECT_EQ(sum(window.options().input.values), 0);
    EXPECT_EQ(window->context().document.undo().count(), 0);   // no setting was touched
}

TEST(ImageWorkbench, DrawsWithTheKeyboardToo)
{
    Bench window;
    window.clickButton("imageDraw");
    window.find<QCheckBox>("imageCentre")->setChecked(false);
    window.canvas().setFocus();
    QTest::keyClick(&window.canvas(), Qt::Key_Right);
    QTest::keyClick(&window.canvas(), Qt::Key_Space);
    for (int i = 0; i < 6; ++i)
        QTest::keyClick(&window.canvas(), Qt::Key_Down);
    QTest::keyClick(&window.canvas(), Qt::Key_Space);
    QTest::keyClick(&window.canvas(), Qt::Key_Down);   // lifted: leaves no ink
    ASSERT_EQ(window.canvas().strokes().size(), 1U);
    EXPECT_EQ(window.canvas().strokes()[0].line.size(), 7U);
}

TEST(ImageWorkbench, SlidersTransformTheImageWhichKeepsItsClassAndRestoreIt)
{
    Bench window;
    window.find<QSpinBox>("inputRow")->setValue(3);
    ASSERT_TRUE(window.settled());
    const auto original = window.canvas().pixels();
    const auto before   = window.boxes();
    const int label     = window->session().run().current().experiment->data->test.labels[3];
    window.clickButton("imageDisturb");
    window.find<QSlider>("disturbRotateSlider")->setValue(20);
    EXPECT_EQ(window.find<QDoubleSpinBox>("disturbRotate")->value(), 20);
    window.setBox("disturbBlur", 0.8);
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.options().input.name, "test image 3, rotated 20°, blurred 0.8 px");
    EXPECT_EQ(window.options().input.label, label);
    EXPECT_THAT(window.headline(),
                HasSubstr("test image 3, rotated 20°, blurred 0.8 px: true " + std::to_string(label)));
    EXPECT_EQ(window.canvas().pixels(), disturbed(original, {1, 28, 28}, {.placement = {.degrees = 20}, .blur = 0.8}));
    EXPECT_NE(window.boxes(), before);
    window.clickButton("imageBack");
    ASSERT_TRUE(window.settled());
    EXPECT_TRUE(window.options().input.values.empty());
    EXPECT_EQ(window.options().input.row, 3U);
    EXPECT_EQ(window.canvas().pixels(), original);
    EXPECT_EQ(window.boxes(), before);
    EXPECT_EQ(window.find<QSlider>("disturbRotateSlider")->value(), 0);
}

TEST(ImageWorkbench, NewNoiseIsOtherNoise)
{
    Bench window;
    window.clickButton("imageDisturb");
    window.setBox("disturbNoise", 60);
    const auto first = window.options().input.values;
    window.clickButton("disturbNewNoise");
    EXPECT_NE(window.options().input.values, first);
    EXPECT_THAT(window.options().input.name, HasSubstr("noise 60"));
}

TEST(ImageWorkbench, CorruptsTheImageByKindAndSeverity)
{
    Bench window;
    const auto original = window.canvas().pixels();
    window.clickButton("imageDisturb");
    auto* kind = window.find<QComboBox>("disturbCorruption");
    ASSERT_EQ(kind->count(), corruption_kinds);
    kind->setCurrentIndex(static_cast<int>(Corruption::snow));
    Q_EMIT kind->activated(kind->currentIndex());
    EXPECT_EQ(window.find<QSpinBox>("disturbSeverity")->value(), 3) << "starts with a visible effect";
    EXPECT_EQ(window.options().input.name, "test image 0, Snow of severity 3");
    EXPECT_EQ(window.canvas().pixels(), corrupted(original, {1, 28, 28}, Corruption::snow, 3, 0, 1));
    window.find<QSpinBox>("disturbSeverity")->setValue(5);
    EXPECT_EQ(window.canvas().pixels(), corrupted(original, {1, 28, 28}, Corruption::snow, 5, 0, 1));
    window.clickButton("disturbReset");
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.canvas().pixels(), original);
    EXPECT_EQ(window.find<QSpinBox>("disturbSeverity")->value(), 0);
}

TEST(ImageWorkbench, MorphsIntoAnImageOfAClassOrIntoTheNextChosenOne)
{
    Bench window;
    const auto& labels = window->session().run().current().experiment->data->test.labels;
    const int other    = (labels[0] + 1) % 10;
    window.clickButton("imageDisturb");
    auto* target = window.find<QComboBox>("disturbTarget");
    target->setCurrentIndex(target->findData(other));
    Q_EMIT target->activated(target->currentIndex());
    ASSERT_TRUE(window.settled());
    ASSERT_TRUE(window.bench().image().morph);
    EXPECT_EQ(window.bench().image().target.label, other);
    EXPECT_THAT(window.options().input.name, HasSubstr("test image 0, 50 % of the way into test image "));
    window.setBox("disturbMorph", 100);
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.canvas().pixels(), window.bench().image().target.pixels);
    EXPECT_EQ(window.options().input.label, other);

    target->setCurrentIndex(target->findData(DisturbPanel::nextChosen));
    Q_EMIT target->activated(target->currentIndex());
    window.find<QSpinBox>("inputRow")->setValue(12);
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.bench().image().base.name, "test image 0");
    EXPECT_EQ(window.bench().image().target.name, "test image 12");
}

TEST(ImageWorkbench, AClickOnANeighbourMorphsIntoIt)
{
    Bench window;
    QTest::mouseClick(window.bench().nearest(), Qt::LeftButton, {}, {20, 20});
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.bench().mode(), ImageWorkbench::Mode::disturb);
    EXPECT_THAT(window.options().input.name, HasSubstr("way into training image "));
}

TEST(ImageWorkbench, AnotherChosenImageResetsTheTransformations)
{
    Bench window;
    window.clickButton("imageDisturb");
    window.setBox("disturbRotate", 45);
    window.find<QSpinBox>("inputRow")->setValue(5);
    ASSERT_TRUE(window.settled());
    EXPECT_TRUE(window.options().input.values.empty());
    EXPECT_TRUE(window.bench().image().untouched());
    window.clickButton("imageDraw");
    window.stroke({{5, 5}, {20, 20}});
    window.find<QSpinBox>("inputRow")->setValue(6);
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.bench().mode(), ImageWorkbench::Mode::look);
    EXPECT_EQ(window.bench().image().base.name, "test image 6");
}

TEST(ImageWorkbench, ATransformedImageStaysChosenWhileTrainingContinues)
{
    Bench window;
    window.clickButton("imageDisturb");
    window.setBox("disturbRotate", 30);
    ASSERT_TRUE(window.settled());
    const auto input  = window.options().input.values;
    const auto before = window.boxes();
    ASSERT_TRUE(window.train(30));
    EXPECT_EQ(window.options().input.values, input);
    EXPECT_NE(window.boxes(), before);
    EXPECT_THAT(window.headline(), HasSubstr("rotated 30°"));
    EXPECT_EQ(window.bench().image().disturbance.placement.degrees, 30);
}

TEST(ImageWorkbench, ShowsIntervalsInPlaceOfBoxplots)
{
    Bench window;
    window.clickButton("imageIntervals");
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.bench().chart()->chart().id, "intervals");
}

TEST(ImageWorkbench, TheCurveOfATransformationMarksTheCurrentStrength)
{
    Bench window;
    window.clickButton("imageDisturb");
    window.setBox("disturbRotate", 30);
    window.showView("disturbance_curve");
    ASSERT_TRUE(window.settled());
    const auto chart = window->panel("disturbance_curve")->chart();
    ASSERT_EQ(chart.panels.size(), 3U) << chart.message;
    EXPECT_EQ(std::get<Rule>(chart.panels[1].series.back()).at, 30);
    auto* sweep = window.find<QComboBox>("sweep");
    sweep->setCurrentIndex(sweep->findData(static_cast<int>(DisturbanceSweep::noise)));
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window->panel("disturbance_curve")->chart().panels[1].x.label, "Noise");

    // The input of the network starts with the transformed image.
    auto* seen = window.showView("prepared_images");
    EXPECT_TRUE(seen->isVisible());
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(seen->chart().id, "prepared_images");
    EXPECT_EQ(seen->chart().message, "");
    EXPECT_NE(seen->chart().caption.find("rotated 30°"), std::string::npos) << seen->chart().caption;
}

TEST(ImageWorkbench, DoesNothingWhereThereAreNoImages)
{
    WindowDriver window;   // two moons
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    auto& bench       = *window->imageWorkbench();
    const auto before = window->context().selection.chosen();
    for (const auto mode : {ImageWorkbench::Mode::disturb, ImageWorkbench::Mode::draw, ImageWorkbench::Mode::look}) {
        bench.setMode(mode);
        for (const char* slider : {"disturbRotate", "disturbScale", "disturbBlur", "disturbNoise", "disturbMorph"})
            bench.findChild<QDoubleSpinBox*>(slider)->stepBy(3);
        for (auto* button : bench.findChildren<QAbstractButton*>())
            button->click();
    }
    EXPECT_EQ(window->context().selection.chosen().input, before.input);
    EXPECT_EQ(window->context().selection.chosen().row, before.row);
}

TEST(ImageWorkbench, DropsPendingWorkWhenDataWithoutImagesAreLoaded)
{
    Bench window;
    window.bench().setMode(ImageWorkbench::Mode::disturb);
    window.find<QDoubleSpinBox>("disturbRotate")->setValue(30);   // announced again when the mouse stops
    ASSERT_TRUE(window.bench().settling());
    Study moons;
    ASSERT_EQ(moons.data.source, DataSource::toy);
    window->session().setStudy(moons);
    ASSERT_TRUE(window.waitFor([&] { return !has_images(*window->session().run().experiment); }));
    EXPECT_FALSE(window.bench().settling());
    window.find<QDoubleSpinBox>("disturbRotate")->setValue(60);
    EXPECT_FALSE(window.bench().settling());
    EXPECT_EQ(window.options().input.values, std::vector<double>{});
}

TEST(ImageWorkbench, EveryControlHasANameForScreenReaders)
{
    Bench window;
    for (auto* widget : credence::not_empty(window.bench().findChildren<QWidget*>()))
        if (widget->focusPolicy() != Qt::NoFocus && !widget->objectName().startsWith("qt_")
            && (qobject_cast<QAbstractButton*>(widget) || qobject_cast<QAbstractSpinBox*>(widget)
                || qobject_cast<QAbstractSlider*>(widget) || qobject_cast<QComboBox*>(widget))) {
            EXPECT_FALSE(widget->accessibleName().isEmpty() && !qobject_cast<QCheckBox*>(widget)
                         && !qobject_cast<QScrollBar*>(widget))
                << widget->objectName().toStdString();
        }
}
