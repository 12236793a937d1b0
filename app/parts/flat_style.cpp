// SPDX-License-Identifier: GPL-3.0-or-later
// The look of all controls.
#include "parts/appearance.h"

#include "widgets/chart_palette.h"

#include <QAbstractItemModel>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QHeaderView>
#include <QListWidget>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QSlider>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>
#include <QTableView>
#include <QTreeView>
#include <QVariant>

#include <algorithm>
#include <tuple>

namespace {

constexpr int tableMargin  = 7;   ///< pixels at each side of a cell
constexpr int buttonMargin = 7;   ///< least pixels at each side of the text of a button
constexpr int rowMargin    = 2;   ///< pixels above and below a row of a list or tree
constexpr int fieldMargin  = 2;   ///< pixels more than usual at each side of the text of a field

QColor hairlineOf(const QPalette& palette)
{
    return credence::laidOver(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.15);
}

/// Fusion draws check boxes and pressed buttons in shades of the background, which are hard to see
/// in dark themes. Here a box has a frame in a shade of the text, and a pressed button has the
/// selection colour. Icons and boxes scale with the text. Buttons and fields are flat, with a hairline
/// around them. Tables, lists and texts have hairlines instead of frames, and thin scroll bars without
/// arrows. Tabs, sliders, progress bars and the handles between areas are lines, too.
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
        case PM_ScrollView_ScrollBarSpacing:
        case PM_TabBarTabShiftVertical:
        case PM_TabBarTabOverlap: return 0;
        // so that a number is separated from the word to its right
        case PM_FocusFrameHMargin: return qobject_cast<const QTableView*>(widget) ? withFont(tableMargin) - 1 : usual;
        default: return usual;
        }
    }

    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override
    {
        if (element == CE_DockWidgetTitle && widget != nullptr)
            painter->setFont(widget->font());   // not the one that Qt noted when the part was made
        if (element == CE_MenuBarEmptyArea || element == CE_HeaderEmptyArea) {
            painter->fillRect(option->rect,
                              option->palette.color(element == CE_HeaderEmptyArea ? QPalette::Base : QPalette::Window));
            return;
        }
        if (element == CE_HeaderSection || element == CE_ToolBar) {
            painter->fillRect(option->rect,
                              option->palette.color(element == CE_ToolBar ? QPalette::Window : QPalette::Base));
            QRect line = option->rect;
            line.setTop(line.bottom());
            painter->fillRect(line, hairlineOf(option->palette));
            return;
        }
        if (const auto* label = qstyleoption_cast<const QStyleOptionHeader*>(option);
            label && element == CE_HeaderLabel) {
            QStyleOptionHeaderV2 aligned = alignedLabel(*label, widget);
            const int indent             = indentOfHeading(option, widget);   // in line with the cells
            aligned.rect.adjust(indent, 0, -indent, 0);
            return QProxyStyle::drawControl(element, &aligned, painter, widget);
        }
        if (const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
            box && element == CE_ComboBoxLabel && !box->editable) {
            QStyleOptionComboBox shown = *box;
            const int picture          = box->currentIcon.isNull() ? 0 : box->iconSize.width() + 4;
            const int room = subControlRect(CC_ComboBox, box, SC_ComboBoxEditField, widget).width() - picture;
            if (box->fontMetrics.horizontalAdvance(box->currentText) > room)   // a pixel at each side is left free
                shown.currentText = box->fontMetrics.elidedText(box->currentText, Qt::ElideRight, room - 2);
            return QProxyStyle::drawControl(element, &shown, painter, widget);
        }
        if (element == CE_Splitter)
            return drawSplitter(*option, *painter);
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
            tab && element == CE_TabBarTabShape && isHorizontal(*tab))
            return drawTab(*tab, *painter);
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
            tab && element == CE_TabBarTabLabel && tab->state.testFlag(State_HasFocus)) {
            QStyleOptionTab plain = *tab;
            plain.version         = QStyleOptionTab::Version;
            plain.state.setFlag(State_HasFocus, false);   // the base style would fill the tab
            QProxyStyle::drawControl(element, &plain, painter, widget);
            QStyleOption focus = *tab;
            focus.rect.adjust(2, 2, -2, -3);
            focus.state.setFlag(State_Selected, false);
            return drawFocus(focus, *painter);
        }
        if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option);
            bar && (element == CE_ProgressBarGroove || element == CE_ProgressBarContents) && bar->maximum > bar->minimum
            && !bar->textVisible)
            return drawProgress(*bar, *painter, element == CE_ProgressBarContents);
        QProxyStyle::drawControl(element, option, painter, widget);
        if (element == CE_MenuBarItem && !option->state.testFlag(State_Selected)) {   // no line below the menus
            QRect line = option->rect;
            line.setTop(line.bottom());
            painter->fillRect(line, option->palette.color(QPalette::Window));
        }
    }

    /// The field of a combo box is narrower than Fusion assumes, which would elide its longest text.
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                           const QWidget* widget) const override
    {
        QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
        // Measured with its own font, since it computes its size while the application font is
        // changing
        if (type == CT_ComboBox && option)
            size.rwidth() += option->fontMetrics.averageCharWidth();
        if (type == CT_PushButton)
            size.setWidth(std::max(size.width(), contents.width() + 2 * buttonMargin));
        if (type == CT_HeaderSection)
            size.rwidth() += 2 * indentOfHeading(option, widget);
        if (type == CT_ItemViewItem
            && (qobject_cast<const QTreeView*>(widget) || qobject_cast<const QListWidget*>(widget)))
            size.rheight() += 2 * rowMargin;
        if (type == CT_LineEdit && hasFrame(option))
            size.rwidth() += 2 * fieldMargin;
        return size;
    }

    /// Aligns a heading with its cells, and separates the text of a field from its outline.
    QRect subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const override
    {
        QRect rect = QProxyStyle::subElementRect(element, option, widget);
        if (element == SE_LineEditContents && hasFrame(option))   // in line with the text of combo boxes
            rect.adjust(fieldMargin, 0, -fieldMargin, 0);
        if (element == SE_HeaderArrow && option)   // of a sorted column: at the height of its words
            rect.moveTop(option->rect.top() + (option->rect.height() - rect.height()) / 2);
        return rect;
    }

    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* more) const override
    {
        if (hint == SH_DialogButtonBox_ButtonsHaveIcons)
            return 0;   // an icon on Cancel only would attract attention to it
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
        if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
            slider && control == CC_Slider && slider->tickPosition == QSlider::NoTicks)
            return drawSlider(*slider, *painter, widget);
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
            if (!widget || !widget->property(plainWhenOn).toBool())
                drawButtonThatIsOn(*option, *painter);
            return;
        }
        if (element == PE_PanelButtonTool && !option->state.testFlag(State_AutoRaise))
            return drawOutline(withKeyboardFocus(*option), *painter, groundOfButton(*option));
        if (element == PE_PanelScrollAreaCorner)   // no lines between two scroll bars
            return painter->fillRect(option->rect, groundOf(*option, widget));
        if (element == PE_FrameFocusRect)
            return drawFocus(*option, *painter);
        if (element == PE_FrameTabBarBase)
            return drawTabBase(*option, *painter);
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
    static bool hasFrame(const QStyleOption* option)
    {
        const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
        return frame && frame->lineWidth > 0;
    }

    /// The colour below the scroll bars of this area.
    static QColor groundOf(const QStyleOption& option, const QWidget* area)
    {
        const auto* scrolled = qobject_cast<const QAbstractScrollArea*>(area);
        return option.palette.color(scrolled ? scrolled->viewport()->backgroundRole() : QPalette::Window);
    }

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
        painter.fillRect(bar.rect, groundOf(bar, holder));
        if (!bar.state.testFlag(State_Enabled) || bar.maximum <= bar.minimum)
            return;
        const bool used = bar.state.testFlag(State_MouseOver) || bar.state.testFlag(State_Sunken);
        QColor ink      = bar.palette.color(QPalette::WindowText);
        ink.setAlphaF(used ? 0.7F : 0.5F);
        const double gap = used ? 1 : 2;   // pixels at each side
        const QRectF box = QRectF(partOf(bar, SC_ScrollBarSlider)).adjusted(gap, gap, -gap, -gap);
        fillRounded(painter, box, ink);
    }

    /// More than the usual margin, in the head of a table.
    int indentOfHeading(const QStyleOption* option, const QWidget* widget) const
    {
        const auto* header = qobject_cast<const QHeaderView*>(widget);
        return header && header->orientation() == Qt::Horizontal
                       && qobject_cast<const QTableView*>(header->parentWidget())
                   ? withFont(tableMargin) - pixelMetric(PM_HeaderMargin, option, widget)
                   : 0;
    }

    /// A header is aligned like the cells below it.
    static Qt::Alignment alignmentOf(const QStyleOptionHeader& label, const QWidget* widget)
    {
        const auto* header = qobject_cast<const QHeaderView*>(widget);
        const auto* model  = header ? header->model() : nullptr;
        if (!model || label.orientation != Qt::Horizontal || label.textAlignment != Qt::AlignCenter)
            return label.textAlignment;
        const QVariant cell = model->index(0, label.section).data(Qt::TextAlignmentRole);
        const auto given    = cell.typeId() == qMetaTypeId<Qt::Alignment>() ? cell.value<Qt::Alignment>()
                                                                            : Qt::Alignment(cell.toInt());
        const auto across   = given & Qt::AlignHorizontal_Mask;
        return (across ? across : Qt::Alignment(Qt::AlignLeft)) | Qt::AlignVCenter;
    }

    /// Returns the label with this alignment.
    static QStyleOptionHeaderV2 alignedLabel(const QStyleOptionHeader& label, const QWidget* widget)
    {
        QStyleOptionHeaderV2 aligned;
        if (const auto* whole = qstyleoption_cast<const QStyleOptionHeaderV2*>(&label))
            aligned = *whole;
        else
            static_cast<QStyleOptionHeader&>(aligned) = label;
        aligned.textAlignment = alignmentOf(label, widget);
        return aligned;
    }

    /// A hairline in the middle of the handle; stronger under the pointer.
    static void drawSplitter(const QStyleOption& option, QPainter& painter)
    {
        const bool upright = option.state.testFlag(State_Horizontal);
        QRect line         = option.rect;
        upright ? line.setWidth(1) : line.setHeight(1);
        line.moveCenter(option.rect.center());
        painter.fillRect(line, option.state.testFlag(State_MouseOver) ? option.palette.color(QPalette::Highlight)
                                                                      : hairlineOf(option.palette));
    }

    static bool isHorizontal(const QStyleOptionTab& tab)
    {
        return tab.shape == QTabBar::RoundedNorth || tab.shape == QTabBar::TriangularNorth;
    }

    /// Tabs are words above a hairline, which is strong below the current one.
    static void drawTab(const QStyleOptionTab& tab, QPainter& painter)
    {
        const auto& colours = tab.palette;
        const bool current  = tab.state.testFlag(State_Selected);
        if (!current && tab.state.testFlag(State_MouseOver) && tab.state.testFlag(State_Enabled))
            painter.fillRect(tab.rect.adjusted(0, 0, 0, -1), credence::laidOver(colours.color(QPalette::WindowText),
                                                                                colours.color(QPalette::Window), 0.05));
        QRect line = tab.rect;
        line.setTop(line.bottom() - (current ? 1 : 0));
        painter.fillRect(line, current ? colours.color(QPalette::Highlight) : hairlineOf(colours));
    }

    /// The hairline continues next to the tabs.
    static void drawTabBase(const QStyleOption& option, QPainter& painter)
    {
        const auto* base = qstyleoption_cast<const QStyleOptionTabBarBase*>(&option);
        if (!base || base->shape != QTabBar::RoundedNorth)
            return;
        QRect line = option.rect;
        line.setTop(line.bottom());
        painter.fillRect(line, hairlineOf(option.palette));
    }

    static void drawProgress(const QStyleOptionProgressBar& bar, QPainter& painter, bool done)
    {
        const bool upright = !bar.state.testFlag(State_Horizontal);
        QRectF box         = QRectF(bar.rect).adjusted(0.5, 0.5, -0.5, -0.5);
        const double thick = std::min(upright ? box.width() : box.height(), static_cast<double>(withFont(6)));
        upright ? box.setWidth(thick) : box.setHeight(thick);
        box.moveCenter(QRectF(bar.rect).center());
        if (done) {
            const double share = (static_cast<double>(bar.progress) - bar.minimum)
                                 / (static_cast<double>(bar.maximum) - bar.minimum);
            const double part = std::clamp(share, 0.0, 1.0) * (upright ? box.height() : box.width());
            if (part <= 0)
                return;
            if (upright)
                box.setTop(box.bottom() - part);
            else if ((bar.direction == Qt::RightToLeft) != bar.invertedAppearance)
                box.setLeft(box.right() - part);
            else
                box.setWidth(part);
        }
        fillRounded(painter, box, done ? bar.palette.color(QPalette::Highlight) : grooveOf(bar.palette));
    }

    static QColor grooveOf(const QPalette& palette)
    {
        return credence::laidOver(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.2);
    }

    static void fillRounded(QPainter& painter, const QRectF& box, const QColor& colour)
    {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        const double radius = std::min(box.width(), box.height()) / 2;
        painter.drawRoundedRect(box, radius, radius);
        painter.restore();
    }

    /// A thin line, strong up to a round handle.
    void drawSlider(const QStyleOptionSlider& slider, QPainter& painter, const QWidget* widget) const
    {
        const bool across   = slider.orientation == Qt::Horizontal;
        const bool enabled  = slider.state.testFlag(State_Enabled);
        const auto& colours = slider.palette;
        const QRectF groove = subControlRect(CC_Slider, &slider, SC_SliderGroove, widget);
        const QRectF handle = subControlRect(CC_Slider, &slider, SC_SliderHandle, widget);
        const QColor strong = enabled ? colours.color(QPalette::Highlight) : grooveOf(colours);
        const double thick  = withFont(4);
        QRectF line         = groove;
        across ? line.setHeight(thick) : line.setWidth(thick);
        line.moveCenter(groove.center());
        fillRounded(painter, line, grooveOf(colours));
        // upsideDown: the value grows towards the left, or towards the top
        if (across)
            slider.upsideDown ? line.setLeft(handle.center().x()) : line.setRight(handle.center().x());
        else
            slider.upsideDown ? line.setTop(handle.center().y()) : line.setBottom(handle.center().y());
        fillRounded(painter, line, strong);
        const double side = std::min({handle.width(), handle.height(), static_cast<double>(withFont(14))}) - 2;
        QRectF knob(0, 0, side, side);
        knob.moveCenter(handle.center());
        const bool focus = enabled && slider.state.testFlag(State_HasFocus)
                           && slider.state.testFlag(State_KeyboardFocusChange);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(strong, focus ? 3 : 2));
        painter.setBrush(enabled ? colours.color(QPalette::BrightText) : colours.color(QPalette::Window));
        painter.drawEllipse(knob.adjusted(1, 1, -1, -1));
        painter.restore();
    }

    /// An outline; none on a selected row, which is marked already.
    static void drawFocus(const QStyleOption& option, QPainter& painter)
    {
        if (!option.state.testFlag(State_KeyboardFocusChange) || option.state.testFlag(State_Selected))
            return;
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(option.palette.color(QPalette::Highlight));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
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

}   // namespace

QStyle* flatStyle() { return new ClearBoxes; }
