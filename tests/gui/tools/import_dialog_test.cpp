// SPDX-License-Identifier: GPL-3.0-or-later
#include "imports/import_dialog.h"

#include "gui/wait_until.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
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
    EXPECT_THAT(summary, HasSubstr("1 input columns become 1 numbers"));
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
