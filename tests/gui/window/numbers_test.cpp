// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"
#include "window/window.h"
#include "window_driver.h"

#include <QApplication>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QTimer>

#include <clocale>

TEST(Numbers, HaveADecimalPointInEveryFieldInAnyLocale)
{
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German));
    std::setlocale(LC_ALL, "");   // as Qt does it: de_DE under the tests labelled german
    int boxes = 0;
    QTimer::singleShot(0, qApp, [&] {
        EXPECT_STREQ(std::localeconv()->decimal_point, ".");
        for (const auto* window : QApplication::topLevelWidgets())
            for (const auto* box : window->findChildren<QDoubleSpinBox*>()) {
                EXPECT_EQ(box->locale().decimalPoint(), QStringLiteral(".")) << box->accessibleName().toStdString();
                ++boxes;
            }
        QDoubleSpinBox box;
        box.selectAll();
        QTest::keyClicks(&box, QStringLiteral("0,25"));   // the number pad of a German keyboard
        EXPECT_EQ(box.value(), 0.25);
        QApplication::quit();
    });
    runWindow(*qobject_cast<QApplication*>(qApp), {}, QStringLiteral("light"));
    EXPECT_GT(boxes, 3);
    QLocale::setDefault(before);
}

TEST(Numbers, ADecimalCommaInAFieldIsRejectedWithTheCorrectNotation)
{
    WindowDriver window;
    const double noise = window.study().data.toy.noise;
    window.type("data.noise/editor", "0,25");
    EXPECT_EQ(window.study().data.toy.noise, noise);
    EXPECT_TRUE(
        window.find<QLabel>("data.noise/mistake")->text().contains(QStringLiteral("with a decimal point, as 0.25.")));
}
