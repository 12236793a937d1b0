// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class Centre;
class Messages;
class PaperRuns;
class PictureDesk;
class QMainWindow;
class StudyFiles;
class StudyPanel;
class ToolPage;
struct Workspace;

/// Tools with their own windows, created on first use, and their requests to the main window. Work
/// of a closed page continues: the status bar shows its progress, and a click there shows the page
/// again.
class ToolWindows : public QObject {
    Q_OBJECT
public:
    /// Parts of the main window that the tools use.
    struct Parts {
        Centre& centre;
        PictureDesk& desk;
        StudyFiles& files;
        PaperRuns& papers;
        StudyPanel& study;
        Messages& messages;
    };
    ToolWindows(Workspace& workspace, const Parts& parts, QMainWindow& window);

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

    Workspace& m_workspace;
    Parts m_parts;
    QMainWindow& m_window;
};
