// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>
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
    /// Shows these docks alone, with that of a lesson if it is there, and keeps how all stood until `bringBack`. Once only.
    void setAside(const QStringList& shown);
    /// All docks as they stood. @return  those that were shown until now
    QStringList bringBack();
    void reset() const;
    void save() const;
    void saveIfChanged();   ///< since the last call
    void restore();

private:
    void place(const QByteArray& state) const;
    QDockWidget* dock(const char* name) const;
    void share(const std::vector<const char*>& names, const QList<int>& sizes, Qt::Orientation direction) const;

    QMainWindow& m_window;
    std::vector<QDockWidget*> m_docks;
    QByteArray m_first, m_seen;
    QByteArray m_aside;              ///< how all stood; empty: nothing was set aside
    QSize m_asideSize;               ///< of the window then
    std::optional<bool> m_arrival;   ///< of images or of other data, meanwhile
};
