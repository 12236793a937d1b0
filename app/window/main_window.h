// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/export_job.h"
#include "session/kept_runs.h"
#include "session/session.h"
#include "session/study_commands.h"
#include "session/view_scheduler.h"

#include "views/image_rows.h"
#include "views/views.h"

#include <QMainWindow>
#include <QTimer>
#include <QUndoStack>

#include <map>

class BridgeSamplingPanel;
class DataSetsDialog;
class ImportDialog;
class HelpWindow;
class ImageArea;
class ImageWorkbench;
class SimplexWorkbench;
class LawChoice;
class MessageBar;
class OpenLogits;
class PredictionArea;
class QDockWidget;
class QDoubleSpinBox;
class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QSlider;
class QSpinBox;
class QTabWidget;
class QVBoxLayout;
class RunBar;
class RunsPanel;
class StudyPanel;
class TimeMachine;
class ViewPanel;
struct ImageWish;

/// The window of UI.md: one Study, one run on show, one chosen input, one moment for all views.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    /// A Study, a kept run, a figure that carries its Study, or logits in an .npz; a table is offered for import. Mistakes are said in the message bar.
    void openFile(const QString& file);
    void restoreLayout();
    void restoreSession();

    Session& session() { return m_session; }
    QUndoStack& undoStack() { return m_undo; }
    KeptRuns& runs() { return m_runs; }
    ViewScheduler& scheduler() { return m_views; }
    ExportJob& exportJob() { return m_export; }
    ImageArea* images() const;
    bool busy() const;   ///< is a picture wished for or being made?
    const credence::ViewOptions& viewOptions() const { return m_options; }
    ImageWorkbench* imageWorkbench() const { return m_image; }
    SimplexWorkbench* simplexWorkbench() const { return m_simplex; }
    QTabWidget* centre() const { return m_centre; }   ///< predictions, simplex
    ViewPanel* panel(const QString& view) const;      ///< null: no such view in the window
    QString message() const;
    void exportFigures(const ExportOrder& order);

signals:
    void exported(const QStringList& files, const QString& mistake);

private:
    // main_window.cpp: what stands where
    void buildDocks();
    QDockWidget* addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
    ViewPanel* addView(const char* id);
    QWidget* buildInputDock();
    void addImagePages();
    QString centreView() const;
    QTabWidget* tabs(std::initializer_list<std::pair<const char*, QString>> views);
    QWidget* buildLayers();
    QWidget* buildWeights();
    QWidget* buildTopK();
    void resetLayout();
    void closeEvent(QCloseEvent* event) override;

    // window_actions.cpp: menus
    void buildMenus();
    void copyPicture();
    void shareKeys(QWidget* tool) const;
    void refreshRecent();
    void chooseTheme(const QString& name);

    // window_views.cpp: from moments to pictures
    void connectSession();
    void showMoment();
    void followPreparing();
    void request(const std::vector<ViewPanel*>& panels);
    void requestAll();
    void requestRows();
    void requestInput();
    credence::ViewOptions optionsNow() const;
    credence::ViewOptions optionsFor(const credence::View& view) const;
    ViewScheduler::Request requestFor(const QString& place, const credence::View& view,
                                      const credence::ViewOptions& options);
    std::shared_ptr<const std::string> shownStudy();
    std::vector<std::pair<std::shared_ptr<const KeptRunEntry>, std::string>> tickedRuns() const;
    ViewScheduler::Maker makerFor(const credence::View& view, const credence::ViewOptions& options);
    ViewScheduler::Maker printMakerFor(const credence::View& view);
    void showPictures(const std::vector<ViewScheduler::Picture>& pictures);
    void showWaiting(const QString& place, const QString& words);
    void fitToExperiment(const std::shared_ptr<const credence::Experiment>& experiment);
    void chooseInput(const std::vector<double>& input);
    void chooseRow(int row);
    void chooseImage(credence::ImagePart part, int image);
    void describeInput();
    std::vector<double> chosenInput() const;
    void showRun(int row);
    void deleteRun(int row);
    void compare(bool on);
    void markComparison();
    void runEnded(const std::shared_ptr<const credence::Experiment>& experiment,
                  const std::shared_ptr<credence::KeptRun>& run);
    void refreshStatus();

    // window_image.cpp: the tab Image
    QTabWidget* addImageTab(QTabWidget* tabs);
    void fitImageTab(const credence::Experiment& experiment);
    void takeImage(const ImageWish& wish);
    std::vector<ViewScheduler::Request> imageRequests(int samples);
    void requestImage();

    // window_simplex.cpp: the tab Simplex
    void buildCentre(QVBoxLayout* column);
    void followSimplex();
    void requestLaws();
    void addLawControls();
    std::vector<std::pair<QString, QString>> ownFigures() const;
    std::optional<ViewScheduler::Maker> makerOfOwnFigure(const QString& id) const;

    // window_points.cpp: points drawn by hand
    credence::Study studyWithPoints() const;
    void drawPoint(double x, double y, int label, int stroke);
    void erasePoints(double x, double y, double radiusX, double radiusY, int stroke);
    void clearPoints();
    void endStroke();

    // window_files.cpp: opening, saving, exporting
    void openDialog();
    void openStudy(const credence::Study& study, const QString& file);
    bool save(bool as);
    void importTable(const QString& file = {});
    void takeTable(const ImportDialog& dialog);
    void openLogitsDialog();
    void openLogits(const QString& file);
    void showBridgeSampling();
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showDataSets();
    void useImageSet(const QString& id);
    void rememberFile(const QString& file);
    void exportDialog(const QString& view);
    void reportDialog();
    bool exportIsFree();
    void refreshExport();
    void say(const QString& sentence);
    void refreshTitle();

    Session m_session;
    QUndoStack m_undo;
    StudyEditor m_editor{m_session, m_undo};
    KeptRuns m_runs;
    credence::ViewOptions m_options;
    std::shared_ptr<const credence::Experiment> m_fitted;   // what tabs and tools were fitted to
    std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>
        m_rowsOf;                       // experiment and snapshot of the table of rows
    credence::Chart m_compared;         // without the mark of the chosen input
    credence::DataSpec m_messageData;   // of the Study: with other data old messages go
    bool m_resumeAfterStroke = false;
    QString m_onShow;    // what is said when the pictures of a run that was put on show stand
    int m_opening = 0;   // files and runs are read in the background: the newest wish counts

    RunBar* m_runBar;
    StudyPanel* m_studyPanel;
    PredictionArea* m_predictions;
    TimeMachine* m_timeMachine;
    MessageBar* m_message;
    RunsPanel* m_runsPanel;
    std::map<QString, ViewPanel*> m_panels;
    std::vector<QTabWidget*> m_tabs;
    std::vector<QDockWidget*> m_docks;
    QTabWidget* m_layersTabs    = nullptr;
    ImageWorkbench* m_image     = nullptr;
    QTabWidget* m_centre        = nullptr;
    SimplexWorkbench* m_simplex = nullptr;
    LawChoice* m_law            = nullptr;
    QLabel* m_inputText         = nullptr;
    QSpinBox* m_inputRow        = nullptr;
    QSlider* m_prune            = nullptr;
    QLabel* m_pruneText         = nullptr;
    QDoubleSpinBox* m_topK      = nullptr;
    QSlider* m_topKSlider       = nullptr;
    QSpinBox* m_weight          = nullptr;
    QProgressBar* m_progressBar = nullptr;
    QLabel* m_progressWords     = nullptr;
    QPushButton* m_exportWords  = nullptr;
    QMenu* m_recent             = nullptr;
    QMenu* m_exportMenu         = nullptr;
    HelpWindow* m_help          = nullptr;
    QByteArray m_firstLayout;

    DataSetsDialog* m_dataSets      = nullptr;   // made when it is first asked for
    OpenLogits* m_logits            = nullptr;   // likewise
    BridgeSamplingPanel* m_sampling = nullptr;

    QString m_file;
    credence::Study m_saved;
    std::pair<std::shared_ptr<const credence::Experiment>, std::shared_ptr<const std::string>>
        m_shownStudy;   // and its JSON
    QString m_exportFolder;
    std::pair<long, QString> m_shownFile{-1, {}};   // Session::shownRun and where that run is stored
    QTimer m_preparing;                             // a Study that takes its time to be made ready
    bool m_saidReading = false;
    ExportJob m_export;
    ViewScheduler m_views;   // last: its threads must end before what its makers look at
};
