// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/pointer_ring.h"

#include <QApplication>
#include <QCursor>
#include <QPainter>

namespace {

constexpr int ringSide = 56;   // pixels
constexpr int ringPace = 16;   // milliseconds from one look to the next

class RingWidget : public QWidget {
public:
    explicit RingWidget(QWidget* window) : QWidget(window)
    {
        setObjectName(QStringLiteral("pointerRing"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
        setFocusPolicy(Qt::NoFocus);
        resize(ringSide, ringSide);
    }
    void press(bool down)
    {
        if (down == m_down)
            return;
        m_down = down;
        update();
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        const QColor colour(0xd5, 0x5e, 0x00);   // visible on black, white and every colour map
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(colour, 4));
        if (m_down)
            painter.setBrush(QColor(colour.red(), colour.green(), colour.blue(), 110));
        painter.drawEllipse(QRectF(rect()).adjusted(4, 4, -4, -4));
    }

    bool m_down = false;
};

}   // namespace

PointerRing::PointerRing(QObject* parent) : QObject(parent)
{
    m_clock.setInterval(ringPace);
    connect(&m_clock, &QTimer::timeout, this, &PointerRing::follow);
}

void PointerRing::setOn(bool on)
{
    if (on) {
        m_clock.start();
        follow();
    } else {
        m_clock.stop();
        delete m_ring;
    }
}

void PointerRing::follow()
{
    const QPoint at = QCursor::pos();
    auto* under     = QApplication::topLevelAt(at);
    if (!under || (under->windowType() != Qt::Window && under->windowType() != Qt::Dialog)) {
        if (m_ring)   // over a menu, or elsewhere
            m_ring->hide();
        return;
    }
    if (!m_ring || m_ring->parentWidget() != under) {
        delete m_ring;
        m_ring = new RingWidget(under);
    }
    m_ring->move(under->mapFromGlobal(at) - QPoint(ringSide / 2, ringSide / 2));
    static_cast<RingWidget*>(m_ring.data())->press(QGuiApplication::mouseButtons() != Qt::NoButton);
    if (m_ring->isHidden()) {
        m_ring->show();
        m_ring->raise();
    }
}
