// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

class QLabel;
class QVBoxLayout;

/// The largest part of the window: the charts of the Study, called the stage, or a page that
/// replaces them, with its title and a back button. Escape and closing the page also return to the
/// stage; the work of the page continues.
class WorkspaceStack : public QWidget {
    Q_OBJECT
public:
    WorkspaceStack(QWidget* stage, QWidget* parent);

    using QWidget::show;
    void show(QWidget* page);                  ///< in place of the stage
    void showStage();                          ///< does nothing if it is in front
    void reveal(QWidget& control);             ///< shows the stage or the page, whichever contains it
    QWidget* page() const { return m_page; }   ///< null: the stage is in front

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void shown(QWidget* page);   ///< null: the stage

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void bring(QWidget* page);

    QWidget *m_stage, *m_head;
    QLabel* m_title;
    QVBoxLayout* m_column;
    QPointer<QWidget> m_page;
    QPointer<QWidget> m_focusBefore;   ///< before the stage was left
};
