// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_list.h"

#include "images/image_delegate.h"
#include "images/image_list_model.h"

#include <QScrollBar>

#include <algorithm>

using namespace credence;

ImageList::ImageList(ImageListModel& model, QWidget* parent)
    : QListView(parent), m_delegate(new ImageDelegate(model, this))
{
    setModel(&model);
    setItemDelegate(m_delegate);
    setFlow(QListView::LeftToRight);
    setWrapping(true);
    setUniformItemSizes(true);
    setResizeMode(QListView::Adjust);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    // a scroll bar that appears and disappears would change the number of columns
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
}

std::vector<int> ImageList::sidesFor(ImageShape shape)
{
    const int own = std::max(shape.height, shape.width);
    if (own > 72)
        return {32, 48, 64, 96, 128, 192, 256};
    std::vector<int> sides;
    for (int side = own; side <= 256; side += own)
        if (side >= 24)
            sides.push_back(side);
    return sides;
}

int ImageList::side() const { return m_delegate->side(); }

void ImageList::setFirstSide(int side)
{
    m_delegate->setSide(side);
    fit();
}

void ImageList::setSide(int side)
{
    const QModelIndex now = currentIndex();
    const QModelIndex top = now.isValid() && visualRect(now).intersects(viewport()->rect()) ? now : indexAt({12, 12});
    setFirstSide(side);
    doItemsLayout();
    if (top.isValid())
        scrollTo(top, top == now ? QAbstractItemView::EnsureVisible : QAbstractItemView::PositionAtTop);
}

std::pair<int, int> ImageList::inSight() const
{
    const QSize cell = gridSize();
    const int rows   = model()->rowCount();
    if (!cell.isValid() || rows == 0)
        return {0, 0};
    const int across = std::max(1, viewport()->width() / cell.width());
    const int top    = verticalScrollBar()->value() / cell.height();
    const int bottom = (verticalScrollBar()->value() + viewport()->height()) / cell.height();
    return {std::min(top * across, rows), std::min((bottom + 1) * across, rows)};
}

void ImageList::fit()
{
    const QSize least = m_delegate->cellSize(font());
    const int room    = viewport()->width() - 1;
    const int across  = std::max(1, room / least.width());
    setGridSize({std::max(least.width(), room / across), least.height()});
}

void ImageList::focusInEvent(QFocusEvent* event)
{
    if (currentIndex().isValid())
        return QListView::focusInEvent(event);
    QAbstractScrollArea::focusInEvent(event);   // QListView's own handler would select the first image
    viewport()->update();
}

void ImageList::resizeEvent(QResizeEvent* event)
{
    QListView::resizeEvent(event);
    fit();
}
