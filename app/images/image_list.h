// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_shape.h"

#include <QListView>

#include <utility>
#include <vector>

class ImageDelegate;
class ImageListModel;

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
