// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <functional>
#include <vector>

class QWidget;

/// Controls of an area that are visible only while they are needed: the pointer is over the area,
/// one of the controls is checked or has the focus, a lesson points at it, or the program is
/// operated by keyboard, touch or screen reader. Hidden controls keep their space, so that the
/// layout does not change.
class QuietParts : public QObject {
public:
    /// @param area  null: the pointer is ignored
    QuietParts(QWidget* area, QObject* parent);
    ~QuietParts() override;

    /// Adds a part that no other code may show or hide.
    /// @param setShown  shows or hides the part; empty: the part is hidden and keeps its space
    void add(QWidget* part, std::function<void(bool shown)> setShown = {});
    void remove(const QWidget* part);
    void setNeeded(bool needed);   ///< another reason of the owner to show the controls; initially false
    void setArea(QWidget* area);

    /// Shows the quiet part that contains this control, if there is one, while a lesson points at
    /// it.
    static void point(const QWidget& control, bool at);

private:
    struct Part {
        QPointer<QWidget> widget;
        std::function<void(bool)> setShown;
    };
    class Operation;
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool isNeeded(const QWidget& part) const;
    void refresh();

    QPointer<QWidget> m_area;
    std::vector<Part> m_parts;
    QTimer m_later;   ///< an open menu of a part does not report that it closes
    bool m_near = false, m_needed = false, m_pointed = false;
};
