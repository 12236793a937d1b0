// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <QWidget>

#include <vector>

/// An outline around a control, drawn over its window. Ignores clicks and focus.
class HighlightFrame : public QWidget {
    Q_OBJECT
public:
    explicit HighlightFrame(QWidget* window);
    void surround(const QRect& part);   ///< in window coordinates

private:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
};

/// Outlines controls by name and follows them when they are moved, scrolled, hidden or recreated.
class HighlightFrames : public QObject {
    Q_OBJECT
public:
    HighlightFrames(QWidget& window, QObject* parent);

    void show(const std::vector<QString>& names);   ///< Replaces the previous outlines.
    void clear() { show({}); }
    int visible() const;   ///< number of controls currently outlined

private:
    void follow();

    struct Outlined {
        QString name;
        QPointer<QWidget> target;
        QRect part;   // Part of the target, such as one menu in the menu bar; empty: all of it.
        QPointer<HighlightFrame> frame;
    };
    QWidget& m_window;
    std::vector<Outlined> m_outlined;
    QTimer m_follow;
};
