// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plottables.h"

#include <QImage>

namespace credence {

/// The picture as a QImage of its own size, row 0 on top; null if its numbers do not fit together.
QImage imageOf(const Picture& picture);

/// Images whose pixels stay flat rectangles, each with its frame and its caption below.
class PicturesPlottable : public PassivePlottable {
public:
    using PassivePlottable::PassivePlottable;
    void setPictures(const Pictures& pictures, const ChartPalette& palette, const QFont& font, double pixelsPerPoint);

protected:
    void draw(QCPPainter* painter) override;

private:
    struct Item {
        QRectF place;   ///< in coordinates, y downwards from the larger one
        QImage image;
        QStringList caption;
        QPen frame;
    };
    void drawCaption(QCPPainter* painter, QStringList lines, const QRectF& below, double room) const;

    std::vector<Item> m_items;
    double m_captionRoom = 0;   ///< in units of y; 0: no limit
    QFont m_font;
    QColor m_text;
};

}   // namespace credence
