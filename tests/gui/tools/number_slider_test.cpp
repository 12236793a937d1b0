// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/number_slider.h"

#include "work/text.h"

#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <gmock/gmock.h>

#include <set>

using namespace testing;

namespace {

NumberSlider::Number degrees()
{
    return {.name = "turn", .title = "Turn", .low = -180, .high = 180, .step = 0.5, .value = 10, .decimals = 1};
}
NumberSlider::Number threshold()
{
    return {.name     = "threshold",
            .title    = "Threshold",
            .low      = 1e-4,
            .high     = 1,
            .step     = 0.01,
            .value    = 0.05,
            .decimals = 4,
            .scale    = NumberSlider::Scale::logarithmic};
}

}   // namespace

TEST(NumberSlider, SliderAndBoxShowTheSameNumber)
{
    NumberSlider turn(degrees(), nullptr);
    EXPECT_EQ(turn.slider()->value(), 20) << "steps of the box";
    QSignalSpy spy(&turn, &NumberSlider::valueChanged);
    turn.slider()->setValue(-40);
    EXPECT_EQ(turn.value(), -20);
    turn.box()->setValue(30.5);
    EXPECT_EQ(turn.slider()->value(), 61);
    ASSERT_EQ(spy.size(), 2);
    EXPECT_EQ(spy[0][0].toDouble(), -20);
    EXPECT_EQ(spy[1][0].toDouble(), 30.5);
}

TEST(NumberSlider, DistinguishesDragsFromOneAnotherAndFromTyping)
{
    NumberSlider turn(degrees(), nullptr);
    std::vector<int> moves;
    QObject::connect(&turn, &NumberSlider::valueChanged, [&] { moves.push_back(turn.move()); });
    auto* slider    = turn.slider();
    const auto drag = [slider](int from, int to) {
        slider->setSliderDown(true);
        for (int place = from; place <= to; ++place)
            slider->setValue(place);
        slider->setSliderDown(false);
    };
    drag(30, 32);
    drag(33, 34);
    turn.box()->setValue(1);
    turn.box()->setValue(2);
    slider->setValue(50);   // by a key
    slider->setValue(51);
    ASSERT_EQ(moves.size(), 9u);
    EXPECT_EQ(moves[0], moves[1]);
    EXPECT_EQ(moves[1], moves[2]);
    EXPECT_EQ(moves[3], moves[4]);
    EXPECT_EQ(moves[7], moves[8]);
    EXPECT_EQ((std::set<int>{moves[0], moves[3], moves[5], moves[6], moves[7]}).size(), 5u);
}

TEST(NumberSlider, ALogarithmicSliderMovesByEqualFactors)
{
    NumberSlider slider(threshold(), nullptr);
    slider.slider()->setValue(slider.slider()->maximum());
    EXPECT_EQ(slider.value(), 1);
    slider.slider()->setValue(slider.slider()->maximum() / 2);
    EXPECT_NEAR(slider.value(), 0.01, 1e-4);
    slider.slider()->setValue(7);
    EXPECT_EQ(slider.slider()->value(), 7) << "it stays under the pointer when the box rounds";
}

TEST(NumberSlider, OneOfManyOrdersOfMagnitudeShowsSignificantDigitsAndKeepsTheOthers)
{
    NumberSlider precision({.name        = "precision",
                            .title       = "Precision",
                            .low         = 1e-6,
                            .high        = 1e8,
                            .value       = 1,
                            .scale       = NumberSlider::Scale::logarithmic,
                            .significant = 4},
                           nullptr);
    QSignalSpy spy(&precision, &NumberSlider::valueChanged);
    const auto type = [&precision](const QString& text) {
        precision.box()->selectAll();
        QTest::keyClicks(precision.box(), text);
        QTest::keyClick(precision.box(), Qt::Key_Return);
    };
    precision.setValue(0.00123456);
    EXPECT_EQ(precision.box()->text(), "0.001235");
    QTest::keyClick(precision.box(), Qt::Key_Return);
    EXPECT_EQ(precision.value(), 0.00123456);
    type("2e-5");
    EXPECT_EQ(precision.value(), 2e-5);
    type("-1");
    EXPECT_EQ(precision.value(), 2e-5);
    EXPECT_EQ(precision.box()->text(), "2e-05");
    precision.slider()->setValue(precision.slider()->maximum() / 2);
    EXPECT_EQ(precision.value(), 10);
    EXPECT_EQ(spy.size(), 2);
}

TEST(NumberSlider, SettingItEmitsNoSignal)
{
    NumberSlider turn(degrees(), nullptr);
    QSignalSpy spy(&turn, &NumberSlider::valueChanged);
    turn.setValue(90);
    turn.setRange(-45, 45);
    EXPECT_TRUE(spy.isEmpty());
    EXPECT_EQ(turn.value(), 45);
    EXPECT_EQ(turn.slider()->value(), 90);
    EXPECT_EQ(turn.slider()->maximum(), 90);
}

TEST(NumberSlider, ATypedNumberIsAppliedWhenFinished)
{
    NumberSlider turn(degrees(), nullptr);
    turn.show();
    QSignalSpy spy(&turn, &NumberSlider::valueChanged);
    turn.box()->selectAll();
    QTest::keyClicks(turn.box(), "12");
    EXPECT_TRUE(spy.isEmpty());
    QTest::keyClick(turn.box(), Qt::Key_Return);
    ASSERT_EQ(spy.size(), 1);
    EXPECT_EQ(spy[0][0].toDouble(), 12);
}

TEST(Text, NumbersAndTimesReadAsInEnglish)
{
    EXPECT_EQ(toQString(1234567), "1,234,567");
    EXPECT_EQ(toQString(std::size_t{12}), "12");
    EXPECT_EQ(toQString(-1000L), "-1,000");
    EXPECT_EQ(toQString(std::string("μ")), QStringLiteral("μ"));
    EXPECT_EQ(durationText(7.4), "0:07");
    EXPECT_EQ(durationText(3725), "1:02:05");
}

TEST(NumberSlider, ShowsDaysAsADate)
{
    NumberSlider sold({.name     = "sold",
                       .title    = "Sold",
                       .low      = 19723,
                       .high     = 20088,
                       .step     = 1,
                       .value    = 19723,
                       .decimals = 0,
                       .date     = true},
                      nullptr);
    EXPECT_EQ(sold.box()->text(), QStringLiteral("2024-01-01"));
    const auto typed = [&](const char* text) {
        sold.box()->findChild<QLineEdit*>()->setText(QLatin1String(text));
        sold.box()->interpretText();
        return sold.value();
    };
    EXPECT_EQ(typed("2024-03-01"), 19783);
    EXPECT_EQ(sold.slider()->value(), 19783);
    EXPECT_EQ(typed("01.03.2024"), 19783) << "another notation is refused";
    EXPECT_EQ(typed("2031-01-01"), 19783) << "outside the range";
    EXPECT_EQ(sold.box()->text(), QStringLiteral("2024-03-01"));
}
