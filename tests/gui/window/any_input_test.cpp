// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "images/image_area.h"
#include "images/image_grid.h"
#include "images/image_workbench.h"
#include "images/own_pictures.h"
#include "images/thumbnail_strip.h"
#include "views/input_dock.h"

#include "study/presets.h"
#include "views/image_rows.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QDragEnterEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMimeData>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>

using namespace credence;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

/// The window with a network on four of ten stroke digits: the other six are out of distribution.
class AnyInput : public WindowDriver {
public:
    AnyInput()
    {
        Study digits                       = study();
        digits.data.source                 = DataSource::strokes;
        digits.data.images.training_images = 100;
        digits.data.images.test_images     = 60;
        digits.data.images.only_classes    = {0, 1, 2, 3};
        digits.network.hidden              = {12};
        digits.prediction.samples          = 20;
        (*this)->session().setStudy(digits);
        EXPECT_TRUE(waitFor([&] {
            return window().session().run().current().experiment
                   && has_images(*window().session().run().current().experiment);
        }));
        EXPECT_TRUE(settled());
    }

    ViewOptions options() { return window().context().requests.chosen(); }
    const Experiment& experiment() { return *window().session().run().current().experiment; }
    std::string words() { return find<QLabel>("chosenInput")->text().toStdString(); }
    bool settled()
    {
        return waitFor([&] {
                   return !find<AttackControl>("attackControl")->busy() && !window().imageWorkbench()->settling();
               })
               && waitForPictures();
    }
    /// The caption of this view of the chosen input, brought to the front.
    std::string captionOf(const char* view)
    {
        showView(view);
        EXPECT_TRUE(settled());
        const auto& chart = window().panel(view)->chart();
        EXPECT_EQ(chart.message, "") << view;
        return chart.caption;
    }
    void showOod()
    {
        auto* part = find<QComboBox>("imagePart");
        part->setCurrentIndex(part->findData(static_cast<int>(ImagePart::ood)));
        EXPECT_TRUE(waitFor([&] { return imageGrid().part() == ImagePart::ood && imageGrid().model().predicted(); }));
        EXPECT_TRUE(settled());
    }
    void clickImage(int place)
    {
        auto* list       = imageGrid().list();
        const auto index = imageGrid().model().index(place);
        list->scrollTo(index);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(index).center());
        EXPECT_TRUE(settled());
    }
    bool has(const QString& filter) { return !find<QToolButton>(filter)->isHidden(); }
};

/// A dark square on a light page.
QImage darkOnLight(int width, int height)
{
    QImage image(width, height, QImage::Format_RGB32);
    image.fill(Qt::white);
    for (int y = height / 3; y < 2 * height / 3; ++y)
        for (int x = width / 3; x < 2 * width / 3; ++x)
            image.setPixel(x, y, qRgb(0, 0, 0));
    return image;
}

}   // namespace

TEST(AnyInputOfTheWindow, CanBeAnOodImageFromTheGridUntilTheDataChange)
{
    AnyInput window;
    EXPECT_TRUE(window.has("filterWrong"));
    EXPECT_FALSE(window.has("filterCertain"));
    window.find<QSpinBox>("inputRow")->setValue(3);
    window.showOod();
    EXPECT_FALSE(window.has("filterWrong"));
    EXPECT_FALSE(window.has("filterRight"));
    EXPECT_TRUE(window.has("filterCertain"));
    EXPECT_TRUE(window.has("filterUncertain"));
    const auto& model = window.imageGrid().model();
    EXPECT_FALSE(model.hasTruth());
    EXPECT_EQ(static_cast<std::size_t>(model.rowCount()), 60 - window.experiment().data->test.n_rows);
    EXPECT_THAT(window.find<QLabel>("imageStatus")->text().toStdString(), HasSubstr(" OOD images"));
    EXPECT_THAT(window.find<QLabel>("imageStatus")->text().toStdString(), testing::Not(HasSubstr("wrong")));
    const auto& confusion = window.imageConfusion()->chart();
    EXPECT_THAT(confusion.message, StartsWith("OOD images have classes unknown to the network"));

    window.clickImage(5);
    const auto chosen = window.options();
    EXPECT_THAT(chosen.input.name, StartsWith("image 5 of other classes of "));
    EXPECT_THAT(chosen.input.name, EndsWith(" (class " + model.trueClassName(model.imageAt(5)).toStdString() + ")"));
    EXPECT_FALSE(chosen.input.label);
    EXPECT_EQ(chosen.input.row, 3U) << "the number of the test image stays";
    EXPECT_EQ(window.find<QSpinBox>("inputRow")->text(), "another image");
    EXPECT_THAT(window.words(), EndsWith(", true class unknown"));
    EXPECT_EQ(window.imageGrid().list()->currentIndex().row(), 5);
    EXPECT_THAT(window->imageWorkbench()->image().pixels(),
                testing::ElementsAreArray(image_bytes(window.experiment(), ImagePart::ood, model.imageAt(5),
                                                      window.imageGrid().ood().get())));
    for (const char* view : {"boxplots", "intervals", "simplex", "beta_marginals", "attack_input"})
        EXPECT_THAT(window.captionOf(view), HasSubstr(chosen.input.name)) << view;

    // The attack is on the predicted class and can be reset to the image.
    window.find<QDoubleSpinBox>("attackEpsilon")->setValue(0.1);
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.options().input.name, chosen.input.name + ", attacked with ε = 0.1");
    window.find<QDoubleSpinBox>("attackEpsilon")->setValue(0);
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.options().input.name, chosen.input.name);
    EXPECT_EQ(window.options().input.values, chosen.input.values);

    // Filters and the chosen class are those of OOD images and are reset with them.
    QTest::mouseClick(window.find<QToolButton>("filterCertain"), Qt::LeftButton);
    EXPECT_EQ(window.imageGrid().choice().filter, ImageFilter::certain);
    auto* part = window.find<QComboBox>("imagePart");
    part->setCurrentIndex(part->findData(static_cast<int>(ImagePart::test)));
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.imageGrid().choice().filter, ImageFilter::all);
    EXPECT_EQ(window.options().input.name, chosen.input.name) << "viewing others changes no selection";

    // Other data: back to a test image, and the grid to the test images.
    window.showOod();
    Study other                       = window.study();
    other.data.images.training_images = 80;
    window->session().setStudy(other);
    ASSERT_TRUE(window.waitFor([&] { return window.options().input.values.empty(); }));
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.options().input.name, "");
    EXPECT_EQ(window.imageGrid().part(), ImagePart::test);
    EXPECT_TRUE(window.has("filterWrong"));
    EXPECT_EQ(window->message(), "");
}

TEST(AnyInputOfTheWindow, CanBeAPictureFromAFileAFolderOrTheClipboard)
{
    AnyInput window;
    const QTemporaryDir folder;
    const QString dot = folder.filePath("dot.png");
    ASSERT_TRUE(darkOnLight(90, 60).save(dot));
    auto* strip = window.find<PictureStrip>("pictureStrip");
    EXPECT_TRUE(strip->isHidden());
    window.pictures().take({dot});
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window->message(), "");
    const auto chosen = window.options();
    ASSERT_EQ(chosen.input.values.size(), 784U);
    EXPECT_EQ(chosen.input.name, "picture dot.png, inverted");
    EXPECT_EQ(chosen.input.values[0], 0) << "light on dark like the training images";
    EXPECT_EQ(chosen.input.values[14 * 28 + 14], 255);
    EXPECT_FALSE(chosen.input.label);
    EXPECT_EQ(window.words(), "picture dot.png, inverted, true class unknown");
    EXPECT_TRUE(strip->isVisible());
    EXPECT_EQ(
        window.find<QLabel>("pictureWords")->text().toStdString(),
        "dot.png: resized from 60 × 90 with its aspect ratio kept, inverted: the training images are light on dark");
    EXPECT_FALSE(window.imageGrid().list()->currentIndex().isValid()) << "it is not an image of the grid";
    EXPECT_THAT(window.captionOf("boxplots"), HasSubstr("picture dot.png, inverted"));
    EXPECT_THAT(window.captionOf("attack_input"), HasSubstr("the class predicted without the attack"));

    // Inverted by hand, and back.
    auto* inverted = window.find<QCheckBox>("pictureInverted");
    EXPECT_TRUE(inverted->isChecked());
    inverted->click();
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.options().input.name, "picture dot.png");
    EXPECT_EQ(window.options().input.values[0], 255);
    inverted->click();
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.options().input.values, chosen.input.values);

    // From the clipboard, by shortcut. A text field uses the shortcut itself.
    QGuiApplication::clipboard()->setImage(darkOnLight(28, 28));
    auto* paste = window->findChild<QAction*>("pastePicture");
    ASSERT_NE(paste, nullptr);
    EXPECT_EQ(paste->shortcut(), QKeySequence(QStringLiteral("Ctrl+V")));
    paste->trigger();
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.options().input.name, "picture from the clipboard, inverted");
    EXPECT_EQ(strip->count(), 2);
    EXPECT_EQ(strip->current(), 1);
    QGuiApplication::clipboard()->setText("77");
    auto* box = window.find<QSpinBox>("inputRow");
    QKeyEvent key(QEvent::ShortcutOverride, Qt::Key_V, Qt::ControlModifier);
    key.ignore();
    QApplication::sendEvent(box->findChild<QLineEdit*>(), &key);
    EXPECT_TRUE(key.isAccepted());
    paste->trigger();
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(strip->count(), 2) << "no picture in the clipboard";

    // A folder: its pictures sorted by name; unreadable files are reported and nothing is lost.
    ASSERT_TRUE(QDir(folder.path()).mkdir("many"));
    const QDir many(folder.filePath("many"));
    ASSERT_TRUE(darkOnLight(30, 30).save(many.filePath("b.png")));
    ASSERT_TRUE(darkOnLight(40, 40).save(many.filePath("a.bmp")));
    QFile bad(many.filePath("c.png"));
    ASSERT_TRUE(bad.open(QIODevice::WriteOnly));
    bad.write("<html>");
    bad.close();
    window.pictures().take({many.path()});
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(strip->count(), 4);
    EXPECT_EQ(window.options().input.name, "picture a.bmp, inverted");
    EXPECT_THAT(window->message().toStdString(), StartsWith("c.png: cannot be read as an image ("));
    const auto before = window.options().input.values;
    window.pictures().take({bad.fileName()});
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.options().input.values, before);
    EXPECT_EQ(strip->count(), 4);

    // A picture that is dropped on the images is chosen.
    QMimeData dropped;
    dropped.setUrls({QUrl::fromLocalFile(dot)});
    QDragEnterEvent enter({20, 20}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.images(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop({20, 20}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.images(), &drop);
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(strip->count(), 5);
    EXPECT_EQ(window.options().input.name, "picture dot.png, inverted");

    // A test image replaces it, even the previously chosen one.
    EXPECT_EQ(box->value(), -1);
    box->stepUp();
    ASSERT_TRUE(window.settled());
    EXPECT_TRUE(window.options().input.values.empty());
    EXPECT_EQ(window.options().input.row, 0U);
    box->setValue(7);
    ASSERT_TRUE(window.settled());
    EXPECT_TRUE(window.options().input.values.empty());
    EXPECT_EQ(window.options().input.row, 7U);

    // Put away, or gone with other data.
    QTest::mouseClick(window.find<QToolButton>("pictureClose"), Qt::LeftButton);
    EXPECT_TRUE(strip->isHidden());
    EXPECT_EQ(window.options().input.row, 7U);
    window.pictures().take({dot});
    ASSERT_TRUE(window.settled());
    window->session().setStudy(default_study());
    ASSERT_TRUE(window.waitFor([&] { return window.experiment().data->training.n_features == 2; }));
    ASSERT_TRUE(window.settled());
    EXPECT_TRUE(window.options().input.values.empty());
    EXPECT_EQ(strip->count(), 0);
    window.pictures().take({dot});
    ASSERT_TRUE(window.settled());
    EXPECT_THAT(window->message().toStdString(),
                StartsWith("Pictures can be inputs only of networks trained on images"));
}
