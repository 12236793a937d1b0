// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/text_size.h"

#include <QApplication>
#include <QHeaderView>
#include <QPointer>
#include <QTableView>
#include <QVariant>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace {

constexpr const char* fixedKey   = "sizeAtUsualText";
constexpr const char* limitKey   = "greatestWidthAtUsualText";
constexpr const char* rowTallKey = "rowHeightAtUsualText";

int nowPercent = usualText;

const QFont& desktopsFont()
{
    static const QFont font = QApplication::font();   // before anything was changed
    return font;
}

double sizeOf(const QFont& font) { return font.pointSizeF() > 0 ? font.pointSizeF() : font.pixelSize(); }

int scaled(int pixels, int percent) { return static_cast<int>(std::lround(pixels * percent / 100.0)); }

void fit(QWidget& widget)
{
    if (const QVariant fixed = widget.property(fixedKey); fixed.isValid()) {
        const QSize size = fixed.toSize();
        if (size.width() > 0)
            widget.setFixedWidth(withText(size.width()));
        if (size.height() > 0)
            widget.setFixedHeight(withText(size.height()));
    }
    if (const QVariant limit = widget.property(limitKey); limit.isValid())
        widget.setMaximumWidth(withText(limit.toInt()));
}

/// Row heights are text height plus padding, measured when the table was created, so they must be
/// updated.
void fitRows(QTableView& table, int before)
{
    auto* rows = table.verticalHeader();
    if (!table.property(rowTallKey).isValid())
        table.setProperty(rowTallKey, scaled(rows->defaultSectionSize(), 100 * 100 / std::max(1, before)));
    rows->setDefaultSectionSize(withText(table.property(rowTallKey).toInt()));
}

}   // namespace

int textSize() { return nowPercent; }

int withText(int pixels) { return scaled(pixels, nowPercent); }

int withFont(int pixels)
{
    const double usual = sizeOf(desktopsFont());
    return usual > 0 ? static_cast<int>(std::lround(pixels * sizeOf(QApplication::font()) / usual)) : pixels;
}

void fixWithText(QWidget* widget, int width, int height)
{
    widget->setProperty(fixedKey, QSize(width, height));
    fit(*widget);
}

void limitWithText(QWidget* widget, int greatestWidth)
{
    widget->setProperty(limitKey, greatestWidth);
    fit(*widget);
}

void applyFont(const QFont& font)
{
    desktopsFont();   // is noted now, if it has not been asked for yet
    QApplication::setFont(font);
    // Qt notifies widgets only while an event loop runs, and then combo boxes compute their size
    // before all widgets are notified.
    QEvent changed(QEvent::ApplicationFontChange);
    const auto all = QApplication::allWidgets();
    for (const QPointer<QWidget>& widget : std::vector<QPointer<QWidget>>(all.begin(), all.end()))
        if (widget)
            QCoreApplication::sendEvent(widget, &changed);
}

int applyTextSize(int percent)
{
    const QFont& desktops = desktopsFont();
    const int before      = std::exchange(nowPercent, std::clamp(percent, smallestText, largestText));
    if (before == nowPercent)
        return nowPercent;
    QFont font = desktops;
    if (nowPercent != usualText && desktops.pointSizeF() > 0)
        font.setPointSizeF(desktops.pointSizeF() * nowPercent / 100);
    else if (nowPercent != usualText)
        font.setPixelSize(std::max(1, withText(desktops.pixelSize())));
    const auto widgets = QApplication::allWidgets();
    for (auto* widget : widgets) {
        fit(*widget);
        if (auto* table = qobject_cast<QTableView*>(widget))
            fitRows(*table, before);
    }
    applyFont(font);   // at last: who answers to it by measuring a table meets its new rows
    return nowPercent;
}
