// SPDX-License-Identifier: GPL-3.0-or-later
#include "imports/predict_dialog.h"

#include "gui/wait_until.h"
#include "session/current_run.h"
#include "unit/runs/short_run.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>
#include <gmock/gmock.h>

namespace {

using testing::HasSubstr;
using testing::StartsWith;

QString newRowsIn(const QTemporaryDir& folder, const QByteArray& text)
{
    QFile file(folder.filePath(QStringLiteral("new.csv")));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
    return file.fileName();
}

void nameTable(const PredictDialog& dialog, const QString& file)
{
    auto* const field = dialog.findChild<QLineEdit*>("predictTable");
    field->setText(file);
    Q_EMIT field->editingFinished();
    EXPECT_TRUE(waitUntil([&] { return !dialog.busy(); }));
}

std::string textOf(const PredictDialog& dialog, const char* label)
{
    return dialog.findChild<QLabel*>(QLatin1String(label))->text().toStdString();
}

}   // namespace

TEST(PredictTableDialog, ShowsTheFirstRowsAndWritesAllOfThem)
{
    const auto run = credence::snapshot_of(credence::small_study("mean_field", credence::ToyKind::heteroscedastic));
    const QTemporaryDir folder;
    PredictDialog dialog(run, nullptr);
    auto* const predict = dialog.findChild<QPushButton*>("predictNow");
    EXPECT_FALSE(predict->isEnabled());
    QByteArray rows = "id,x\n";
    for (int i = 0; i < 12; ++i)
        rows += QByteArray::number(i) + (i == 3 ? ",1000\n" : ",0.5\n");
    nameTable(dialog, newRowsIn(folder, rows));
    EXPECT_THAT(textOf(dialog, "predictSummary"), HasSubstr("12 rows, 1 of them with a note. Columns that the run does "
                                                            "not use: id."));
    const auto* const preview = dialog.findChild<QTableWidget*>("predictPreview");
    EXPECT_EQ(preview->rowCount(), 10);
    EXPECT_EQ(preview->horizontalHeaderItem(1)->text(), QStringLiteral("mean"));
    EXPECT_THAT(preview->item(3, 7)->text().toStdString(), HasSubstr("x 1000 is outside the training range"));
    const double lower = preview->item(0, 5)->text().toDouble();
    dialog.findChild<QDoubleSpinBox*>("predictLevel")->setValue(50);
    ASSERT_TRUE(waitUntil([&] { return !dialog.busy(); }));
    EXPECT_GT(preview->item(0, 5)->text().toDouble(), lower);
    EXPECT_FALSE(dialog.findChild<QCheckBox*>("predictConformal")->isEnabled()) << "no calibration rows";

    ASSERT_TRUE(predict->isEnabled());
    predict->click();
    ASSERT_TRUE(waitUntil([&] { return !dialog.busy(); }));
    EXPECT_THAT(textOf(dialog, "predictSummary"), HasSubstr("new-predictions.csv"));
    QFile written(folder.filePath(QStringLiteral("new-predictions.csv")));
    ASSERT_TRUE(written.open(QIODevice::ReadOnly));
    const auto text = written.readAll();
    EXPECT_THAT(text.toStdString(), StartsWith("row,mean,sd,sd_epistemic,sd_aleatoric,lower,upper,note\r\n0,"));
    EXPECT_EQ(text.count('\n'), 13);
}

TEST(PredictTableDialog, NamesMistakesAndReplacesNoFile)
{
    const auto run = credence::snapshot_of(credence::small_study("mean_field"));
    const QTemporaryDir folder;
    PredictDialog dialog(run, nullptr);
    nameTable(dialog, newRowsIn(folder, "x1,z\n1,2\n"));
    EXPECT_THAT(textOf(dialog, "predictMistake"), HasSubstr("found no column “x2”"));
    EXPECT_FALSE(dialog.findChild<QPushButton*>("predictNow")->isEnabled());

    const auto other = folder.filePath(QStringLiteral("other.csv"));
    ASSERT_TRUE(QFile::rename(newRowsIn(folder, "x1,x2\n1,2\n"), other));
    nameTable(dialog, other);
    EXPECT_EQ(textOf(dialog, "predictMistake"), "");
    dialog.findChild<QLineEdit*>("predictOutput")->setText(other);
    dialog.findChild<QPushButton*>("predictNow")->click();
    EXPECT_THAT(textOf(dialog, "predictMistake"), HasSubstr("other.csv exists."));

    const auto output = folder.filePath(QStringLiteral("output.csv"));
    dialog.findChild<QLineEdit*>("predictOutput")->setText(output);
    dialog.findChild<QLineEdit*>("predictTable")->setText(newRowsIn(folder, "x1,x2\n1,2\n3,4\n"));
    dialog.findChild<QPushButton*>("predictNow")->click();   // its key does not take the focus from the field
    ASSERT_TRUE(waitUntil([&] { return !dialog.busy(); }));
    EXPECT_EQ(dialog.findChild<QTableWidget*>("predictPreview")->rowCount(), 2) << "the typed table is shown first";
    EXPECT_FALSE(QFile::exists(output));
}

TEST(PredictTableDialog, LevelsCanBeTypedAsPercentOrFraction)
{
    auto study = credence::small_study("mean_field", credence::ToyKind::heteroscedastic);
    PredictDialog dialog(credence::snapshot_of(study), nullptr);
    auto* const level = dialog.findChild<QDoubleSpinBox*>("predictLevel");
    EXPECT_TRUE(level->isEnabled());
    const auto typed = [&](const char* text) {
        level->findChild<QLineEdit*>()->setText(QLatin1String(text));
        level->interpretText();
        return level->value();
    };
    EXPECT_EQ(typed("0.9"), 90);
    EXPECT_EQ(typed("0,75"), 75);
    EXPECT_EQ(typed("99,5 %"), 99.5);
    EXPECT_EQ(typed("50"), 50);
    EXPECT_EQ(level->cleanText(), QStringLiteral("50.00"));
    EXPECT_EQ(typed("0"), 50) << "refused";

    const PredictDialog classes(credence::snapshot_of(credence::small_study("mean_field")), nullptr);
    EXPECT_FALSE(classes.findChild<QDoubleSpinBox*>("predictLevel")->isEnabled())
        << "class probabilities without sets have no level";
}

TEST(PredictTableDialog, NeedsATrainedRunOnATable)
{
    EXPECT_THAT(PredictDialog::whyNot({}).toStdString(), HasSubstr("Train a run"));
    const auto run = credence::snapshot_of(credence::small_study("mean_field"));
    auto shown     = DisplayedRun::untrained(run.experiment);
    EXPECT_THAT(PredictDialog::whyNot(shown).toStdString(), HasSubstr("Train a run"));
    shown.setNewest(run.snapshot);
    EXPECT_EQ(PredictDialog::whyNot(shown), QString());
}
