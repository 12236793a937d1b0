// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/quiet_parts.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QSizePolicy>
#include <QWidget>

#include <algorithm>
#include <utility>

/// Detects whether the program is operated by keyboard, touch or screen reader. Mouse use ends this
/// state.
class QuietParts::Operation : public QObject, private QAccessible::ActivationObserver {
public:
    static Operation* made()
    {
        if (!existing())
            existing() = new Operation;
        return existing();
    }
    static QPointer<Operation>& existing()
    {
        static QPointer<Operation> operation;
        return operation;
    }

    bool withoutMouse() const { return m_withoutMouse || QAccessible::isActive(); }
    void add(QuietParts* parts)
    {
        // Installed again, so that it precedes the filters that search for a visible control
        qApp->installEventFilter(this);
        m_parts.push_back(parts);
    }
    void remove(QuietParts* parts) { std::erase(m_parts, parts); }
    std::vector<QuietParts*> parts() const { return m_parts; }
    ~Operation() override { QAccessible::removeActivationObserver(this); }

private:
    Operation() : QObject(qApp)
    {
        QAccessible::installActivationObserver(this);
        // Queued: while a widget is being deleted and gives up its focus, its part may already be
        // partly destroyed.
        connect(qApp, &QApplication::focusChanged, this, &Operation::refresh, Qt::QueuedConnection);
    }

    void accessibilityActiveChanged(bool) override { refresh(); }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) {
            const int key = static_cast<const QKeyEvent*>(event)->key();
            if (key == Qt::Key_Tab || key == Qt::Key_Backtab || key == Qt::Key_F1 || key == Qt::Key_F6)
                set(true);
        } else if (event->type() == QEvent::TouchBegin) {
            set(true);
        } else if (event->type() == QEvent::MouseButtonPress && watched->isWidgetType()
                   && static_cast<const QMouseEvent*>(event)->source() == Qt::MouseEventNotSynthesized) {
            set(false);   // after the area under the pointer was entered
        }
        return false;
    }

    void set(bool withoutMouse)
    {
        if (std::exchange(m_withoutMouse, withoutMouse) != withoutMouse)
            refresh();
    }
    void refresh()
    {
        for (auto* parts : std::vector(m_parts))
            parts->refresh();
    }

    std::vector<QuietParts*> m_parts;
    bool m_withoutMouse = false;
};

namespace {

constexpr int recheckMenu = 300;   ///< milliseconds

bool partContains(const QWidget& part, const QWidget* inner)
{
    for (; inner; inner = inner->parentWidget())   // also from a menu to its button
        if (inner == &part)
            return true;
    return false;
}

bool hasButtonOn(const QWidget& part)
{
    const auto buttons = part.findChildren<QAbstractButton*>();
    const auto* own    = qobject_cast<const QAbstractButton*>(&part);
    return (own && own->isChecked()) || std::any_of(buttons.begin(), buttons.end(), [](const QAbstractButton* button) {
               return button->isChecked() && !button->isHidden();
           });
}

}   // namespace

QuietParts::QuietParts(QWidget* area, QObject* parent) : QObject(parent)
{
    setArea(area);
    m_later.setSingleShot(true);
    m_later.setInterval(recheckMenu);
    connect(&m_later, &QTimer::timeout, this, &QuietParts::refresh);
    Operation::made()->add(this);
}

QuietParts::~QuietParts()
{
    if (auto* operation = Operation::existing().data())
        operation->remove(this);
}

void QuietParts::add(QWidget* part, std::function<void(bool)> setShown)
{
    if (!setShown) {
        QSizePolicy policy = part->sizePolicy();
        policy.setRetainSizeWhenHidden(true);
        part->setSizePolicy(policy);
        setShown = [part](bool shown) { part->setVisible(shown); };
    }
    auto buttons = part->findChildren<QAbstractButton*>();
    if (auto* own = qobject_cast<QAbstractButton*>(part))
        buttons += own;
    for (const auto* button : buttons)
        connect(button, &QAbstractButton::toggled, this, &QuietParts::refresh);
    std::erase_if(m_parts, [](const Part& one) { return !one.widget; });
    m_parts.push_back({part, std::move(setShown)});
    refresh();
}

void QuietParts::remove(const QWidget* part)
{
    std::erase_if(m_parts, [part](const Part& one) { return one.widget == part; });
}

void QuietParts::setArea(QWidget* area)
{
    if (m_area)
        m_area->removeEventFilter(this);
    m_area = area;
    if (area)
        area->installEventFilter(this);
    m_near = area && area->underMouse();
}

void QuietParts::setNeeded(bool needed)
{
    if (std::exchange(m_needed, needed) != needed)
        refresh();
}

void QuietParts::point(const QWidget& control, bool at)
{
    for (QuietParts* quiet : Operation::made()->parts())
        if (std::ranges::any_of(
                quiet->m_parts,
                [&control](const Part& one) { return one.widget && partContains(*one.widget, &control); })
            && std::exchange(quiet->m_pointed, at) != at)
            quiet->refresh();
}

bool QuietParts::eventFilter(QObject* watched, QEvent* event)
{
    const bool enters = event->type() == QEvent::Enter;
    if ((enters || event->type() == QEvent::Leave) && std::exchange(m_near, enters) != enters)
        refresh();
    return QObject::eventFilter(watched, event);
}

bool QuietParts::isNeeded(const QWidget& part) const
{
    return m_needed || m_near || m_pointed || Operation::made()->withoutMouse() || hasButtonOn(part)
           || partContains(part, QApplication::focusWidget());
}

void QuietParts::refresh()
{
    for (const auto& [widget, setShown] : std::vector(m_parts)) {
        if (!widget)
            continue;
        const bool menu = partContains(*widget, QApplication::activePopupWidget());
        if (menu)
            m_later.start();
        setShown(menu || isNeeded(*widget));
    }
}
