// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "images/strokes.h"

#include <QImage>
#include <QWidget>

#include <optional>

/// Converts values 0 to 255 [channels × height × width] to an image: grey for one channel, colour
/// for three.
QImage pictureOf(std::span<const float> pixels, credence::ImageShape shape);

/// One enlarged image with square pixels. Reports the value under the pointer; in draw mode mouse,
/// tablet or keyboard (arrows, Space) draw on it.
class ImageCanvas : public QWidget {
    Q_OBJECT
public:
    explicit ImageCanvas(QWidget* parent = nullptr);

    void setImage(std::vector<float> pixels, credence::ImageShape shape);
    const std::vector<float>& pixels() const { return m_pixels; }
    /// A small image in the corner: the network input of the drawing.
    void setInset(const QImage& picture, const QString& words);

    void setDrawing(bool on);
    void setPen(double width, bool erases);   ///< width in pixels of the image
    const std::vector<credence::DrawnStroke>& strokes() const { return m_strokes; }
    void undoStroke();
    void clearStrokes();
    bool strokeGoesOn() const { return m_penDown; }

    QPointF positionOf(double x, double y) const;   ///< centre of a pixel in this widget's coordinates
    QString spoken(bool pixelAlone)
        const;   ///< For screen readers: the value at the cursor; without a cursor, size and keys, or nothing.
    QSize sizeHint() const override { return {220, 220}; }
    QSize minimumSizeHint() const override { return {112, 112}; }

signals:
    void strokesChanged();
    void pixelPointedAt(const QString& words);   ///< "row 3, column 17: 128"; empty: none

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void tabletEvent(QTabletEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF frame() const;   ///< of the image, in this widget's coordinates
    QPointF pixelAt(QPointF position) const;
    void penTo(QPointF pixel, double pressure, bool begins);
    void lift();
    void pointAt(std::optional<QPointF> pixel);

    std::vector<float> m_pixels;
    credence::ImageShape m_shape;
    QImage m_picture, m_inset;
    QString m_insetWords;
    std::vector<credence::DrawnStroke> m_strokes;
    double m_penWidth = 2.5;
    bool m_erases = false, m_drawing = false, m_penDown = false;
    QString m_words;
    std::optional<QPointF> m_pointed;   // in pixels of the image; set by keyboard or pointer
    bool m_byKeyboard = false;
};
