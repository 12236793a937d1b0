// SPDX-License-Identifier: GPL-3.0-or-later

#include "parts/appearance.h"
#include "parts/icons.h"
#include "runs/run_list_model.h"
#include "session/saved_run.h"
#include "study/source.h"
#include "widgets/chart_palette.h"
#include "widgets/symbols.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHelpEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>

using namespace credence;

namespace {

constexpr int rowGap = 8, cardRound = 6, mostChips = 2;
constexpr int buttonSide = 24;   ///< the minimum target size of WCAG 2.2, success criterion 2.5.8

QFont boldFont(QFont font)
{
    font.setBold(true);
    return font;
}

QFont chipFont(const QFont& font) { return scaledFont(font, 0.85); }

QRect inTheMiddle(const QRect& room, int side)
{
    return {room.center().x() - side / 2, room.center().y() - side / 2, side, side};
}

}   // namespace

/// The appearance of one row.
struct RunDelegate::Look {
    QPainter& painter;
    Parts parts;
    QPalette palette;
    QFont font;
    QColor ground, text, pale, hairline;
};

RunDelegate::RunDelegate(QAbstractItemView* view) : QStyledItemDelegate(view), m_thumbnails(new RunThumbnails(this))
{
    connect(m_thumbnails, &RunThumbnails::made, view, [view](const std::shared_ptr<SavedRunEntry>& entry) {
        const auto* model = static_cast<const RunListModel*>(view->model());
        if (const auto index = model->indexOf(*entry); index.isValid())
            view->update(index);
    });
}

RunDelegate::Parts RunDelegate::partsOf(const QRect& cell, const QFont& font, const QModelIndex& index)
{
    const QFontMetrics metrics(font), bold(boldFont(font));
    Parts parts;
    QRect rest = cell.adjusted(rowGap / 2, 0, -rowGap / 2, 0);
    if (!index.data(RunListModel::heading_role).toString().isEmpty()) {
        parts.heading = QRect(rest.left() + rowGap, rest.top() + rowGap / 2, rest.width() - 2 * rowGap,
                              metrics.height() + rowGap / 2);
        rest.setTop(parts.heading.bottom() + 1);
    }
    parts.card     = rest.adjusted(0, 1, 0, -1);
    const int wide = std::min(withFont(RunThumbnails::width / 2), std::max(40, cell.width() * 22 / 100));
    const int tall = wide * RunThumbnails::height / RunThumbnails::width;
    parts.picture  = QRect(parts.card.left() + rowGap, parts.card.center().y() - tall / 2, wide, tall);
    const int side = std::max(buttonSide, withFont(buttonSide - 4));
    parts.tick     = QRect(parts.card.right() - rowGap / 2 - side, parts.card.center().y() - side / 2, side, side);
    parts.eye      = parts.tick.translated(-side, 0);
    const int left = parts.picture.right() + 1 + rowGap, right = parts.eye.left() - rowGap / 2;
    const int top = parts.card.center().y() - (bold.height() + metrics.height() + 2) / 2;
    parts.name    = QRect(left, top, std::max(0, right - left), bold.height());
    parts.line    = QRect(left, parts.name.bottom() + 3, parts.name.width(), metrics.height());
    return parts;
}

QSize RunDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int line    = option.fontMetrics.height();
    const int words   = QFontMetrics(boldFont(option.font)).height() + line + 2;
    const bool headed = !index.data(RunListModel::heading_role).toString().isEmpty();
    return {0, std::max(words, withFont(RunThumbnails::height / 2)) + rowGap + 2 + (headed ? line + rowGap : 0)};
}

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto& colours = option.palette;
    const QColor base = colours.color(QPalette::Base), accent = colours.color(QPalette::Highlight);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool shown    = index.data(RunListModel::displayed_role).toBool();
    const bool hovered  = option.state.testFlag(QStyle::State_MouseOver);
    const QColor text   = colours.color(QPalette::Text);
    const QColor ground = laidOver(accent, base, selected ? 0.2 : shown ? 0.1 : 0);
    const Look look{*painter,
                    partsOf(option.rect, option.font, index),
                    colours,
                    option.font,
                    hovered ? laidOver(text, ground, 0.04) : ground,
                    text,
                    legible(colours.color(QPalette::PlaceholderText), ground),
                    laidOver(text, ground, 0.2)};
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (!look.parts.heading.isEmpty()) {
        painter->setFont(chipFont(option.font));
        painter->setPen(legible(colours.color(QPalette::PlaceholderText), base));
        painter->drawText(look.parts.heading, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                          QFontMetrics(painter->font())
                              .elidedText(index.data(RunListModel::heading_role).toString(), Qt::ElideRight,
                                          look.parts.heading.width()));
    }
    const bool focused = selected && option.state.testFlag(QStyle::State_HasFocus);
    painter->setPen(focused ? QPen(accent, 2) : QPen(Qt::NoPen));
    painter->setBrush(look.ground);
    if (selected || shown || hovered)
        painter->drawRoundedRect(QRectF(look.parts.card).adjusted(1, 1, -1, -1), cardRound, cardRound);
    paintPicture(look, index);
    paintWords(look, index);
    paintButtons(look, option, index);
    painter->restore();
}

/// Paints the thumbnail, or a symbol of the data if there is none yet.
void RunDelegate::paintPicture(const Look& look, const QModelIndex& index) const
{
    auto& painter      = look.painter;
    const auto& entry  = static_cast<const RunListModel*>(index.model())->entryAt(index);
    const QRectF box   = look.parts.picture;
    const QImage image = m_thumbnails->of(entry);
    auto colours       = ChartPalette::forScreen(look.palette);
    colours.background = laidOver(look.text, look.palette.color(QPalette::Base), 0.04);
    painter.setPen(look.hairline);
    painter.setBrush(colours.background);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), cardRound - 2, cardRound - 2);
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    if (image.isNull()) {
        const double side = box.height() - 4;
        paintSymbol(painter, QRectF(box.center().x() - side / 2, box.center().y() - side / 2, side, side),
                    source_of(entry->run.study.data).gives_images() ? Symbol::images : Symbol::table, colours);
    } else if (image.hasAlphaChannel()) {
        QImage drawing = image.convertToFormat(QImage::Format_ARGB32_Premultiplied);
        QPainter tint(&drawing);
        tint.setCompositionMode(QPainter::CompositionMode_SourceIn);
        tint.fillRect(drawing.rect(), colours.posterior);
        tint.end();
        painter.drawImage(box, drawing);
    } else {
        QPainterPath edge;
        edge.addRoundedRect(box, cardRound - 2, cardRound - 2);
        painter.setClipPath(edge);
        painter.drawImage(box, image);
    }
    painter.restore();
}

void RunDelegate::paintWords(const Look& look, const QModelIndex& index)
{
    auto& painter = look.painter;
    painter.setFont(boldFont(look.font));
    painter.setPen(look.text);
    painter.drawText(
        look.parts.name, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        QFontMetrics(painter.font()).elidedText(index.data().toString(), Qt::ElideMiddle, look.parts.name.width()));
    painter.setFont(look.font);
    painter.setPen(look.pale);
    const QFontMetrics metrics(look.font);
    QRect room          = look.parts.line;
    const QString score = metrics.elidedText(index.data(RunListModel::score_role).toString(), Qt::ElideRight,
                                             room.width());
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, score);
    if (!score.isEmpty())
        room.setLeft(room.left() + metrics.horizontalAdvance(score) + rowGap);
    paintChips(look, room, index.data(RunListModel::chips_role).toStringList());
}

/// Paints as many chips as there is space for, at most two, and the number of the others.
void RunDelegate::paintChips(const Look& look, QRect room, const QStringList& chips)
{
    auto& painter = look.painter;
    painter.setFont(chipFont(look.font));
    const QFontMetrics metrics(painter.font());
    constexpr int inside = 6, between = 4;
    const auto widthOf = [&](const QString& words) { return metrics.horizontalAdvance(words) + 2 * inside; };
    const auto others  = [&](qsizetype count) { return QStringLiteral("+%1").arg(count); };
    const auto draw    = [&](const QString& words) {
        const QRectF chip(room.left(), room.center().y() - metrics.height() / 2.0, widthOf(words), metrics.height());
        painter.setPen(look.hairline);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(chip.adjusted(0.5, 0.5, -0.5, -0.5), chip.height() / 2, chip.height() / 2);
        painter.setPen(look.pale);
        painter.drawText(chip, Qt::AlignCenter | Qt::TextSingleLine, words);
        room.setLeft(room.left() + widthOf(words) + between);
    };
    qsizetype drawn = 0;
    for (; drawn < std::min<qsizetype>(mostChips, chips.size()); ++drawn) {
        const auto left = chips.size() - drawn - 1;
        if (widthOf(chips.at(drawn)) + (left > 0 ? between + widthOf(others(left)) : 0) > room.width())
            break;
        draw(chips.at(drawn));
    }
    if (const auto left = chips.size() - drawn; left > 0 && widthOf(others(left)) <= room.width())
        draw(others(left));
}

void RunDelegate::paintButtons(const Look& look, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const bool shown = index.data(RunListModel::displayed_role).toBool();
    const QRect eye  = inTheMiddle(look.parts.eye, withFont(16));
    icon(shown ? QStringLiteral("eye-displayed") : QStringLiteral("eye"), shown ? look.text : look.pale)
        .paint(&look.painter, eye);
    const auto* style = option.widget ? option.widget->style() : QApplication::style();
    QStyleOptionViewItem box(option);
    box.rect  = inTheMiddle(look.parts.tick, style->pixelMetric(QStyle::PM_IndicatorWidth, &option, option.widget));
    box.state = QStyle::State_Enabled
                | (index.data(Qt::CheckStateRole).toInt() == Qt::Checked ? QStyle::State_On : QStyle::State_Off);
    box.features |= QStyleOptionViewItem::HasCheckIndicator;
    style->drawPrimitive(QStyle::PE_IndicatorItemViewItemCheck, &box, &look.painter, option.widget);
}

bool RunDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                              const QModelIndex& index)
{
    const auto tick = [&] {
        const bool ticked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        model->setData(index, ticked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
    };
    switch (event->type()) {
    case QEvent::KeyPress:
        if (static_cast<QKeyEvent*>(event)->key() != Qt::Key_Space)
            return false;
        tick();
        return true;
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseButtonRelease: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const auto parts  = partsOf(option.rect, option.font, index);
        const QPoint at   = mouse->position().toPoint();
        if (mouse->button() != Qt::LeftButton || !parts.isButton(at))
            return false;
        if (event->type() == QEvent::MouseButtonRelease)
            parts.tick.contains(at) ? tick() : Q_EMIT displayRequested(index);
        return true;
    }
    default: return false;
    }
}

bool RunDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                            const QModelIndex& index)
{
    if (event->type() != QEvent::ToolTip || !index.isValid())
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    const auto parts = partsOf(option.rect, option.font, index);
    if (!parts.isButton(event->pos()))
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    QToolTip::showText(event->globalPos(),
                       parts.eye.contains(event->pos()) ? tr("Display this run in all views (Enter)")
                                                        : tr("Tick this run for comparison (Space)"),
                       view->viewport());
    return true;
}

QWidget* RunDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const
{
    auto* line = new QLineEdit(parent);
    line->setFrame(false);
    line->setAccessibleName(tr("Name of the run"));
    return line;
}

void RunDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                       const QModelIndex& index) const
{
    const auto parts = partsOf(option.rect, option.font, index);
    editor->setGeometry(parts.name.adjusted(0, -1, parts.eye.left() - parts.name.right(), 1));
}
