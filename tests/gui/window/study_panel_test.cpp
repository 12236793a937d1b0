// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/help_mark.h"
#include "parts/setting_lines.h"
#include "runs/comparison.h"
#include "session/settings.h"
#include "sources/image_sources.h"
#include "study/field_editor.h"
#include "study/fields.h"
#include "study/method.h"
#include "study/presets.h"
#include "study/study_panel.h"
#include "study/study_words.h"
#include "study/usual_settings.h"
#include "window_driver.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMouseEvent>
#include <QPushButton>
#include <QScreen>
#include <QStyle>
#include <QStyleOptionComboBox>

#include <set>

using namespace credence;

TEST(StudyPanel, HasAnEditorAndAHelpMarkForEverySetting)
{
    WindowDriver window;
    for (const auto& f : study_fields()) {
        if (f.path == "seed" || f.path == "note")
            continue;   // in the toolbar, and under the preset's name
        auto* field = window.find<FieldEditor>(QString::fromStdString(f.path));
        ASSERT_NE(field, nullptr) << f.path;
        EXPECT_NE(field->findChild<HelpMark*>(), nullptr) << f.path;
        EXPECT_FALSE(field->editor()->accessibleName().isEmpty()) << f.path;
    }
}

TEST(StudyPanel, ChangingTheFamilyIsOneStepOfUndoNamedByTheSetting)
{
    WindowDriver window;
    ASSERT_EQ(window.study().posterior.family, "mean_field");
    window.choose("posterior.family/editor", "point_estimate");
    EXPECT_EQ(window.study().posterior.family, "point_estimate");
    EXPECT_THAT(window->context().document.undo().undoText().toStdString(), testing::HasSubstr("Posterior: "));
    window->context().document.undo().undo();
    EXPECT_EQ(window.study().posterior.family, "mean_field");
    EXPECT_EQ(window.find<QComboBox>("posterior.family/editor")->currentData().toString(), "mean_field");
    window->context().document.undo().redo();
    EXPECT_EQ(window.study().posterior.family, "point_estimate");
}

TEST(StudyPanel, ANewFamilyBringsItsSettingsInOneStepAndStatesThis)
{
    WindowDriver window;
    const Study before = window.study();
    window.choose("posterior.family/editor", "layer_scale");
    EXPECT_EQ(window.study().training.kl_weight, with_family_defaults(before, "layer_scale").study.training.kl_weight);
    EXPECT_NE(window.study().training.kl_weight, before.training.kl_weight);
    EXPECT_THAT(window->message().toStdString(),
                testing::AllOf(testing::StartsWith("Also set: "), testing::HasSubstr("KL weight: 1 → 0.01"),
                               testing::Not(testing::HasSubstr("Posterior: "))));
    EXPECT_EQ(window->context().document.undo().count(), 1);
    window->context().document.undo().undo();
    EXPECT_TRUE(window.study() == before);
}

TEST(StudyPanel, AnotherDataSourceChangesTheStudyInOneStep)
{
    WindowDriver window;
    const Study before = window.study();
    window.choose("data.source/editor", "strokes");
    EXPECT_TRUE(window.study() == preset("stroke_digits_lenet_mean_field"));
    EXPECT_THAT(window->message().toStdString(),
                testing::StartsWith("Also set: network, posterior, prior and training"));
    EXPECT_TRUE(window.find<FieldEditor>("data.alphabet")
                    ->isVisibleTo(window.find<FieldEditor>("data.alphabet")->parentWidget()));
    EXPECT_TRUE(window.find<FieldEditor>("network.units")
                    ->isVisibleTo(window.find<FieldEditor>("network.units")->parentWidget()));
    EXPECT_FALSE(window.find<FieldEditor>("network.hidden")
                     ->isVisibleTo(window.find<FieldEditor>("network.hidden")->parentWidget()));
    EXPECT_EQ(window->context().document.undo().count(), 1);
    window.choose("data.source/editor", "toy");
    EXPECT_TRUE(window.study() == before);
    window->context().document.undo().undo();
    window->context().document.undo().undo();
    EXPECT_TRUE(window.study() == before);
}

TEST(StudyPanel, ADataSetIsChosenFromTheListOrTyped)
{
    WindowDriver window;
    window.choose("data.source/editor", "images");
    auto* box = window.find<DataSetBox>("data.set/editor");
    ASSERT_NE(box, nullptr);
    box->showPopup();
    ASSERT_GE(box->findData("stroke-letters"), 0);
    Q_EMIT box->activated(box->findData("stroke-letters"));
    box->hidePopup();
    EXPECT_EQ(window.study().data.images.set, "stroke-letters");
    EXPECT_EQ(box->lineEdit()->text(), "stroke-letters");
    EXPECT_THAT(window->context().document.undo().undoText().toStdString(), testing::EndsWith(" → stroke-letters"));

    int wanted = 0;
    QObject::connect(window->findChild<StudyPanel*>(), &StudyPanel::dataSetsRequested, [&] { ++wanted; });
    box->showPopup();
    Q_EMIT box->activated(box->count() - 1);
    box->hidePopup();
    EXPECT_EQ(wanted, 1);
    EXPECT_EQ(window.study().data.images.set, "stroke-letters");
    EXPECT_EQ(box->lineEdit()->text(), "stroke-letters");

    window.type("data.set/line", "no-such-set");
    EXPECT_TRUE(window.waitFor([&] { return window.find<FieldEditor>("data.set")->hasMistake(); }));
    window.type("data.set/line", "stroke-digits");
    EXPECT_TRUE(window.waitFor([&] { return !window.find<FieldEditor>("data.set")->hasMistake(); }));
}

TEST(StudyPanel, TheStudysNameAndPresetAreCorrectAfterAChange)
{
    WindowDriver window;
    auto* box = window.find<QComboBox>("presets");
    EXPECT_EQ(box->currentText().toStdString(), window.study().name);
    window.choose("posterior.family/editor", "bernoulli_dropout");
    EXPECT_EQ(window.study().name, "Two moons, Bernoulli dropout");
    EXPECT_EQ(window.study().note, preset("two_moons_bernoulli_dropout").note);
    EXPECT_TRUE(window.study() == preset("two_moons_bernoulli_dropout"));   // so the box may say so
    EXPECT_EQ(box->currentText().toStdString(), window.study().name);
    window->context().document.undo().undo();
    EXPECT_TRUE(window.study() == default_study());
    window.type("training.learning_rate/editor", "0.02");
    EXPECT_EQ(box->currentIndex(), -1);
    EXPECT_EQ(box->placeholderText().toStdString(), window.study().name + " (changed)");
    window->context().document.undo().undo();
    EXPECT_EQ(box->currentText().toStdString(), window.study().name);
}

TEST(StudyPanel, ARenamedStudyKeepsItsPresetWhileItsSettingsMatch)
{
    WindowDriver window;
    auto* box         = window.find<QComboBox>("presets");
    const auto chosen = [&] {
        return box->currentIndex() < 0 ? std::string() : box->currentData().toString().toStdString();
    };
    window.choose("presets", "circles");
    EXPECT_EQ(chosen(), "circles");
    window.type("name/editor", "Rings of mine");
    EXPECT_EQ(window.study().name, "Rings of mine");
    EXPECT_EQ(chosen(), "circles");
    window.type("training.learning_rate/editor", "0.0123");
    EXPECT_EQ(chosen(), "");
    EXPECT_EQ(box->placeholderText(), "(own Study)");
    window->context().document.undo().undo();
    window->context().document.undo().undo();
    window->context().document.undo().undo();
    EXPECT_EQ(chosen(), presets().front().id);
    window->context().document.undo().redo();
    EXPECT_EQ(chosen(), "circles");
}

TEST(StudyPanel, SettingsWithoutEffectAreHidden)
{
    WindowDriver window;
    window->findChild<StudyPanel*>()->unfold("posterior.family");
    EXPECT_TRUE(window.find<FieldEditor>("posterior.initial_sd")->isVisibleTo(&window.window()));
    window.choose("posterior.family/editor", "layer_scale");
    EXPECT_FALSE(window.find<FieldEditor>("posterior.initial_sd")->isVisibleTo(&window.window()));
}

namespace {

SettingLine* lineOf(WindowDriver& window, const char* group)
{
    return window.find<SettingLine>(QStringLiteral("section/") + group);
}

bool isShown(WindowDriver& window, const char* setting) { return window.find<FieldEditor>(setting)->isVisible(); }

}   // namespace

TEST(StudyPanel, FiveLinesDescribeTheStudyAndOneOpensAtATime)
{
    write(settings::openLine, QString());   // as at the first start
    WindowDriver window;
    int controls = 0;
    for (const auto* widget : window->findChild<StudyPanel*>()->findChildren<QWidget*>())
        controls += widget->isVisible() && (widget->focusPolicy() & Qt::TabFocus) ? 1 : 0;
    EXPECT_LE(controls, 7) << "five lines, all settings, and the scroll area";
    const auto weights = window->session().run().experiment->start->layout().size();
    for (const char* group : {"data", "network", "posterior", "training", "prediction"}) {
        auto* line = lineOf(window, group);
        EXPECT_FALSE(line->isChecked()) << group;
        EXPECT_TRUE(
            line->accessibleName().endsWith(QString::fromStdString(study_sentence(window.study(), group, weights))));
    }
    lineOf(window, "data")->setFocus();
    QTest::keyClick(lineOf(window, "data"), Qt::Key_Return);
    EXPECT_TRUE(isShown(window, "data.n"));
    EXPECT_TRUE(isShown(window, "split.test_fraction"));
    EXPECT_FALSE(isShown(window, "data.seed"));
    QTest::keyClick(lineOf(window, "training"), Qt::Key_Space);
    EXPECT_TRUE(isShown(window, "training.steps"));
    EXPECT_FALSE(isShown(window, "data.n"));
    window.type("data.n/editor", "60");
    EXPECT_THAT(lineOf(window, "data")->accessibleName().toStdString(), testing::HasSubstr("60 points"));
    QTest::mouseClick(lineOf(window, "data"), Qt::LeftButton);
    EXPECT_FALSE(isShown(window, "data.n"));
}

TEST(StudyPanel, AMistakeOpensItsLineAndAClosedLineMarksIt)
{
    WindowDriver window;
    window.type("training.learning_rate/editor", "-1");
    window->findChild<StudyPanel*>()->unfold("section/data");
    EXPECT_FALSE(lineOf(window, "training")->accessibleDescription().isEmpty());
    EXPECT_TRUE(lineOf(window, "network")->accessibleDescription().isEmpty());
    window.clickAction("train");
    EXPECT_TRUE(isShown(window, "training.learning_rate"));
    EXPECT_TRUE(lineOf(window, "training")->accessibleDescription().isEmpty()) << "it is marked at its field";
    window.type("training.learning_rate/editor", "0.01");
}

TEST(StudyPanel, AllSettingsAreSearchedMarkedIfChangedAndReset)
{
    WindowDriver window;
    const Study before = window.study();
    window.clickButton("allSettings");
    EXPECT_FALSE(window.find<QPushButton>("resetSettings")->isEnabled()) << "the default study has the defaults";
    EXPECT_TRUE(isShown(window, "data.seed"));
    EXPECT_TRUE(isShown(window, "training.beta1"));
    auto* search = window.find<QLineEdit>("settingSearch");
    QTest::keyClicks(search, "rate");
    EXPECT_TRUE(isShown(window, "training.learning_rate"));
    EXPECT_FALSE(isShown(window, "data.seed"));
    search->clear();
    window.type("data.noise/editor", "0.3");
    window.type("training.steps/editor", "321");
    EXPECT_TRUE(window.find<FieldEditor>("data.noise")->changed());
    window.find<QCheckBox>("changedOnly")->setChecked(true);
    EXPECT_TRUE(isShown(window, "data.noise"));
    EXPECT_FALSE(isShown(window, "data.n"));
    window.clickButton("data.noise/reset");
    EXPECT_EQ(window.study().data.toy.noise, before.data.toy.noise);
    EXPECT_FALSE(isShown(window, "data.noise"));
    EXPECT_EQ(window.study().training.steps, 321);
    window.clickButton("resetSettings");
    EXPECT_EQ(preset_with(window.study()), preset_with(before));
    window.clickButton("allSettings");
    EXPECT_TRUE(lineOf(window, "data")->isVisible());
}

TEST(StudyPanel, HelpMarksAppearOnFocusAndF1FindsThemAlways)
{
    WindowDriver window;
    window->findChild<StudyPanel*>()->unfold("training.steps");
    auto* field = window.find<FieldEditor>("training.steps");
    auto* mark  = field->findChild<HelpMark*>();
    window.find<QWidget>("section/training")->setFocus();
    EXPECT_TRUE(mark->text().isEmpty());
    EXPECT_EQ(FieldHelpKey::markOf(field->editor()), mark);
    field->editor()->setFocus();
    EXPECT_EQ(mark->text(), "?");
}

TEST(StudyPanel, AnErrorIsMarkedBelowItsFieldAndNothingElseIsLost)
{
    WindowDriver window;
    const Study before = window.study();
    window.type("training.learning_rate/editor", "-1");
    auto* mistake = window.find<QLabel>("training.learning_rate/mistake");
    EXPECT_TRUE(mistake->isVisible());
    EXPECT_THAT(mistake->text().toStdString(), testing::HasSubstr("-1"));
    EXPECT_EQ(window.find<QLineEdit>("training.learning_rate/editor")->text(), "-1");
    EXPECT_TRUE(window.study() == before);
    window.type("training.learning_rate/editor", "0.002");
    EXPECT_FALSE(mistake->isVisible());
    EXPECT_EQ(window.study().training.schedule.learning_rate, 0.002);
}

namespace {

/// Typed and left so, without Enter.
QLineEdit* typeOnly(WindowDriver& window, const QString& field, const QString& text)
{
    window->findChild<StudyPanel*>()->unfold(field);
    auto* line = window.find<QLineEdit>(field + "/editor");
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
    return line;
}

}   // namespace

TEST(StudyPanel, TypedTextAppliesWhenAKeyStartsTraining)
{
    WindowDriver window;
    window.setSteps(50);
    auto* line = typeOnly(window, "training.learning_rate", "0.02");
    QTest::keyClick(line, Qt::Key_F5);
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_EQ(window->session().run().current().experiment->study.training.schedule.learning_rate, 0.02);
    window.find<QWidget>("section/training")->setFocus();   // no second change follows
    EXPECT_EQ(window->session().state(), Session::State::ended);
}

TEST(StudyPanel, TypedTextAppliesForStepRestartAndTheSeed)
{
    WindowDriver window;
    window.setSteps(40);
    typeOnly(window, "training.learning_rate", "0.03");
    window.clickAction("step");
    ASSERT_TRUE(window.waitForState(Session::State::paused));
    EXPECT_EQ(window->session().run().current().experiment->study.training.schedule.learning_rate, 0.03);
    typeOnly(window, "training.learning_rate", "0.04");
    auto* seed = window.find<QDoubleSpinBox>("seed");
    seed->setFocus();
    seed->selectAll();
    QTest::keyClicks(seed, "77");
    window.clickAction("restart");
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_EQ(window->session().run().current().experiment->study.training.schedule.learning_rate, 0.04);
    EXPECT_EQ(window->session().run().current().experiment->study.seed, 77U);
}

TEST(StudyPanel, AnInvalidFieldPreventsTrainingAndIsNamedByItsLabel)
{
    WindowDriver window;
    for (const char* action : {"train", "step", "restart", "newSeed"}) {
        typeOnly(window, "training.learning_rate", "1e6");
        window.clickAction(action);
        EXPECT_EQ(window->session().state(), Session::State::ready) << action;
        EXPECT_THAT(window->message().toStdString(),
                    testing::AllOf(testing::StartsWith("Not started. Learning rate η is 1"),
                                   testing::HasSubstr("expected a number greater than 0"),
                                   testing::Not(testing::HasSubstr("training."))));
    }
    EXPECT_TRUE(window.find<QLabel>("training.learning_rate/mistake")->isVisible());
    EXPECT_EQ(window->context().runs.rowCount(), 0);
}

TEST(StudyPanel, ANetworkThatIsTooLargeIsRejectedAtItsField)
{
    WindowDriver window;
    auto* line = typeOnly(window, "network.hidden", "10000, 10000");
    QTest::keyClick(line, Qt::Key_F5);
    ASSERT_TRUE(window.waitForState(Session::State::refused));
    EXPECT_THAT(window.find<QLabel>("network.hidden/mistake")->text().toStdString(),
                testing::StartsWith(
                    "Layer 3 of the network: the network would have 100040000 weights, expected at most 50000000."));
    window.clickAction("train");
    EXPECT_THAT(window->message().toStdString(),
                testing::StartsWith("Not started. Layer 3 of the network: the network would have 100040000 weights"));
    EXPECT_EQ(window->session().state(), Session::State::refused);
}

TEST(StudyPanel, UndoInAFieldRevertsTheTypedTextAndThenTheSetting)
{
    WindowDriver window;
    window.setSteps(30);
    const double before = window.study().training.schedule.learning_rate;
    auto* line          = typeOnly(window, "training.learning_rate", "0.02");
    QTest::keyClick(line, Qt::Key_Return);
    ASSERT_EQ(window.study().training.schedule.learning_rate, 0.02);
    QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier);   // nothing is being typed
    EXPECT_EQ(window.study().training.schedule.learning_rate, before);
    QTest::keyClicks(line, "7");
    const QString shown = line->text();
    QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_NE(line->text(), shown);
    QTest::keyClick(line, Qt::Key_F5);
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_EQ(window->session().run().current().experiment->study.training.schedule.learning_rate,
              line->text().toDouble());
}

TEST(StudyPanel, TypingTwiceInOneFieldIsOneStepOfUndo)
{
    WindowDriver window;
    const auto steps = window.study().training.steps;
    window.type("training.steps/editor", "100");
    window.type("training.steps/editor", "200");
    EXPECT_EQ(window->context().document.undo().count(), 1);
    window->context().document.undo().undo();
    EXPECT_EQ(window.study().training.steps, steps);
}

TEST(StudyPanel, TrainingBetweenTwoChangesOfOneFieldMakesTwoUndoSteps)
{
    WindowDriver window;
    window.type("data.noise/editor", "0.3");
    window.type("data.noise/editor", "0.31");
    ASSERT_TRUE(window.train(30));
    window.type("data.noise/editor", "0.44");
    window.type("data.noise/editor", "0.45");
    window->context().document.undo().undo();
    EXPECT_EQ(window.study().data.toy.noise, 0.31) << "what was trained with";
    window->context().document.undo().undo();
    EXPECT_EQ(window.study().data.toy.noise, 0.1);
}

TEST(StudyPanel, ArrowKeysStepThroughRoundNumbers)
{
    WindowDriver window;
    window.type("training.learning_rate/editor", "0.001");
    auto* line = window.find<QLineEdit>("training.learning_rate/editor");
    QTest::keyClick(line, Qt::Key_Up);
    EXPECT_EQ(window.study().training.schedule.learning_rate, 0.002);
    QTest::keyClick(line, Qt::Key_Down);
    QTest::keyClick(line, Qt::Key_Down);
    EXPECT_EQ(window.study().training.schedule.learning_rate, 0.0005);
}

TEST(StudyPanel, ADoubleClickSelectsTheWholeNumber)
{
    WindowDriver window;
    auto* line = window.find<QLineEdit>("data.noise/editor");
    ASSERT_EQ(line->text(), "0.1");
    const QPointF after(line->fontMetrics().horizontalAdvance("0.1"), line->height() / 2.0);
    QMouseEvent click(QEvent::MouseButtonDblClick, after, line->mapToGlobal(after), Qt::LeftButton, Qt::LeftButton,
                      Qt::NoModifier);
    QApplication::sendEvent(line, &click);
    EXPECT_EQ(line->selectedText(), "0.1") << "and not only the digits after the point";
}

TEST(StudyPanel, NoChoiceIsCutOff)
{
    WindowDriver window;
    for (const char* family : {"laplace", "swag", "nuts"}) {
        window.choose("posterior.family/editor", family);
        window->findChild<StudyPanel*>()->unfold("section/posterior");
        ASSERT_TRUE(window.waitFor([&] { return isShown(window, "posterior.family"); }));
        QApplication::processEvents();
        for (const auto* field : window->findChild<StudyPanel*>()->findChildren<FieldEditor*>()) {
            const auto* box = qobject_cast<QComboBox*>(field->editor());
            if (!box || !box->isVisible() || box->isEditable())
                continue;
            QStyleOptionComboBox option;
            option.initFrom(box);
            const int room =
                box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box).width();
            EXPECT_GE(room, box->fontMetrics().horizontalAdvance(box->currentText()))
                << box->currentText().toStdString();
        }
    }
}

TEST(StudyPanel, EveryPresetOpensAndIsReadyOrStatesWhichDataAreMissing)
{
    WindowDriver window;
    std::set<std::pair<std::string, bool>> waited;   // Experiment.EveryPresetCanBePrepared prepares all of them
    for (const auto& preset : presets()) {
        auto* box    = window.find<QComboBox>("presets");
        const int at = box->findData(QString::fromStdString(preset.id));
        ASSERT_GE(at, 0) << preset.id;
        box->setCurrentIndex(at);
        Q_EMIT box->activated(at);
        EXPECT_TRUE(window.study() == preset.study) << preset.id;
        EXPECT_EQ(window.find<QLabel>("note")->text().toStdString(), preset.study.note);
        const auto& data  = preset.study.data;
        const bool atHand = data.source != DataSource::images || find_image_source(data.images.set);
        if (waited.emplace(data.source, atHand).second) {
            EXPECT_TRUE(window.waitForState(atHand ? Session::State::ready : Session::State::refused)) << preset.id;
        }
    }
}

TEST(PosteriorCards, HaveEveryMethodInItsGroupAndMarkTheOneInUse)
{
    WindowDriver window;
    window->findChild<StudyPanel*>()->unfold("posterior.family");
    window.find<QComboBox>("posterior.family/editor")->showPopup();
    auto* list = window->findChild<QListView*>("posteriorCards");
    ASSERT_NE(list, nullptr);
    QStringList titles;
    for (int row = 0; row < list->model()->rowCount(); ++row)
        titles += list->model()->index(row, 0).data().toString();
    EXPECT_EQ(titles.size(), static_cast<int>(methods().size() + std::size(method_groups)));
    for (const auto& method : methods()) {
        const auto group = titles.indexOf(QString::fromUtf8(title_of(method.group)));
        EXPECT_GT(titles.indexOf(QString::fromStdString(method.title)), group) << method.id;
        EXPECT_GE(group, 0) << method.id;
    }
    EXPECT_EQ(list->currentIndex().data().toString().toStdString(), method_of(window.study()).title);
    EXPECT_THAT(list->currentIndex().data(Qt::AccessibleTextRole).toString().toStdString(),
                testing::AllOf(testing::HasSubstr("(in use)"), testing::HasSubstr("Cost: "),
                               testing::HasSubstr("Blundell et al. 2015")));
    EXPECT_LE(list->window()->height(), list->screen()->availableGeometry().height() * 6 / 10);
}

TEST(PosteriorCards, AreFoundByTypingAndChosenByEnter)
{
    WindowDriver window;
    window->findChild<StudyPanel*>()->unfold("posterior.family");
    auto* box = window.find<QComboBox>("posterior.family/editor");
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Down, Qt::AltModifier);
    auto* typed = window->findChild<QLineEdit*>("posteriorSearch");
    auto* list  = window->findChild<QListView*>("posteriorCards");
    ASSERT_NE(typed, nullptr);
    QTest::keyClicks(typed, "laplace");
    EXPECT_EQ(list->currentIndex().data().toString().toStdString(), method("laplace").title);
    QTest::keyClick(typed, Qt::Key_Down);
    EXPECT_EQ(list->currentIndex().data().toString().toStdString(), method("swag").title) << "in the same group";
    typed->clear();
    QTest::keyClicks(typed, "2016 gal");
    QTest::keyClick(typed, Qt::Key_Return);
    EXPECT_EQ(window.study().posterior.family, "bernoulli_dropout");
    EXPECT_EQ(box->currentData().toString(), "bernoulli_dropout");
    EXPECT_TRUE(window.waitFor([&] { return !window->findChild<QWidget*>("posteriorPopup"); }));
}

TEST(PosteriorCards, EscapeLeavesTheMethodAsItIs)
{
    WindowDriver window;
    window->findChild<StudyPanel*>()->unfold("posterior.family");
    window.find<QComboBox>("posterior.family/editor")->showPopup();
    auto* typed = window->findChild<QLineEdit*>("posteriorSearch");
    ASSERT_NE(typed, nullptr);
    QTest::keyClicks(typed, "nuts");
    QTest::keyClick(typed, Qt::Key_Escape);
    EXPECT_TRUE(window.waitFor([&] { return !window->findChild<QWidget*>("posteriorPopup"); }));
    EXPECT_EQ(window.study().posterior.family, "mean_field");
}

TEST(StudyPanel, TheNetworkLineFollowsThePreparedNetwork)
{
    WindowDriver window;
    EXPECT_TRUE(lineOf(window, "network")->accessibleName().endsWith("ReLU · 2,012 weights"));
    window.type("network.hidden/editor", "7, 8");
    EXPECT_TRUE(window.waitFor([&] {
        return lineOf(window, "network")->accessibleName().endsWith("7–8 units · ReLU · 103 weights");
    })) << lineOf(window, "network")->accessibleName().toStdString();
}

TEST(StudyPanel, PresetsAreInTheOpenedLineData)
{
    WindowDriver window;
    auto* box = window.find<QComboBox>("presets");
    window->findChild<StudyPanel*>()->unfold("section/network");
    EXPECT_FALSE(box->isVisible());
    window->findChild<StudyPanel*>()->unfold("presets");
    EXPECT_TRUE(box->isVisible());
    EXPECT_TRUE(window.find<FieldEditor>("data.source")->isVisible());
}

TEST(StudyPanel, PresetsAreUnderHeadingsThatCannotBeChosen)
{
    WindowDriver window;
    auto* box    = window.find<QComboBox>("presets");
    int headings = 0;
    for (int i = 0; i < box->count(); ++i)
        if (box->itemData(i).toString().isEmpty()) {
            ++headings;
            EXPECT_FALSE(box->model()->flags(box->model()->index(i, 0)).testFlag(Qt::ItemIsEnabled))
                << box->itemText(i).toStdString();
        }
    EXPECT_EQ(headings, static_cast<int>(std::size(preset_groups)) + 1) << "and the comparisons";
    EXPECT_EQ(box->count() - headings, static_cast<int>(presets().size() + comparisons().size()));
    EXPECT_TRUE(box->itemData(0).toString().isEmpty()) << "the list starts with a heading";
}

TEST(StudyPanel, TheSeedInTheToolbarIsTheStudys)
{
    WindowDriver window;
    auto* seed = window.find<QDoubleSpinBox>("seed");
    EXPECT_EQ(seed->value(), static_cast<double>(window.study().seed));
    seed->setValue(9007199254740991.0);
    EXPECT_EQ(window.study().seed, 9007199254740991U);
    window->context().document.undo().undo();
    EXPECT_EQ(seed->value(), static_cast<double>(window.study().seed));
}
