// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/lecture_mode.h"

#include "parts/appearance.h"
#include "parts/workbench.h"
#include "session/settings.h"
#include "widgets/chart_layout.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCursor>
#include <QFontInfo>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QTextEdit>

#include <algorithm>

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

namespace {

constexpr int lectureTypes[]   = {125, 150, 175, 200};
constexpr double thickestLines = 2;

/// A checkable menu entry that is remembered.
QAction* rememberedChoice(QMenu* menu, const QString& text, const QString& name, const Setting<bool>& setting)
{
    auto* action = menu->addAction(text);
    action->setObjectName(name);
    action->setCheckable(true);
    action->setChecked(read(setting));
    QObject::connect(action, &QAction::toggled, menu, [&setting](bool on) { write(setting, on); });
    return action;
}

}   // namespace

LectureMode::LectureMode(Workbench& workbench, QWidget* window)
    : QObject(window), m_workbench(workbench), m_window(window), m_switch(new QAction(tr("&Lecture mode"), this))
{
    setObjectName(QStringLiteral("lecture"));
    m_switch->setObjectName(QStringLiteral("lectureMode"));
    m_switch->setCheckable(true);
    m_switch->setShortcut(Qt::Key_F9);
    m_switch->setToolTip(
        tr("Use larger type, thicker lines, black on white and few parts of the window. Parts that you show or hide "
           "now are remembered for the next lecture; leaving lecture mode restores the previous layout (F9)"));
    connect(m_switch, &QAction::toggled, this, &LectureMode::setOn);
}

void LectureMode::fill(QMenu* menu)
{
    menu->setToolTipsVisible(true);
    menu->addAction(m_switch);
    menu->addSeparator();
    auto* sizes = new QActionGroup(menu);
    for (const int percent : lectureTypes) {
        auto* action = menu->addAction(tr("Text %1 %").arg(percent));
        action->setObjectName(QStringLiteral("lectureType/%1").arg(percent));
        action->setCheckable(true);
        action->setChecked(read(settings::lectureType) == percent);
        sizes->addAction(action);
        connect(action, &QAction::triggered, this, [this, percent] {
            write(settings::lectureType, percent);
            lookAgain();
        });
    }
    menu->addSeparator();
    for (auto* action :
         {rememberedChoice(menu, tr("&Black on white"), QStringLiteral("lectureBlackOnWhite"),
                           settings::lectureBlackOnWhite),
          rememberedChoice(menu, tr("&Ring around the pointer"), QStringLiteral("lectureRing"), settings::lectureRing)})
        connect(action, &QAction::toggled, this, &LectureMode::lookAgain);
}

void LectureMode::setOn(bool on)
{
    if (on == m_on)
        return;
    m_on = on;
    m_switch->setChecked(on);
    on ? enter() : leave();
    Q_EMIT changed(on);
}

/// Handles keys that no control in the window has used. Read-only text handles them itself while it
/// can still scroll.
bool LectureMode::eventFilter(QObject* receiver, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QObject::eventFilter(receiver, event);
    const auto* pressed = static_cast<QKeyEvent*>(event);
    const bool next     = pressed->key() == Qt::Key_Space || pressed->key() == Qt::Key_PageDown;   // of a presenter
    const auto* text    = qobject_cast<QTextEdit*>(receiver);
    const bool isRead   = text && text->window() == m_window && text->isReadOnly()
                        && text->verticalScrollBar()->value() == text->verticalScrollBar()->maximum();
    if (!next || pressed->modifiers() != Qt::NoModifier || (receiver != m_window && !isRead))
        return QObject::eventFilter(receiver, event);
    if (!pressed->isAutoRepeat())
        Q_EMIT lessonStepWanted();
    return true;
}

void LectureMode::enter()
{
    qApp->installEventFilter(this);
    m_size = m_window->size();
    m_workbench.setAside(read(settings::lectureDocks));
    enlarge();
}

void LectureMode::leave()
{
    qApp->removeEventFilter(this);
    shrinkAgain();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);   // parts may be as narrow as before
    if (!(m_window->windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen)))
        m_window->resize(m_size);   // larger type may have enlarged the window
    write(settings::lectureDocks, m_workbench.restoreParts());
}

void LectureMode::lookAgain()
{
    if (!m_on)
        return;
    shrinkAgain();
    enlarge();
}

/// Returns the scale factor. If the text is already large, the factor is limited so that the window
/// can show its parts.
double LectureMode::factor() const
{
    constexpr double leastWidth = 640, usualPixels = 13, large = 1.25;   // pixels at 100 % text
    const double wanted  = std::clamp(read(settings::lectureType), 100, 300) / 100.0;
    const double already = QFontInfo(QApplication::font()).pixelSize() / usualPixels;
    return already > large ? std::clamp(m_window->width() / leastWidth / already, 1.0, wanted) : wanted;
}

void LectureMode::enlarge()
{
    const double factor = this->factor();
    m_theme             = themeInUse();
    m_font              = QApplication::font();
    credence::setScreenLines(std::min(factor, thickestLines));
    if (read(settings::lectureBlackOnWhite))
        applyTheme(Theme::projector);
    m_own.clear();
    for (auto* widget : QApplication::allWidgets())
        if (widget->testAttribute(Qt::WA_SetFont))
            m_own.emplace_back(widget, widget->font());
    applyFont(scaledFont(m_font, factor));
    for (const auto& [widget, font] : m_own)
        widget->setFont(scaledFont(font, factor));
    m_ring.setOn(read(settings::lectureRing));
}

void LectureMode::shrinkAgain()
{
    m_ring.setOn(false);
    credence::setScreenLines(1);
    applyFont(m_font);
    for (const auto& [widget, font] : m_own)
        if (widget)
            widget->setFont(font);
    // Applied last, since a QComboBox updates its font only together with a style; and only if no
    // other theme was selected in the meantime.
    if (themeInUse() == Theme::projector)
        applyTheme(m_theme);
    m_own.clear();
}
