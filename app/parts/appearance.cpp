// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/appearance.h"

#include "widgets/chart_palette.h"

#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QHeaderView>
#include <QPainter>
#include <QPalette>
#include <QPointer>
#include <QProxyStyle>
#include <QScreen>
#include <QStyle>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTableView>
#include <QVariant>

#include <algorithm>
#include <cmath>
#include <tuple>
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
    window.resize(QSize(withText(width), withText(height)).boundedTo(window.screen()->availableSize() - frame));
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
    applyFont(font);   // last: widgets that measure a table in response see its new rows
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

QColor hairlineOf(const QPalette& palette)
{
    return credence::laidOver(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.15);
}

/// Fusion draws check boxes and pressed buttons in shades of the background, which are hard to see
/// in dark themes. Here a box has a frame in a shade of the text, and a pressed button has the
/// selection colour. Icons and boxes scale with the text. Buttons and fields are flat, with a hairline
/// around them. Tables, lists and texts have hairlines instead of frames, and thin scroll bars without
/// arrows.
class ClearBoxes : public QProxyStyle {
public:
    ClearBoxes() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override
    {
        const int usual = QProxyStyle::pixelMetric(metric, option, widget);
        switch (metric) {
        case PM_SmallIconSize:
        case PM_ButtonIconSize:
        case PM_TabBarIconSize:
        case PM_IndicatorWidth:
        case PM_IndicatorHeight:
        case PM_ExclusiveIndicatorWidth:
        case PM_ExclusiveIndicatorHeight: return withFont(usual);
        case PM_ScrollBarExtent: return withFont(8);
        case PM_ScrollBarSliderMin: return withFont(32);
        case PM_ScrollView_ScrollBarSpacing: return 0;
        default: return usual;
        }
    }

    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override
    {
        if (element == CE_DockWidgetTitle && widget != nullptr)
            painter->setFont(widget->font());   // not the one that Qt noted when the part was made
        if (element == CE_HeaderSection || element == CE_HeaderEmptyArea) {
            painter->fillRect(option->rect, option->palette.color(QPalette::Base));
            QRect line = option->rect;
            line.setTop(line.bottom());
            painter->fillRect(line, hairlineOf(option->palette));
            return;
        }
        const auto* box = element == CE_ComboBoxLabel ? qstyleoption_cast<const QStyleOptionComboBox*>(option)
                                                      : nullptr;
        if (box && !box->editable) {
            QStyleOptionComboBox shown = *box;
            const int picture          = box->currentIcon.isNull() ? 0 : box->iconSize.width() + 4;
            const int room    = subControlRect(CC_ComboBox, box, SC_ComboBoxEditField, widget).width() - picture - 2;
            shown.currentText = box->fontMetrics.elidedText(box->currentText, Qt::ElideRight, room);
            return QProxyStyle::drawControl(element, &shown, painter, widget);
        }
        QProxyStyle::drawControl(element, option, painter, widget);
    }

    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* more) const override
    {
        if (hint == SH_DialogButtonBox_ButtonsHaveIcons)
            return 0;   // a picture on Cancel alone draws the eye to it
        if (hint == SH_Table_GridLineColor && option)
            return static_cast<int>(hairlineOf(option->palette).rgba());
        return QProxyStyle::styleHint(hint, option, widget, more);
    }

    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override
    {
        const auto* bar = control == CC_ScrollBar ? qstyleoption_cast<const QStyleOptionSlider*>(option) : nullptr;
        return bar ? partOf(*bar, part) : QProxyStyle::subControlRect(control, option, part, widget);
    }

    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override
    {
        if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option); bar && control == CC_ScrollBar)
            return drawScrollBar(*bar, *painter, widget);
        if (const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
            box && control == CC_ComboBox && box->frame)
            return drawComboBox(*box, *painter, widget);
        if (const auto* box = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
            box && control == CC_SpinBox && box->frame && box->buttonSymbols != QAbstractSpinBox::PlusMinus)
            return drawSpinBox(*box, *painter, widget);
        QProxyStyle::drawComplexControl(control, option, painter, widget);
    }

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override
    {
        if (element == PE_PanelButtonTool && option->state.testFlag(State_On)) {
            drawButtonThatIsOn(*option, *painter);
            return;
        }
        if (element == PE_PanelButtonTool && !option->state.testFlag(State_AutoRaise))
            return drawOutline(withKeyboardFocus(*option), *painter, groundOfButton(*option));
        if (element == PE_FrameLineEdit)
            return drawOutline(*option, *painter, Qt::NoBrush);
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
            button && element == PE_PanelButtonCommand)
            return drawButton(*button, *painter);
        if (element == PE_Frame && qobject_cast<const QAbstractScrollArea*>(widget)) {
            QRect line = option->rect;
            line.setHeight(1);
            painter->fillRect(line, hairlineOf(option->palette));
            line.moveBottom(option->rect.bottom());
            painter->fillRect(line, hairlineOf(option->palette));
            return;
        }
        if (element != PE_IndicatorCheckBox && element != PE_IndicatorItemViewItemCheck)
            return QProxyStyle::drawPrimitive(element, option, painter, widget);
        const bool enabled  = option->state.testFlag(State_Enabled);
        const bool on       = option->state.testFlag(State_On);
        const auto& colours = option->palette;
        QColor frame        = colours.color(enabled ? QPalette::Active : QPalette::Disabled, QPalette::Text);
        frame.setAlphaF(0.6F);
        const QRectF box = QRectF(option->rect).adjusted(1.5, 1.5, -1.5, -1.5);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(on && enabled ? colours.color(QPalette::Highlight) : frame,
                             option->state.testFlag(State_HasFocus) ? 2 : 1));
        painter->setBrush(on && enabled ? colours.brush(QPalette::Highlight) : colours.brush(QPalette::Base));
        painter->drawRoundedRect(box, 2, 2);
        if (on) {
            painter->setPen(QPen(enabled ? colours.color(QPalette::HighlightedText) : frame, 1.8, Qt::SolidLine,
                                 Qt::RoundCap, Qt::RoundJoin));
            painter->drawPolyline(QPolygonF{box.topLeft() + QPointF(0.22 * box.width(), 0.52 * box.height()),
                                            box.topLeft() + QPointF(0.43 * box.width(), 0.74 * box.height()),
                                            box.topLeft() + QPointF(0.8 * box.width(), 0.26 * box.height())});
        }
        painter->restore();
    }

private:
    /// Groove, handle and the two parts next to it; there are no arrows.
    QRect partOf(const QStyleOptionSlider& bar, SubControl part) const
    {
        const bool across  = bar.orientation == Qt::Horizontal;
        const int length   = across ? bar.rect.width() : bar.rect.height();
        const qint64 range = static_cast<qint64>(bar.maximum) - bar.minimum;
        const qint64 least = std::min(length, pixelMetric(PM_ScrollBarSliderMin, &bar, nullptr));
        const int handle   = range <= 0
                                 ? length
                                 : static_cast<int>(std::clamp<qint64>(
                                   length * static_cast<qint64>(bar.pageStep) / (range + bar.pageStep), least, length));
        const int start    = sliderPositionFromValue(bar.minimum, bar.maximum, bar.sliderPosition, length - handle,
                                                     bar.upsideDown);
        int from = 0, to = length;
        switch (part) {
        case SC_ScrollBarGroove: break;
        case SC_ScrollBarSlider:
            from = start;
            to   = start + handle;
            break;
        case SC_ScrollBarSubPage: to = start; break;
        case SC_ScrollBarAddPage: from = start + handle; break;
        default: return {};
        }
        const QRect box = across ? QRect(from, 0, to - from, bar.rect.height())
                                 : QRect(0, from, bar.rect.width(), to - from);
        return visualRect(bar.direction, bar.rect, box.translated(bar.rect.topLeft()));
    }

    void drawScrollBar(const QStyleOptionSlider& bar, QPainter& painter, const QWidget* widget) const
    {
        const auto* holder = widget && widget->parentWidget() ? widget->parentWidget()->parentWidget() : nullptr;
        const auto* area   = qobject_cast<const QAbstractScrollArea*>(holder);
        const auto ground  = area ? area->viewport()->backgroundRole() : QPalette::Window;
        painter.fillRect(bar.rect, bar.palette.color(ground));
        if (!bar.state.testFlag(State_Enabled) || bar.maximum <= bar.minimum)
            return;
        const bool used = bar.state.testFlag(State_MouseOver) || bar.state.testFlag(State_Sunken);
        QColor ink      = bar.palette.color(QPalette::WindowText);
        ink.setAlphaF(used ? 0.7F : 0.5F);
        const double gap = used ? 1 : 2;   // pixels at each side
        const QRectF box = QRectF(partOf(bar, SC_ScrollBarSlider)).adjusted(gap, gap, -gap, -gap);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink);
        const double radius = std::min(box.width(), box.height()) / 2;
        painter.drawRoundedRect(box, radius, radius);
        painter.restore();
    }

    /// A hairline around a field or button; in the selection colour if it has the focus.
    static void drawOutline(const QStyleOption& option, QPainter& painter, const QBrush& ground)
    {
        const bool enabled  = option.state.testFlag(State_Enabled);
        const bool focus    = enabled && option.state.testFlag(State_HasFocus);
        const auto& colours = option.palette;
        const QColor line   = focus ? colours.color(QPalette::Highlight)
                                    : credence::laidOver(colours.color(QPalette::Active, QPalette::WindowText),
                                                         colours.color(QPalette::Window), enabled ? 0.35 : 0.2);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(line, focus ? 2 : 1));
        painter.setBrush(ground);
        const double inset = focus ? 1 : 0.5;
        painter.drawRoundedRect(QRectF(option.rect).adjusted(inset, inset, -inset, -inset), 4, 4);
        painter.restore();
    }

    /// The colour of a button under the pointer, while it is pressed, and otherwise.
    static QColor groundOfButton(const QStyleOption& option)
    {
        const auto& colours = option.palette;
        const double shade  = !option.state.testFlag(State_Enabled)    ? 0
                              : option.state.testFlag(State_Sunken)    ? 0.16
                              : option.state.testFlag(State_MouseOver) ? 0.06
                                                                       : 0;
        return credence::laidOver(colours.color(QPalette::ButtonText), colours.color(QPalette::Button), shade);
    }

    /// Buttons show the focus only while the keyboard is used.
    static QStyleOption withKeyboardFocus(const QStyleOption& option)
    {
        QStyleOption shown = option;
        shown.state.setFlag(State_HasFocus,
                            option.state.testFlag(State_HasFocus) && option.state.testFlag(State_KeyboardFocusChange));
        return shown;
    }

    static void drawButton(const QStyleOptionButton& option, QPainter& painter)
    {
        if (option.features.testFlag(QStyleOptionButton::Flat) && !option.state.testFlag(State_Sunken)
            && !option.state.testFlag(State_On))
            return;
        if (option.state.testFlag(State_On))
            return drawButtonThatIsOn(option, painter);
        QStyleOption shown = withKeyboardFocus(option);
        if (option.features.testFlag(QStyleOptionButton::DefaultButton))
            shown.state |= State_HasFocus;
        drawOutline(shown, painter, groundOfButton(option));
    }

    void drawComboBox(const QStyleOptionComboBox& option, QPainter& painter, const QWidget* widget) const
    {
        drawOutline(option, painter, option.editable ? option.palette.color(QPalette::Base) : groundOfButton(option));
        drawArrow(option, painter, subControlRect(CC_ComboBox, &option, SC_ComboBoxArrow, widget),
                  PE_IndicatorArrowDown, true, widget);
    }

    void drawSpinBox(const QStyleOptionSpinBox& option, QPainter& painter, const QWidget* widget) const
    {
        drawOutline(option, painter, option.palette.color(QPalette::Base));
        if (option.buttonSymbols == QAbstractSpinBox::NoButtons)
            return;
        for (const auto& [part, arrow, step] :
             {std::tuple{SC_SpinBoxUp, PE_IndicatorArrowUp, QAbstractSpinBox::StepUpEnabled},
              {SC_SpinBoxDown, PE_IndicatorArrowDown, QAbstractSpinBox::StepDownEnabled}}) {
            const QRect place = subControlRect(CC_SpinBox, &option, part, widget);
            if (option.activeSubControls.testFlag(part))
                painter.fillRect(place.adjusted(0, 1, -1, -1), groundOfButton(option));
            drawArrow(option, painter, place, arrow, option.stepEnabled.testFlag(step), widget);
        }
    }

    void drawArrow(const QStyleOption& option, QPainter& painter, const QRect& place, PrimitiveElement arrow,
                   bool enabled, const QWidget* widget) const
    {
        QStyleOption shown = option;
        shown.rect         = QRect(QPoint(), QSize(1, 1) * std::min({withFont(10), place.width(), place.height()}));
        shown.rect.moveCenter(place.center());
        shown.state.setFlag(State_Enabled, enabled && option.state.testFlag(State_Enabled));
        shown.state.setFlag(State_Sunken, false);
        QProxyStyle::drawPrimitive(arrow, &shown, &painter, widget);
    }

    static void drawButtonThatIsOn(const QStyleOption& option, QPainter& painter)
    {
        QColor ground = option.palette.color(
            option.state.testFlag(State_Enabled) ? QPalette::Active : QPalette::Disabled, QPalette::Highlight);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(ground);
        ground.setAlphaF(0.35F);
        painter.setBrush(ground);
        painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        painter.restore();
    }
};

const Grounds lightGrounds{0xffffff, 0xffffff, 0xf3f5f8, 0xf0f2f5, 0x1c2330,
                           0x5d687a, 0x2563d9, 0xffffff, 0x2563d9, 0xfffbe6};
const Grounds darkGrounds{0x1c2027, 0x191d23, 0x15181d, 0x2b313b, 0xe8ebf0,
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

void applyTheme(QApplication& application, Theme theme)
{
    lastApplied                       = theme;
    static const QString desktopStyle = application.style()->name();   // as the platform chose it
    if (theme == Theme::desktop) {
        const bool fusion = desktopStyle.compare(QLatin1String("fusion"), Qt::CaseInsensitive) == 0;
        application.setStyle(fusion ? new ClearBoxes : QStyleFactory::create(desktopStyle));
        application.setPalette(QPalette());   // the platform's own
        return;
    }
    application.setStyle(new ClearBoxes);
    application.setPalette(paletteOf(theme));
}
