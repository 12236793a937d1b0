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
    void surround(const QRect& part);   ///< of the window

private:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
};

/// Outlines controls by name and follows them when they are moved, scrolled, hidden or recreated.
class HighlightFrames : public QObject {
    Q_OBJECT
public:
    HighlightFrames(QWidget& window, QObject* parent);

    void show(const std::vector<QString>& names);   ///< in place of those before
    void clear() { show({}); }
    int visible() const;   ///< how many controls are outlined now

private:
    void follow();

    struct Outlined {
        QString name;
        QPointer<QWidget> target;
        QRect part;   // of the target; of a menu's line in the bar. Empty: all of it
        QPointer<HighlightFrame> frame;
    };
    QWidget& m_window;
    std::vector<Outlined> m_outlined;
    QTimer m_follow;
};
