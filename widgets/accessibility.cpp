// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/accessibility.h"

#include <QAccessible>
#include <QCoreApplication>
#include <QPointer>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace credence {

Announcer& Announcer::instance()
{
    static Announcer* const one = new Announcer;   // outlives every widget, and ends with the process
    return *one;
}

Announcer::Announcer()
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(every);
    connect(&m_pause, &QTimer::timeout, this, &Announcer::flush);
}

void Announcer::notify(QWidget* from, const QString& sentence, Urgency urgency)
{
    if (!from || sentence.isEmpty())
        return;
    if (urgency != Urgency::settled)
        return deliver(from, sentence, urgency);
    const auto same = std::find_if(m_waiting.begin(), m_waiting.end(),
                                   [from](const Waiting& one) { return one.from == from; });
    if (same != m_waiting.end())
        same->sentence = sentence;
    else
        m_waiting.push_back({from, sentence});
    if (!m_pause.isActive())
        flush();
}

void Announcer::flush()
{
    bool any = false;
    for (const auto& one : std::exchange(m_waiting, {})) {
        if (!one.from || m_last.value(one.from) == one.sentence)
            continue;
        if (!m_last.contains(one.from))
            connect(one.from, &QObject::destroyed, this, [this, gone = one.from.data()] { m_last.remove(gone); });
        m_last[one.from] = one.sentence;
        deliver(one.from, one.sentence, Urgency::settled);
        any = true;
    }
    if (any)
        m_pause.start();
}

void Announcer::deliver(QWidget* from, const QString& sentence, Urgency urgency)
{
    Q_EMIT notified(from, sentence, urgency);
    if (!QAccessible::isActive())
        return;
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    QAccessibleAnnouncementEvent spoken(from, sentence);
    spoken.setPoliteness(urgency == Urgency::alert ? QAccessible::AnnouncementPoliteness::Assertive
                                                   : QAccessible::AnnouncementPoliteness::Polite);
    QAccessible::updateAccessibility(&spoken);
#else
    if (urgency == Urgency::settled) {
        QAccessibleEvent described(
            from, QAccessible::DescriptionChanged);   // description of the focused control for screen readers
        QAccessible::updateAccessibility(&described);
        if (auto* seen = QAccessible::queryAccessibleInterface(from); seen && seen->valueInterface()) {
            QAccessibleValueChangeEvent changed(from, sentence);
            QAccessible::updateAccessibility(&changed);
        }
        return;
    }
    for (const auto type : {QAccessible::NameChanged, QAccessible::Alert}) {
        QAccessibleEvent changed(from, type);
        QAccessible::updateAccessibility(&changed);
    }
#endif
}

namespace {

/// One item by index; its text is queried each time.
class ItemInterface : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    ItemInterface(QWidget* widget, SpokenItems& items, int index, QAccessible::Role role)
        : m_widget(widget), m_items(items), m_index(index), m_role(role)
    {}

    bool isValid() const override { return m_widget && has(); }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_widget); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return m_role; }
    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text which) const override
    {
        const auto item = now();
        return which == QAccessible::Name          ? item.name
               : which == QAccessible::Description ? item.description
                                                   : QString();
    }

    QRect rect() const override
    {
        const auto item = now();
        return m_widget ? QRect(m_widget->mapToGlobal(item.place.topLeft()), item.place.size()) : QRect();
    }

    QAccessible::State state() const override
    {
        const auto item = now();
        QAccessible::State state;
        state.focusable  = true;
        state.selectable = true;
        state.selected   = item.chosen;
        state.focused    = item.current && m_widget && m_widget->hasFocus();
        state.invisible  = !m_widget || !m_widget->isVisible();
        return state;
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }

    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& name) override
    {
        if (name == pressAction() && isValid())
            m_items.pressItem(m_index);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    bool has() const { return static_cast<std::size_t>(m_index) < m_items.spokenItems().size(); }
    SpokenItem now() const
    {
        if (!m_widget)
            return {};
        const auto all = m_items.spokenItems();
        return static_cast<std::size_t>(m_index) < all.size() ? all[static_cast<std::size_t>(m_index)] : SpokenItem{};
    }

    QPointer<QWidget> m_widget;
    SpokenItems& m_items;
    int m_index;
    QAccessible::Role m_role;
};

}   // namespace

AccessibleItems::AccessibleItems(QWidget* widget, QAccessible::Role role, QAccessible::Role itemRole,
                                 SpokenItems& items)
    : QAccessibleWidget(widget, role), m_items(items), m_itemRole(itemRole)
{}

AccessibleItems::~AccessibleItems()
{
    for (const auto id : m_children)
        if (id != 0)
            QAccessible::deleteAccessibleInterface(id);
}

int AccessibleItems::itemCount() const { return widget() ? static_cast<int>(m_items.spokenItems().size()) : 0; }

int AccessibleItems::childCount() const { return itemCount() + QAccessibleWidget::childCount(); }

QAccessibleInterface* AccessibleItems::child(int index) const
{
    const int items = itemCount();
    if (index < 0)
        return nullptr;
    if (index >= items)
        return QAccessibleWidget::child(index - items);
    const auto at = static_cast<std::size_t>(index);
    if (m_children.size() <= at)
        m_children.resize(at + 1, 0);
    if (m_children[at] == 0)
        m_children[at] = QAccessible::registerAccessibleInterface(
            new ItemInterface(widget(), m_items, index, m_itemRole));
    return QAccessible::accessibleInterface(m_children[at]);
}

QAccessibleInterface* AccessibleItems::childAt(int x, int y) const
{
    for (int k = 0; k < itemCount(); ++k)
        if (auto* item = child(k); item->rect().contains(x, y))
            return item;
    return QAccessibleWidget::childAt(x, y);
}

QAccessibleInterface* AccessibleItems::focusChild() const
{
    if (widget() && widget()->hasFocus())
        for (int k = 0; k < itemCount(); ++k)
            if (auto* item = child(k); item->state().focused)
                return item;
    return QAccessibleWidget::focusChild();
}

int AccessibleItems::indexOfChild(const QAccessibleInterface* child) const
{
    for (std::size_t k = 0; k < m_children.size(); ++k)
        if (m_children[k] != 0 && QAccessible::accessibleInterface(m_children[k]) == child)
            return static_cast<int>(k);
    const int behind = QAccessibleWidget::indexOfChild(child);
    return behind < 0 ? behind : itemCount() + behind;
}

}   // namespace credence
