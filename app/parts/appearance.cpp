// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/appearance.h"

#include "widgets/chart_palette.h"

#include <QApplication>
#include <QHeaderView>
#include <QPainter>
#include <QPalette>
#include <QPointer>
#include <QScreen>
#include <QStyle>
#include <QStyleFactory>
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
            widget.setFixedWidth(withFont(size.width()));
        if (size.height() > 0)
            widget.setFixedHeight(withFont(size.height()));
    }
    if (const QVariant limit = widget.property(limitKey); limit.isValid())
        widget.setMaximumWidth(withFont(limit.toInt()));
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

int atUsualFont(int pixels)
{
    const double now = sizeOf(QApplication::font());
    return now > 0 ? static_cast<int>(std::lround(pixels * sizeOf(desktopsFont()) / now)) : pixels;
}

QFont scaledFont(QFont font, double factor)
{
    if (font.pointSizeF() > 0)
        font.setPointSizeF(factor * font.pointSizeF());
    else
        font.setPixelSize(static_cast<int>(std::lround(factor * font.pixelSize())));
    return font;
}

void fixWithText(QWidget* widget, int width, int height)
{
    widget->setProperty(fixedKey, QSize(width, height));
    fit(*widget);
}

void resizeWithText(QWidget& window, int width, int height)
{
    const QSize frame(2 * withText(8), withText(40));   // of the window manager
    window.resize(QSize(withFont(width), withFont(height)).boundedTo(window.screen()->availableSize() - frame));
}

void limitWithText(QWidget* widget, int greatestWidth)
{
    widget->setProperty(limitKey, greatestWidth);
    fit(*widget);
}

void paintCard(QWidget& card)
{
    QPainter painter(&card);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor frame = card.palette().color(QPalette::Text);
    frame.setAlphaF(0.25F);
    painter.setPen(frame);
    painter.setBrush(card.palette().color(QPalette::Base));
    painter.drawRoundedRect(QRectF(card.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

QWidget* shadeOver(QWidget& window)
{
    auto* shade = new QWidget(&window);
    shade->setAutoFillBackground(true);
    QPalette dim;
    QColor shadow = window.palette().color(QPalette::Shadow);
    shadow.setAlpha(96);   // the window still shows through
    dim.setColor(QPalette::Window, shadow);
    shade->setPalette(dim);
    shade->setGeometry(window.rect());
    shade->show();
    return shade;
}

void applyFont(const QFont& font)
{
    desktopsFont();   // reads it before it changes
    QApplication::setFont(font);
    // Qt notifies widgets only while an event loop runs, and then combo boxes compute their size
    // before all widgets are notified.
    QEvent changed(QEvent::ApplicationFontChange);
    const auto all = QApplication::allWidgets();
    const std::vector<QPointer<QWidget>> widgets(all.begin(), all.end());
    for (const auto& widget : widgets)   // before any widget measures its parts
        fit(*widget);
    for (const auto& widget : widgets)
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
    for (auto* widget : widgets)
        if (auto* table = qobject_cast<QTableView*>(widget))
            fitRows(*table, before);
    applyFont(font);   // applied last: widgets that measure a table in response must see its new rows
    return nowPercent;
}

namespace {

struct Grounds {
    QColor window, base, alternate, button, text, faint, highlight, highlighted, link, tip;
};

QPalette paletteFrom(const Grounds& c)
{
    QPalette p;
    p.setColor(QPalette::Window, c.window);
    p.setColor(QPalette::WindowText, c.text);
    p.setColor(QPalette::Base, c.base);
    p.setColor(QPalette::AlternateBase, c.alternate);
    p.setColor(QPalette::Button, c.button);
    p.setColor(QPalette::ButtonText, c.text);
    p.setColor(QPalette::Text, c.text);
    p.setColor(QPalette::BrightText, Qt::white);
    p.setColor(QPalette::PlaceholderText, c.faint);
    p.setColor(QPalette::Highlight, c.highlight);
    p.setColor(QPalette::HighlightedText, c.highlighted);
    p.setColor(QPalette::Link, c.link);
    p.setColor(QPalette::LinkVisited, c.link);
    p.setColor(QPalette::ToolTipBase, c.tip);
    p.setColor(QPalette::ToolTipText, c.text);
    p.setColor(QPalette::Light, c.button.lighter(120));
    p.setColor(QPalette::Midlight, c.button.lighter(108));
    p.setColor(QPalette::Mid, c.button.darker(125));
    p.setColor(QPalette::Dark, c.button.darker(150));
    p.setColor(QPalette::Shadow, QColor(0, 0, 0));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, c.faint);
    p.setColor(QPalette::Disabled, QPalette::Highlight, 0x5f646c);   // white is written on it
    return p;
}

const Grounds lightGrounds{0xffffff, 0xffffff, 0xf3f5f8, 0xf0f2f5, 0x1c2330,
                           0x5d687a, 0x2563d9, 0xffffff, 0x2563d9, 0xfffbe6};
const Grounds darkGrounds{0x1c2027, 0x1c2027, 0x15181d, 0x2b313b, 0xe8ebf0,
                          0xa0aaba, 0x3d6fd0, 0xffffff, 0x8fb4ff, 0x2b313b};
/// Projectors in bright rooms wash out greys: text is black, and faint text still has a contrast of
/// 7:1.
const Grounds projectorGrounds{0xffffff, 0xffffff, 0xf2f4f7, 0xeceef1, QColor(Qt::black),
                               0x555555, 0x0b57a4, 0xffffff, 0x0b4a8f, 0xffffff};

Theme lastApplied = Theme::desktop;

}   // namespace

QPalette paletteOf(Theme theme)
{
    switch (theme) {
    case Theme::dark: return paletteFrom(darkGrounds);
    case Theme::light: return paletteFrom(lightGrounds);
    case Theme::projector: return paletteFrom(projectorGrounds);
    case Theme::desktop: break;
    }
    return {};
}

Theme themeNamed(const QString& name)
{
    return name == QStringLiteral("light")  ? Theme::light
           : name == QStringLiteral("dark") ? Theme::dark
                                            : Theme::desktop;
}

QString nameOf(Theme theme)
{
    return theme == Theme::light  ? QStringLiteral("light")
           : theme == Theme::dark ? QStringLiteral("dark")
                                  : QStringLiteral("desktop");
}

Theme themeInUse() { return lastApplied; }

void applyTheme(Theme theme)
{
    lastApplied                       = theme;
    static const QString desktopStyle = QApplication::style()->name();   // as the platform chose it
    if (theme == Theme::desktop) {
        const bool fusion = desktopStyle.compare(QLatin1String("fusion"), Qt::CaseInsensitive) == 0;
        QApplication::setStyle(fusion ? flatStyle() : QStyleFactory::create(desktopStyle));
        QApplication::setPalette(QPalette());   // the platform's own
        const auto plain = QApplication::style()->standardPalette();
        if (fusion && QApplication::palette() == plain)   // the desktop has chosen no colours
            QApplication::setPalette(
                paletteOf(plain.color(QPalette::Base).lightness() < 128 ? Theme::dark : Theme::light));
        return;
    }
    QApplication::setStyle(flatStyle());
    QApplication::setPalette(paletteOf(theme));
}
