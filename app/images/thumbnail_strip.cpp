// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/thumbnail_strip.h"

#include "widgets/announcer.h"
#include "widgets/chart_palette.h"
#include "widgets/contrast.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

using namespace credence;

namespace {
constexpr int side = 42;   // of a thumbnail, logical pixels
}

ThumbnailStrip::ThumbnailStrip(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ThumbnailStrip::setThumbnails(std::vector<Thumbnail> thumbnails)
{
    m_thumbnails = std::move(thumbnails);
    m_current    = std::clamp(m_current, 0, std::max(0, count() - 1));
    QStringList words;
    for (const auto& each : m_thumbnails)
        words += each.tip;
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    update();
}

QSize ThumbnailStrip::sizeHint() const { return {6 * columnWidth(), side + 2 * fontMetrics().height() + 6}; }

QSize ThumbnailStrip::minimumSizeHint() const { return {3 * columnWidth(), sizeHint().height()}; }

int ThumbnailStrip::columnWidth() const { return side + 10; }

int ThumbnailStrip::shown() const { return std::min(count(), std::max(1, width() / columnWidth())); }

QRect ThumbnailStrip::place(int index) const { return {index * columnWidth() + 3, 2, side, side}; }

int ThumbnailStrip::indexAt(QPoint position) const
{
    const int index = position.x() / columnWidth();
    return position.x() >= 0 && index < shown() ? index : -1;
}

void ThumbnailStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const auto colours = ChartPalette::forScreen(palette());
    const int line     = fontMetrics().height();
    for (int i = 0; i < shown(); ++i) {
        const auto& each = at(i);
        const QRect box  = place(i);
        if (!each.picture.isNull()) {
            const QSize size = each.picture.size().scaled(box.size(), Qt::KeepAspectRatio);
            QRect inside(QPoint(), size);
            inside.moveCenter(box.center());
            painter.drawImage(inside, each.picture);
        }
        painter.setPen(QPen(each.stands_out ? colours.wrong : colours.frame, each.stands_out ? 2 : 1,
                            each.stands_out ? Qt::DashLine : Qt::SolidLine));   // not distinguished by colour alone
        painter.drawRect(box.adjusted(-1, -1, 0, 0));
        if (each.chosen || (hasFocus() && i == m_current)) {
            painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
            painter.drawRect(box.adjusted(-2, -2, 1, 1));
        }
        painter.setPen(palette().color(QPalette::WindowText));
        const QRect words(box.left() - 5, box.bottom() + 3, side + 10, line);
        painter.drawText(words, Qt::AlignCenter, fontMetrics().elidedText(each.first, Qt::ElideRight, words.width()));
        painter.setPen(legible(colours.muted, palette().color(QPalette::Window)));
        painter.drawText(words.translated(0, line), Qt::AlignCenter, each.second);
    }
}

std::vector<SpokenItem> ThumbnailStrip::spokenItems() const
{
    std::vector<SpokenItem> items;
    for (int i = 0; i < count(); ++i) {
        const auto& each = at(i);
        QStringList words{each.first, each.second, each.tip};
        words.removeAll(QString());
        words.removeDuplicates();
        if (each.stands_out)
            words += tr("different class than expected");
        items.push_back({.name        = words.join(QStringLiteral(", ")),
                         .description = tr("Press Enter to select it"),
                         .place       = place(i),
                         .chosen      = each.chosen,
                         .current     = i == m_current});
    }
    return items;
}

void ThumbnailStrip::pressItem(int index)
{
    if (index < 0 || index >= count())
        return;
    m_current = index;
    update();
    Q_EMIT activated(index);
}

void ThumbnailStrip::mouseReleaseEvent(QMouseEvent* event)
{
    const int index = indexAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton)
        pressItem(index);
}

void ThumbnailStrip::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
        m_current = std::clamp(m_current + (event->key() == Qt::Key_Left ? -1 : 1), 0, std::max(0, shown() - 1));
        update();
        if (m_current < count())
            announce(this, spokenItems()[static_cast<std::size_t>(m_current)].name, Announcer::Urgency::settled);
    } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_current < count()) {
        Q_EMIT activated(m_current);
    } else {
        QWidget::keyPressEvent(event);
    }
}

bool ThumbnailStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        if (const int index = indexAt(help->pos()); index >= 0)
            QToolTip::showText(help->globalPos(), at(index).tip, this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}
