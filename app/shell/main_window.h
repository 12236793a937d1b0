// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/app_context.h"

#include <QMainWindow>
#include <QString>

#include <memory>
#include <vector>

namespace credence {
struct Experiment;
struct PictureLink;
}   // namespace credence
struct Command;
class AreaSplits;
class Arrangements;
class Autosave;
class FigureExport;
class HelpWindow;
class ImageWorkbench;
class InputDock;
class LectureMode;
class LessonGuide;
class LinkFiles;
class MainTabs;
class Notifier;
class OutputsFiles;
class PaperRuns;
class PresetCards;
class QAbstractButton;
class QApplication;
class QLabel;
class QMenu;
class RunBar;
class SavedRuns;
class StudyFiles;
class StudyPanel;
class TimeMachine;
class ToolPages;
class TrainingDock;
class ViewArea;
class ViewBinder;
class ViewNavigator;
class ViewPanel;
class RecoveryPrompt;
class Workbench;

/// Describes custom controls to assistive technology (spoken_parts.cpp): message bars are alerts, thumbnail strips
/// are lists of images, the canvas is an image with the value under its cursor. Idempotent.
void installSpokenParts();

/// The first page: an example that trains at once, the user's own data, a preset, and recent
/// documents. It only sends requests; the window leaves the page and carries them out.
class StartPage : public QWidget {
    Q_OBJECT
public:
    StartPage(const SavedRuns& runs, QWidget* parent);

    /// Fills in the recent documents and shows the choices.
    /// @param cards  shows the presets too, with `preset` selected
    void present(bool cards, const QString& preset);

signals:
    void exampleWanted();
    void tableWanted();
    void imagesWanted();
    void predictionsWanted();
    void presetWanted(const QString& id);
    void comparisonWanted(const QString& id);
    void fileWanted(const QString& file);

private:
    void addCards();
    void showPresets();
    void askForData();
    void showRecent();

    const SavedRuns& m_runs;
    QAbstractButton *m_example, *m_data, *m_preset;
    QWidget* m_recent;
    QLabel* m_hint;
    QString m_selected;               ///< preset
    PresetCards* m_cards = nullptr;   ///< created on first use
};

/// The main window: its parts (main_window.cpp), its workspaces (workspaces.cpp), the pages of the tools
/// (tool_pages.cpp), its start page (start_page.cpp), its menus (actions.cpp) and its command palette (commands.cpp).
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// @param workspace  the data of the window; must outlive it
    explicit MainWindow(AppContext& context, QWidget* parent = nullptr);
    ~MainWindow() override;

    void openFile(const QString& file);   ///< see StudyFiles::open
    void openLink(const credence::PictureLink& link);
    void restoreLayout();
    /// Restores what the newest window had open; a window that opens a file calls `leaveSession` instead.
    void restoreSession();
    void leaveSession();
    void greet();   ///< shows the start page at the first start of a profile

    AppContext& context() { return m_context; }
    Session& session() { return m_context.session; }
    const ViewNavigator& navigator() const { return *m_navigator; }
    Workbench& workbench() const { return *m_workbench; }
    MainTabs* centre() const { return m_mainTabs; }
    FigureExport* figures() const { return m_figures; }
    ImageWorkbench* imageWorkbench() const;
    ViewPanel* panel(const QString& view) const;   ///< null: no such view in the window
    QString message() const;                       ///< the persistent message
    bool busy() const;                             ///< is a picture requested or in progress?

private:
    QString trainingInProgress() const;
    void showQuickComparison(int ticked);
    void offerMoreTraining();
    void buildParts();
    void buildArrangements();
    void buildStatusBar();
    void buildWorkspaces();
    void enterWorkspace(const QString& id);
    ViewArea& areaInUse() const;   ///< the one with the focus
    void followPage(const QWidget* page);
    void followRun(const credence::Experiment& experiment);
    void connectParts();
    void connectFiles();
    void offerUnsaved();
    void saveLayout();   ///< if it has changed
    void saveLayoutOften();
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

    void buildMenus();
    void buildFileMenu();
    void addDataEntries(QMenu* file);
    QMenu* exportMenu();
    void followRecorded(QAction* film);
    void followTable(QAction* predict);
    void buildEditMenu();
    void buildRunMenu();
    void buildViewMenu();
    void addAreaEntries(QMenu* menu);
    void buildHelpMenu();

    /// Puts the start page in front. @param cards  with the presets
    void showStart(bool cards);
    void trainExample();

    void search();   ///< opens the command palette
    std::vector<Command> commands();
    void addSettings(std::vector<Command>& commands);
    void addViewButtons(std::vector<Command>& commands);
    void addDocuments(std::vector<Command>& commands);
    void addWorkspaces(std::vector<Command>& commands);
    void showSetting(const QString& path);

    AppContext& m_context;
    Workbench* m_workbench;
    QByteArray m_savedLayout;
    QString m_workspaceBefore;   ///< the page in front
    Notifier* m_notifier;
    ViewBinder* m_binder;
    RunBar* m_runBar;
    MainTabs* m_mainTabs;
    AreaSplits* m_areas;
    std::unique_ptr<ViewNavigator> m_navigator;
    TimeMachine* m_timeMachine;
    FigureExport* m_figures;
    StudyFiles* m_files;
    OutputsFiles* m_outputs;
    PaperRuns* m_papers;
    HelpWindow* m_help;
    LectureMode* m_lecture;
    Arrangements* m_arrangements;
    LinkFiles* m_links;
    Autosave* m_autosave;
    RecoveryPrompt* m_recoveryPrompt;
    StudyPanel* m_studyPanel = nullptr;
    InputDock* m_input       = nullptr;
    TrainingDock* m_training = nullptr;
    LessonGuide* m_lessons   = nullptr;
    ToolPages* m_tools       = nullptr;
    StartPage* m_start       = nullptr;   ///< created on first use
    bool m_mayClose          = false;     // asked, or nothing is in progress
};

/// Opens the window and runs the event loop.
/// @param fileToOpen  a Study, a saved run, or a figure with its Study; empty: the default Study
/// @param theme       "light" or "dark"; empty: as remembered
/// @param link        shown instead of a file; null: the file
/// @return            the program's exit status
int runWindow(QApplication& application, const QString& fileToOpen, const QString& theme = {},
              const credence::PictureLink* link = nullptr);
