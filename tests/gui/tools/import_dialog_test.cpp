// SPDX-License-Identifier: GPL-3.0-or-later
#include "imports/import_dialog.h"

#include "imports/column_lines.h"
#include "parts/appearance.h"
#include "session/settings.h"

#include "gui/wait_until.h"
#include "study/fields.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <gmock/gmock.h>

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

QString tableIn(const QTemporaryDir& folder, const char* name, const QByteArray& text)
{
    QFile file(folder.filePath(QString::fromLatin1(name)));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
    return file.fileName();
}

bool isRead(const ImportDialog& dialog)
{
    return waitUntil([&] { return !dialog.busy(); });
}

}   // namespace

TEST(ImportTable, StatesHowColumnsAreReadAndUnticksTheRowNumber)
{
    const QTemporaryDir folder;
    QByteArray rows = ",income,kind\n";
    for (int i = 0; i < 8; ++i)
        rows += QByteArray::number(i) + ",\"1,00" + QByteArray::number(i) + ",000\"," + (i % 2 ? "a" : "b") + '\n';
    const ImportDialog dialog(tableIn(folder, "incomes.csv", rows), {}, nullptr);
    ASSERT_TRUE(isRead(dialog));
    const auto summary = dialog.findChild<QLabel*>("importSummary")->text().toStdString();
    EXPECT_THAT(summary, HasSubstr("the first column has no name and numbers the rows; it is not used."));
    EXPECT_THAT(summary, HasSubstr("column “income” is read as numbers with commas as thousands separators"));
    EXPECT_THAT(summary, HasSubstr("8 rows, 1 input column."));
    auto* const columns = dialog.findChild<QTableWidget*>("importColumns");
    EXPECT_EQ(columns->item(0, 0)->checkState(), Qt::Unchecked);
    EXPECT_EQ(columns->item(1, 0)->checkState(), Qt::Checked);
    EXPECT_THAT(dialog.options().columns, ElementsAre("2"));
    columns->item(0, 0)->setCheckState(Qt::Checked);
    EXPECT_THAT(dialog.options().columns, ElementsAre("1", "2")) << "one click uses it after all";
}

TEST(ImportTable, AnotherFileIsReadByItsOwnContent)
{
    const QTemporaryDir folder;
    const ImportDialog dialog(tableIn(folder, "numbers.csv", "a;b\n1,5;2,5\n2,5;3,5\n"),
                              {.decimal_comma = true, .task = credence::Task::regression}, nullptr);
    ASSERT_TRUE(isRead(dialog));
    EXPECT_EQ(dialog.options().task, credence::Task::regression);
    auto* const file = dialog.findChild<QLineEdit*>("importFile");
    file->setText(tableIn(folder, "words.csv", "a,b,kind\n1.5,2.5,x\n2.5,3.5,y\n"));
    Q_EMIT file->editingFinished();
    ASSERT_TRUE(isRead(dialog));
    EXPECT_EQ(dialog.options().task, std::nullopt);
    EXPECT_FALSE(dialog.options().decimal_comma);
    EXPECT_EQ(dialog.options().target, "3");
    EXPECT_EQ(dialog.findChild<QLabel*>("importMistake")->text(), QString());
}

TEST(ImportTable, ProposesDecimalCommasAndReadsTheRightValuesAfterOneClick)
{
    const QTemporaryDir folder;
    QByteArray rows = "a;b;y\n";
    for (int i = 0; i < 60; ++i)
        rows += QByteArray::number(i) + ",5;" + QByteArray::number(1 + i % 9) + ".234;"
                + QByteArray::number(i * 37 % 61) + ",25\n";
    const QString file = tableIn(folder, "german.csv", rows);
    ImportDialog dialog(file, {}, nullptr);
    ASSERT_TRUE(isRead(dialog));
    EXPECT_EQ(dialog.findChild<QLabel*>("importMistake")->text(), QString());
    EXPECT_EQ(dialog.findChild<QComboBox*>("importDecimalMark")->currentText(), "Detect: comma");
    EXPECT_TRUE(dialog.findChild<QPushButton*>("importAsPoint")->isHidden()) << "1,5 decides";
    EXPECT_TRUE(dialog.options().decimal_comma);
    dialog.findChild<QPushButton*>("importNow")->click();
    ASSERT_TRUE(waitUntil([&] { return dialog.result() == QDialog::Accepted; }));
    const auto data = credence::read_csv(file.toStdString(), dialog.options());
    EXPECT_THAT(std::vector(data.inputs.begin(), data.inputs.begin() + 4), ElementsAre(0.5, 1234, 1.5, 2234));
    EXPECT_THAT(std::vector(data.targets.begin(), data.targets.begin() + 2), ElementsAre(0.25, 37.25));
}

TEST(ImportTable, AsksForTheDecimalMarkIfBothReadingsArePossible)
{
    const QTemporaryDir folder;
    for (const QByteArray mark : {",", "."}) {
        const QString file = tableIn(folder, "three.csv",
                                     QByteArray("x;y\n1,234;5,678\n2,345;6,789\n").replace(',', mark));
        const auto first   = [&](const char* answer) {
            const ImportDialog dialog(file, {}, nullptr);
            EXPECT_TRUE(isRead(dialog));
            EXPECT_THAT(dialog.findChild<QLabel*>("importMistake")->text().toStdString(),
                          HasSubstr("Choose the decimal mark."));
            EXPECT_FALSE(dialog.findChild<QPushButton*>("importNow")->isEnabled());
            auto* button = dialog.findChild<QPushButton*>(QLatin1String(answer));
            EXPECT_THAT(button->text().toStdString(), HasSubstr("1234"));
            button->click();
            EXPECT_TRUE(isRead(dialog));
            EXPECT_TRUE(button->isHidden());
            EXPECT_TRUE(dialog.findChild<QPushButton*>("importNow")->isEnabled());
            return credence::read_csv(file.toStdString(), dialog.options()).inputs.front();
        };
        EXPECT_EQ(first(mark == "," ? "importAsPoint" : "importAsComma"), 1234);
        const ImportDialog other(file, {}, nullptr);
        ASSERT_TRUE(isRead(other));
        other.findChild<QPushButton*>(QLatin1String(mark == "," ? "importAsComma" : "importAsPoint"))->click();
        ASSERT_TRUE(isRead(other));
        EXPECT_EQ(credence::read_csv(file.toStdString(), other.options()).inputs.front(), 1.234);
    }
}

namespace {

/// A row number, an age, a code, the marks of a split, and a price in dollars.
QByteArray prices(int rows)
{
    QByteArray text = "id,age (years),rooms,part,price [USD]\n";
    for (int i = 0; i < rows; ++i)
        text += QByteArray::number(i + 1) + ',' + QByteArray::number(0.5 * (i * 37 % 101)) + ','
                + QByteArray::number(1 + i % 3) + ',' + (i % 5 == 0 ? "test" : "train") + ','
                + QByteArray::number(100000 + 900 * (i * 37 % 101) + 7 * (i % 13)) + '\n';
    return text;
}

std::string cell(const QTableWidget& table, int row, int column)
{
    return table.item(row, column)->text().toStdString();
}

}   // namespace

TEST(ImportTable, ProposesAKindForEachColumnWithItsReasonAndUnit)
{
    const QTemporaryDir folder;
    const ImportDialog dialog(tableIn(folder, "prices.csv", prices(300)), {}, nullptr);
    ASSERT_TRUE(isRead(dialog));
    const auto& columns = *dialog.findChild<QTableWidget*>("importColumns");
    EXPECT_EQ(cell(columns, 0, 1), "index");
    EXPECT_EQ(cell(columns, 0, 2), "numbers the rows");
    EXPECT_EQ(columns.item(0, 0)->checkState(), Qt::Unchecked);
    EXPECT_EQ(cell(columns, 1, 2), "0 to 50");
    EXPECT_EQ(cell(columns, 1, 3), "years");
    EXPECT_EQ(cell(columns, 2, 2), "3 different whole numbers, 1 to 3");
    EXPECT_EQ(cell(columns, 3, 0), "part (split)");
    EXPECT_EQ(cell(columns, 4, 0), "price [USD] (target)");
    EXPECT_EQ(cell(columns, 4, 3), "USD");
    EXPECT_THAT(dialog.findChild<ColumnPicture*>()->caption().toStdString(), HasSubstr("100000 to 190"));
    EXPECT_THAT(dialog.options().columns, ElementsAre("2", "3"));
    EXPECT_EQ(dialog.chosenSplit().column, "part");
    auto* rooms = dialog.findChild<QComboBox*>("importKind/3");
    ASSERT_NE(rooms, nullptr);
    rooms->setCurrentIndex(1);
    EXPECT_THAT(dialog.options().categories, ElementsAre("3"));
}

TEST(ImportTable, StandardisesATargetInDollarsAndEstimatesItsNoise)
{
    const QTemporaryDir folder;
    ImportDialog dialog(tableIn(folder, "prices.csv", prices(300)), {}, nullptr);
    ASSERT_TRUE(isRead(dialog));
    dialog.findChild<QPushButton*>("importNow")->click();
    ASSERT_TRUE(isRead(dialog));
    EXPECT_EQ(dialog.findChild<QLabel*>("importMistake")->text(), QString());
    const auto& first = dialog.facts().first;
    EXPECT_TRUE(first.split.standardise_inputs && first.split.standardise_targets);
    EXPECT_EQ(first.split.calibration_fraction, 0.2);
    EXPECT_EQ(first.split.kind, credence::SplitKind::column);
    EXPECT_GT(std::get<double>(credence::field("network.noise_sd").get(first)), 1000) << "5 % of 26,000 or more";
    EXPECT_EQ(dialog.facts().features, 2U);
    EXPECT_EQ(dialog.facts().rows, 300U);
}

TEST(ImportTable, MissingNumbersAreImputedOnRequestAndTargetAndInputsStay)
{
    const QTemporaryDir folder;
    QByteArray rows = "y,a,b\n";
    for (int i = 0; i < 60; ++i)
        rows += QByteArray::number(i * 0.7) + ',' + (i == 7 ? "" : QByteArray::number(i * 0.3)) + ','
                + QByteArray::number(i % 29 * 0.1) + '\n';
    const ImportDialog dialog(tableIn(folder, "gaps.csv", rows), {.target = "y"}, nullptr);
    ASSERT_TRUE(isRead(dialog));
    const auto* import = dialog.findChild<QPushButton*>("importNow");
    EXPECT_FALSE(import->isEnabled());
    EXPECT_THAT(dialog.findChild<QLabel*>("importMistake")->text().toStdString(), HasSubstr("is empty"));
    auto* missing = dialog.findChild<QComboBox*>("importMissing");
    missing->setCurrentIndex(missing->findText("Impute"));
    Q_EMIT missing->activated(missing->currentIndex());
    EXPECT_TRUE(dialog.busy());
    EXPECT_TRUE(missing->isEnabled()) << "keeps the focus for the next press of an arrow key";
    EXPECT_FALSE(dialog.findChild<QComboBox*>("importSplit")->isEnabled());
    ASSERT_TRUE(isRead(dialog));
    EXPECT_TRUE(import->isEnabled());
    EXPECT_EQ(dialog.options().target, "1");
    EXPECT_EQ(dialog.options().missing, credence::MissingValues::impute);
    EXPECT_EQ(cell(*dialog.findChild<QTableWidget*>("importColumns"), 1, 4), "1");
}

TEST(ImportTable, ATypedFileIsPreviewedBeforeItIsImported)
{
    const QTemporaryDir folder;
    const ImportDialog dialog(tableIn(folder, "first.csv", "a,b\n1,2.5\n2,3.5\n"), {}, nullptr);
    ASSERT_TRUE(isRead(dialog));
    dialog.findChild<QLineEdit*>("importFile")->setText(tableIn(folder, "second.csv", "c,d\n1,2.5\n2,3.5\n"));
    dialog.findChild<QPushButton*>("importNow")->click();   // its key does not take the focus from the field
    ASSERT_TRUE(isRead(dialog));
    EXPECT_EQ(dialog.result(), QDialog::Rejected);
    EXPECT_EQ(dialog.targetName(), "d");
}

TEST(ImportTable, PastesTheTableInTheClipboardAndForgetsItIfItIsNotImported)
{
    const auto stored = [] { return QDir(tablesFolder()).entryList(QDir::Files); };
    const auto before = stored().size();
    ImportDialog dialog({}, {}, nullptr);
    auto* paste = dialog.findChild<QPushButton*>("importPaste");
    QGuiApplication::clipboard()->setText("a word");
    paste->click();
    EXPECT_THAT(dialog.findChild<QLabel*>("importMistake")->text().toStdString(),
                HasSubstr("The clipboard has no table"));
    QGuiApplication::clipboard()->setText("size\tkind\n1.5\tred\n2.5\tblue\n0.5\tred\n");
    paste->click();
    ASSERT_TRUE(isRead(dialog));
    EXPECT_EQ(dialog.findChild<QLabel*>("importMistake")->text(), QString());
    EXPECT_EQ(stored().size(), before + 1);
    EXPECT_EQ(dialog.findChild<QTableWidget*>("importColumns")->rowCount(), 2);
    dialog.reject();
    EXPECT_EQ(stored().size(), before);
}

TEST(ImportTable, FitsASmallScreenWithLargeText)
{
    const QTemporaryDir folder;
    const QString file = tableIn(folder, "rooms.csv", "a rather long name of a column,b,c\n1,2,3\n4,5,6\n7,8,9\n");
    applyTextSize(largestText);
    {
        ImportDialog dialog(file, {}, nullptr);
        EXPECT_TRUE(isRead(dialog));
        EXPECT_LE(dialog.minimumSizeHint().width(), 1000);
        dialog.resize(1000, 800);
        dialog.show();
        EXPECT_TRUE(waitUntil([&] { return dialog.isVisible() && dialog.height() <= 800; }));
        for (auto* control : dialog.findChildren<QWidget*>())
            if (control->isVisible()
                && (qobject_cast<QComboBox*>(control) || qobject_cast<QCheckBox*>(control)
                    || qobject_cast<QPushButton*>(control))
                && control->parentWidget() != dialog.findChild<QTableWidget*>("importColumns")->viewport()) {
                const QRect place(control->mapTo(&dialog, QPoint(0, 0)), control->size());
                EXPECT_TRUE(dialog.rect().contains(place)) << control->objectName().toStdString();
            }
    }
    applyTextSize(usualText);
}
