// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <functional>
#include <vector>

class QWidget;

/// Controls of an area that are shown only while they are needed: while the pointer is over the area, one of them is
/// checked or has the focus, a lesson points at it, or the program is operated by keyboard, touch or screen reader.
/// They keep their space, so that nothing moves.
class QuietParts : public QObject {
public:
    /// @param area  null: the pointer does not matter
    QuietParts(QWidget* area, QObject* parent);
    ~QuietParts() override;

    /// Nobody else may show or hide the part.
    /// @param setShown  shows or hides the part; empty: it does so itself and keeps its space
    void add(QWidget* part, std::function<void(bool shown)> setShown = {});
    void remove(const QWidget* part);
    void setNeeded(bool needed);   ///< for a reason of the owner; at first not
    void setArea(QWidget* area);

    /// Shows the quiet part that contains this control, if any, while a lesson points at it.
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
