// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/ask_path.h"

#include "gui/wait_until.h"

#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <gmock/gmock.h>

namespace {

/// A dialog that asks where to save, and what came of it.
class SaveDriver {
public:
    SaveDriver()
    {
        askWhereToSave("Save study", "Studies (*.json)", "study.json", "json", &window,
                       [this](const QString& file) { chosen = file; });
        dialog = window.findChild<QFileDialog*>();
        EXPECT_NE(dialog, nullptr);
        dialog->setDirectory(folder.path());
    }
    void save(const QString& name)
    {
        dialog->selectFile(name);
        static_cast<QDialog*>(dialog)->accept();
    }
    QMessageBox* question() { return window.findChild<QMessageBox*>("replaceFile"); }
    void write(const QString& name)
    {
        QFile file(folder.filePath(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    }

    const QTemporaryDir folder;
    QWidget window;
    QFileDialog* dialog = nullptr;
    QString chosen;
};

}   // namespace

TEST(AskWhereToSave, AMissingSuffixIsAdded)
{
    SaveDriver driver;
    driver.save("mine");
    EXPECT_EQ(driver.chosen, driver.folder.filePath("mine.json"));
    EXPECT_EQ(driver.question(), nullptr);
}

TEST(AskWhereToSave, ATypedNameGetsItsSuffixWhileItHasTheFocus)
{
    for (const bool exists : {false, true}) {
        SaveDriver driver;
        if (exists)
            driver.write("mine.json");
        driver.dialog->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(driver.dialog));
        auto* name = driver.dialog->findChild<QLineEdit*>("fileNameEdit");
        ASSERT_NE(name, nullptr);
        ASSERT_TRUE(name->hasFocus());
        name->setText("mine");
        static_cast<QDialog*>(driver.dialog)->accept();
        EXPECT_EQ(driver.chosen, exists ? QString() : driver.folder.filePath("mine.json"));
        EXPECT_EQ(driver.question() != nullptr, exists) << "asks about the final name";
    }
}

TEST(AskWhereToSave, AFileIsReplacedOnlyAfterAQuestionAboutItsFinalName)
{
    SaveDriver driver;
    driver.write("mine.json");
    driver.save("mine");
    EXPECT_EQ(driver.chosen, QString());
    ASSERT_NE(driver.question(), nullptr);
    EXPECT_TRUE(driver.question()->text().contains("mine.json already exists in"));
    QTest::keyClick(driver.question(), Qt::Key_Escape);
    EXPECT_EQ(driver.chosen, QString());
    EXPECT_TRUE(driver.dialog->isVisible()) << "another name can be chosen";
    ASSERT_TRUE(waitUntil([&] { return !driver.question(); }));

    driver.save("mine.json");
    ASSERT_NE(driver.question(), nullptr);
    for (auto* button : driver.question()->findChildren<QPushButton*>())
        if (button->text() == "&Replace")
            QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(driver.chosen, driver.folder.filePath("mine.json"));
}
