// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/spoken_items.h"

#include <QImage>
#include <QString>
#include <QWidget>

#include <vector>

/// Thumbnails in a row, as many as fit, each with two lines of text: images similar to the selected
/// one. A click, or arrows and Enter, activates one.
class ThumbnailStrip : public QWidget, public credence::SpokenItems {
    Q_OBJECT
public:
    struct Thumbnail {
        QImage picture;
        QString first, second;   ///< text below it
        QString tip;
        bool stands_out = false;   ///< has another class than expected
        bool chosen     = false;   ///< the current one
    };
    explicit ThumbnailStrip(QWidget* parent = nullptr);

    void setThumbnails(std::vector<Thumbnail> thumbnails);
    int count() const { return static_cast<int>(m_thumbnails.size()); }
    const Thumbnail& at(int index) const { return m_thumbnails[static_cast<std::size_t>(index)]; }
    int wholeWidth() const { return count() * columnWidth(); }   ///< width for all thumbnails
    std::vector<credence::SpokenItem> spokenItems() const override;
    void pressItem(int index) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void activated(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    int columnWidth() const;
    int shown() const;
    QRect place(int index) const;
    int indexAt(QPoint position) const;

    std::vector<Thumbnail> m_thumbnails;
    int m_current = 0;
};
