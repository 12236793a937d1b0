// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <vector>

class QDockWidget;
class QMainWindow;
class QWidget;

/// Where the docks stand: at first, for images, and as the user left them. A layout of another version is forgotten.
class DockLayout {
public:
    explicit DockLayout(QMainWindow& window);

    QDockWidget* add(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
    const std::vector<QDockWidget*>& docks() const { return m_docks; }
    void arrange();   ///< when all are there
    void arrangeForImages(bool images);
    void reset() const;
    void save() const;
    void saveIfChanged();   ///< since the last call
    void restore();

private:
    QDockWidget* dock(const char* name) const;
    void share(std::vector<const char*> names, const QList<int>& sizes, Qt::Orientation direction) const;

    QMainWindow& m_window;
    std::vector<QDockWidget*> m_docks;
    QByteArray m_first, m_seen;
};
