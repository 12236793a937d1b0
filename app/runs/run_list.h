// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class CompareAction;
class Comparison;
class Notifier;
class QAction;
class QLineEdit;
class QModelIndex;
class RunActions;
class RunListModel;
class RunView;
struct AppContext;

/// The saved runs as a list with thumbnails, in groups of equal data, from 240 pixels wide. Eye,
/// Enter or double click: display; box or Space: tick for comparison; Delete, F2, and a context
/// menu.
class RunList : public QWidget {
    Q_OBJECT
public:
    RunList(AppContext& context, Comparison& comparison, Notifier& notifier, QWidget* parent);
    QAction& compareAction() const;   ///< compares the ticked runs
    QSize sizeHint() const override;

signals:
    void tableRequested();   ///< the table of all columns

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void buildView();
    void refresh();
    void refreshActions();
    void display(const QModelIndex& index);
    void showMenu(const QPoint& at);

    AppContext& m_context;
    RunListModel* m_model;
    RunActions* m_actions;
    CompareAction* m_compare;
    RunView* m_view;
    QLineEdit* m_search;
};
