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

/// Layout of the docks: the default, the one for images, and the user's. A layout of another
/// version is discarded.
class DockLayout {
public:
    explicit DockLayout(QMainWindow& window);

    QDockWidget* add(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
    const std::vector<QDockWidget*>& docks() const { return m_docks; }
    void arrange();   ///< when all are there
    void arrangeForImages(bool images);
    /// Shows only these docks, and the lesson dock if it is open, and saves the previous layout
    /// until `bringBack`. Call once only.
    void setAside(const QStringList& shown);
    /// Restores the saved layout. @return  the docks that were shown until now
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
