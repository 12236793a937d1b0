// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_shape.h"
#include "widgets/chart_palette.h"

#include <QListView>
#include <QStyledItemDelegate>

#include <utility>
#include <vector>

class ImageListModel;

/// One cell of the image grid: image, true → predicted class, confidence, and a bar of the
/// predictive entropy.
///
/// Colour is never the only cue: wrong is a cross and a thick frame, uncertain a question mark and
/// a dashed frame, certain but wrong an exclamation mark next to the cross.
class ImageDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit ImageDelegate(const ImageListModel& model, QObject* parent = nullptr)
        : QStyledItemDelegate(parent), m_model(model)
    {}

    void setSide(int side) { m_side = side; }   ///< longer edge of an image, logical pixels
    int side() const { return m_side; }
    QSize cellSize(const QFont& font) const;   ///< minimum size of a cell

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return cellSize(option.font);
    }

private:
    bool small() const;   ///< no space for a second line of text
    const credence::ChartPalette& colours(const QPalette& palette) const;

    const ImageListModel& m_model;
    int m_side                  = 56;
    mutable qint64 m_paletteKey = 0;
    mutable credence::ChartPalette m_colours;
    mutable QColor m_wrong, m_wrongOnChosen;   // text colours on the background of the list and of the selected image
};

/// Draws the image in a square of `room`: with an integer scale if it fits, smoothed if it must
/// shrink.
void drawCrisp(QPainter& painter, const QImage& image, const QRectF& room, QRectF* drawn = nullptr);

/// Any number of images in rows: only visible ones are painted, and cells share the width evenly.
class ImageList : public QListView {
    Q_OBJECT
public:
    ImageList(ImageListModel& model, QWidget* parent);

    int side() const;              ///< longer edge of an image, pixels
    void setSide(int side);        ///< Keeps the selected image, or else the first visible one, in view.
    void setFirstSide(int side);   ///< for other images
    /// First visible row of the model, and the one after the last.
    std::pair<int, int> inSight() const;
    /// Suitable sizes for images of this size: integer multiples of small ones.
    static std::vector<int> sidesFor(credence::ImageShape shape);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;   ///< Selects nothing by itself.

private:
    void fit();

    ImageDelegate* m_delegate;
};
