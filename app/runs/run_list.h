// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

class CompareAction;
class Comparison;
class Notifier;
class QLineEdit;
class QModelIndex;
class RunActions;
class RunListModel;
class RunsPanel;
class RunView;
struct AppContext;

/// The saved runs as a list with thumbnails, in groups of equal data, from 240 pixels wide. Eye,
/// Enter or double click: display; box or Space: tick for comparison; Delete, F2, and a context
/// menu. The sortable table of all columns opens in a window of its own.
class RunList : public QWidget {
    Q_OBJECT
public:
    RunList(AppContext& context, Comparison& comparison, Notifier& notifier, QWidget* parent);
    ~RunList() override;

    void showTable();
    QSize sizeHint() const override;

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
    QPointer<RunsPanel> m_table;   ///< its window belongs to the main window
    RunView* m_view;
    QLineEdit* m_search;
};
