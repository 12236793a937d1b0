// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/quick_sheet.h"

#include "parts/sheet.h"
#include "session/app_context.h"
#include "session/expected_time.h"
#include "work/text.h"

#include "runs/quick_comparison.h"
#include "study/names.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QPushButton>
#include <QVBoxLayout>

#include <memory>
#include <utility>
#include <vector>

using namespace credence;

namespace {

QString quickText(const char* text) { return QCoreApplication::translate("QuickSheet", text); }

/// A method with its box.
struct QuickLine {
    QuickMethod method;
    QCheckBox* box = nullptr;
    double seconds = 0;
};

/// "SWAG · ≈ 2 s"
QString quickLineText(const AppContext& context, QuickLine& line)
{
    const QString title = toQString(family_title(line.method.study.posterior.family));
    if (!line.method.possible)
        return quickText("%1 · not possible").arg(title);
    if (context.quick.finishedRunOf(line.method.study))
        return quickText("%1 · already trained").arg(title);
    line.seconds       = expectedTime(line.method.study, context.runs).value_or(line.method.seconds);
    const QString time = quickText("%1 · %2").arg(title, expectedTimeText(line.seconds));
    return line.method.note.empty() ? time : quickText("%1. %2").arg(time, toQString(line.method.note));
}

}   // namespace

void askQuickComparison(AppContext& context, QWidget* window)
{
    const auto name        = QStringLiteral("quickSheet");
    const auto& experiment = context.session.ready().experiment();
    if (!experiment || Sheet::isOpen(name, window))
        return;
    auto* sheet = new Sheet(
        name, quickText("Quick comparison"),
        quickText("Trains these methods one after another with the network of this study, and compares them."), window);
    auto* content = new QWidget(sheet);
    auto* column  = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    const auto lines = std::make_shared<std::vector<QuickLine>>();
    for (auto& method : quick_comparison(*experiment)) {
        QuickLine line{.method = std::move(method)};
        line.box = new QCheckBox(quickLineText(context, line), content);
        line.box->setObjectName("quick/" + toQString(line.method.study.posterior.family));
        line.box->setToolTip(toQString(line.method.note));
        line.box->setEnabled(line.method.possible);
        line.box->setChecked(line.method.suggested);
        column->addWidget(line.box);
        lines->push_back(std::move(line));
    }
    sheet->addContent(content);
    auto* train = sheet->addAnswer({}, QStringLiteral("quickTrain"), [&context, lines] {
        std::vector<Study> studies;
        for (const auto& line : *lines)
            if (line.box->isChecked())
                studies.push_back(line.method.study);
        context.quick.begin(studies);
    });
    sheet->answerByEnter(train);
    const auto refresh = [train, lines] {
        double seconds = 0;
        int count      = 0;
        for (const auto& line : *lines)
            if (line.box->isChecked())
                seconds += line.seconds, ++count;
        train->setText(count < 2     ? quickText("Tick two methods")
                       : seconds > 0 ? quickText("&Train %1 methods (%2)").arg(count).arg(expectedTimeText(seconds))
                                     : quickText("&Compare %1 methods").arg(count));
        train->setEnabled(count >= 2);
    };
    for (const auto& line : *lines)
        QObject::connect(line.box, &QCheckBox::toggled, sheet, refresh);
    refresh();
    sheet->open();
}
