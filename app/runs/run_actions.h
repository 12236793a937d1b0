// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QObject>

#include <memory>
#include <vector>

class Comparison;
class Notifier;
class QPushButton;
class SavedRunEntry;
struct AppContext;

/// The actions on selected runs, for the buttons and context menus of the list and the table.
class RunActions : public QObject {
    Q_OBJECT
public:
    /// @param list  the list of runs, over which questions appear
    RunActions(AppContext& context, Notifier& notifier, QWidget* list);

    /// Selects the runs that the actions apply to. All actions except *Delete* need exactly one
    /// run.
    void select(std::vector<std::shared_ptr<SavedRunEntry>> runs);
    void display(const SavedRunEntry& run);

    QAction *show, *continueRun, *reopen, *rename, *remove;

signals:
    void renameRequested();
    void editsEnd();   ///< text that is being edited must be committed now

private:
    void reopenStudy();
    void askToDelete();
    bool refusesToDelete(const std::vector<std::shared_ptr<SavedRunEntry>>& entries) const;

    AppContext& m_context;
    Notifier& m_notifier;
    QWidget& m_list;
    std::vector<std::shared_ptr<SavedRunEntry>> m_selected;
};

/// Shows the ticked runs side by side while checked; disabled with fewer than two.
class CompareAction : public QAction {
    Q_OBJECT
public:
    CompareAction(AppContext& context, Comparison& comparison, QObject* parent);
};

enum class Mnemonic { yes, no };   ///< no: another button of the window has the same mnemonic
/// Returns a button that triggers this action and follows its text, tooltip and state.
QPushButton* buttonOf(QAction& action, const QString& name, QWidget* parent, Mnemonic mnemonic = Mnemonic::yes);

class QWidget;

/// Lists the methods of a quick comparison on the Study's data with their expected times, and
/// trains the ticked ones.
/// @pre the Study is prepared and its data are not images
void askQuickComparison(AppContext& context, QWidget* window);
