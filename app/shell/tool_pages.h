// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <map>

class Notifier;
class PaperRuns;
class QMainWindow;
class SimplexWorkbench;
class StudyFiles;
class StudyPanel;
class ToolPage;
class ViewNavigator;
class WorkspaceStack;
struct AppContext;

/// The tool pages, which replace the stage in the middle of the window and are created on first
/// request, and their requests to the window. Work of a page that is not in front continues: the
/// status bar shows its progress, and a click on it shows the page again.
class ToolPages : public QObject {
    Q_OBJECT
public:
    /// Parts of the main window that the tools use.
    struct Parts {
        SimplexWorkbench& simplex;
        const ViewNavigator& navigator;
        StudyFiles& files;
        PaperRuns& papers;
        StudyPanel& study;
        Notifier& notifier;
        WorkspaceStack& stack;   ///< where the pages are shown
    };
    ToolPages(AppContext& context, const Parts& parts, QMainWindow& window);

    enum class Tool { sweep, bandit, active_learning, bridge_sampling, double_well, papers, data_sets, logits };
    /// Returns the page of a tool, to be shown by the stack. Null: it could not be created, and a
    /// message gives the reason.
    ToolPage* page(Tool tool);
    void show(Tool tool);
    void openLogits(const QString& file);

private:
    ToolPage* make(Tool tool);
    ToolPage* makeDecide(Tool tool);
    ToolPage* makeSweep();
    ToolPage* makeDataSets();
    ToolPage* makePapers();
    void showProgress(ToolPage* page);
    void connectPapers();

    AppContext& m_context;
    Parts m_parts;
    QMainWindow& m_window;
    std::map<Tool, ToolPage*> m_pages;
};
