// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plottables.h"

#include <QImage>

namespace credence {

/// Converts to a QImage of the same size, row 0 at the top; null if the sizes do not match.
QImage imageOf(const Picture& picture);

/// Images with unsmoothed pixels, each with a frame and a caption below.
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
