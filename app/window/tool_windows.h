// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class Notifier;
class PaperRuns;
class SimplexWorkbench;
class QMainWindow;
class StudyFiles;
class StudyPanel;
class ToolPage;
class ViewNavigator;
struct AppContext;

/// Tools with their own windows, created on first use, and their requests to the main window. Work
/// of a closed page continues: the status bar shows its progress, and a click there shows the page
/// again.
class ToolWindows : public QObject {
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
    };
    ToolWindows(AppContext& context, const Parts& parts, QMainWindow& window);

    enum class Page { bridge_sampling, double_well, bandit, sweep };
    void show(Page page);
    void openLogits(const QString& file);
    void showDataSets();
    void showPapers();

private:
    template <class Tool, class... Arguments>
    Tool* tool(Arguments&... arguments);
    void showProgress(ToolPage* page);
    void connectPapers();

    AppContext& m_context;
    Parts m_parts;
    QMainWindow& m_window;
};
