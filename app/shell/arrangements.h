// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

class Notifier;
class QMenu;
class Workbench;

/// Arrangements of the window that are saved by name: workspace, open parts, splits, views and sizes.
class Arrangements : public QObject {
    Q_OBJECT
public:
    using EnterWorkspace = std::function<void(const QString& id)>;

    Arrangements(Workbench& workbench, Notifier& notifier, EnterWorkspace enter, QObject* parent);

    void fill(QMenu* menu, std::function<void()> reset);
    void save(const QString& name);   ///< replaces one of this name
    void apply(const QString& name);
    void remove(const QString& name);

private:
    void askName();
    void refill();

    Workbench& m_workbench;
    Notifier& m_notifier;
    EnterWorkspace m_enter;
    QMenu *m_menu = nullptr, *m_removal = nullptr;
    QAction* m_end = nullptr;   ///< of the list
};
