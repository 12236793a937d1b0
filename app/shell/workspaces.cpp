// SPDX-License-Identifier: GPL-3.0-or-later
// The workspaces of the main window: one list, from which the rail is made.
#include "images/image_area.h"
#include "lessons/lesson_guide.h"
#include "parts/appearance.h"
#include "parts/area_splits.h"
#include "parts/palette.h"
#include "parts/rail.h"
#include "parts/view_binder.h"
#include "parts/window_part.h"
#include "parts/workbench.h"
#include "parts/workspace_stack.h"
#include "shell/main_window.h"
#include "shell/tool_pages.h"
#include "simplex/simplex_workbench.h"
#include "study/method.h"
#include "study/study_panel.h"
#include "views/image_rows.h"
#include "views/input_dock.h"
#include "views/main_tabs.h"
#include "views/prediction_area.h"
#include "views/view_navigator.h"
#include "work/text.h"

#include <QAction>

#include <array>
#include <utility>

using namespace credence;

namespace {

struct Workspace {
    const char *id, *title, *icon, *tip;
    const char* view    = nullptr;   ///< shown in front on the stage; null: no particular view
    const char* onStage = nullptr;   ///< a part shown below the charts of the stage
    const char* action  = nullptr;   ///< menu entry with the same effect, whose keys it has
};

constexpr std::array workspaces{
    Workspace{
        "explore", QT_TRANSLATE_NOOP("MainWindow", "Explore"), "workspace-explore",
        QT_TRANSLATE_NOOP("MainWindow", "The predictions for all inputs: a map, a band, a slice, images or a table"),
        ""},
    Workspace{"images", QT_TRANSLATE_NOOP("MainWindow", "Images"), "workspace-images",
              QT_TRANSLATE_NOOP("MainWindow", "The images with their predictions, and the selected image next to its "
                                              "boxplots"),
              ""},
    Workspace{
        "table", QT_TRANSLATE_NOOP("MainWindow", "Table"), "workspace-table",
        QT_TRANSLATE_NOOP("MainWindow", "The predictions of the test rows: observed and predicted values, and a table"),
        "test_rows"},
    Workspace{"chains", QT_TRANSLATE_NOOP("MainWindow", "Chains"), "workspace-chains",
              QT_TRANSLATE_NOOP("MainWindow", "Convergence, traces and functions of Markov chains"),
              "chain_convergence", "trainingDock"},
    Workspace{"compare", QT_TRANSLATE_NOOP("MainWindow", "Compare"), "workspace-compare",
              QT_TRANSLATE_NOOP("MainWindow", "The ticked runs side by side, above the table of all runs"), "",
              "runsTableDock"},
    Workspace{"simplex", QT_TRANSLATE_NOOP("MainWindow", "Simplex"), "workspace-simplex",
              QT_TRANSLATE_NOOP("MainWindow", "The distribution of class probabilities next to its Laplace Bridge"),
              "simplex_by_hand"},
    Workspace{"sweep", QT_TRANSLATE_NOOP("MainWindow", "Sweep"), "workspace-sweep",
              QT_TRANSLATE_NOOP("MainWindow", "Train a Study for several values of a setting, and compare the scores"),
              nullptr, nullptr, "sweepAction"},
    Workspace{"decide", QT_TRANSLATE_NOOP("MainWindow", "Decide"), "workspace-decide",
              QT_TRANSLATE_NOOP("MainWindow", "Agents that decide by their posterior: bandits and active learning"),
              nullptr, nullptr, "banditAction"},
    Workspace{"papers", QT_TRANSLATE_NOOP("MainWindow", "Papers"), "workspace-papers",
              QT_TRANSLATE_NOOP("MainWindow", "The tables and figures of the papers, with our results"), nullptr,
              nullptr, "papersAction"},
    Workspace{"learn", QT_TRANSLATE_NOOP("MainWindow", "Learn"), "workspace-learn",
              QT_TRANSLATE_NOOP("MainWindow", "Lessons: guided tours through the window"), nullptr, nullptr,
              "lessonsAction"},
};

constexpr int widthOfTwoCharts     = 700;                    ///< pixels at 100 % text
constexpr const char* observedView = "observed_predicted";   ///< in front in *Table* for a numeric target

struct StripEntry {
    const char *group, *title, *icon;
};

constexpr std::array studyLines{
    StripEntry{"data", QT_TRANSLATE_NOOP("MainWindow", "Data"), "part-data"},
    StripEntry{"network", QT_TRANSLATE_NOOP("MainWindow", "Network"), "part-network"},
    StripEntry{"posterior", QT_TRANSLATE_NOOP("MainWindow", "Posterior"), "part-posterior"},
    StripEntry{"training", QT_TRANSLATE_NOOP("MainWindow", "Training"), "part-training"},
    StripEntry{"prediction", QT_TRANSLATE_NOOP("MainWindow", "Prediction"), "part-prediction"},
};

}   // namespace

void MainWindow::buildWorkspaces()
{
    auto& rail = m_workbench->rail();
    for (const auto& one : workspaces)
        rail.add(QLatin1String(one.id), tr(one.title), QLatin1String(one.icon), tr(one.tip));
    rail.setCurrent(QStringLiteral("explore"));
    connect(&rail, &Rail::chosen, this, &MainWindow::enterWorkspace);
    connect(&m_workbench->pages(), &WorkspaceStack::shown, this, &MainWindow::followPage);
    connect(m_workbench->part(QStringLiteral("lessonDock")), &WindowPart::openChanged, this, [&rail](bool open) {
        rail.setOpen(QStringLiteral("learn"), open ? tr("the lesson panel is open") : QString());
    });
    auto& strip = m_workbench->studyStrip();
    for (const auto& line : studyLines)
        strip.add(QLatin1String(line.group), tr(line.title), QLatin1String(line.icon),
                  tr("Show the settings of this part"));
    connect(&strip, &Rail::chosen, this, [this](const QString& group) {
        m_workbench->setOpen(*m_workbench->part(QStringLiteral("studyDock")), true);
        m_studyPanel->unfold("section/" + group);
    });
    connect(m_binder, &ViewBinder::fitted, this,
            [this](const std::shared_ptr<const Experiment>& experiment) { followRun(*experiment); });
    connect(m_mainTabs->predictions(), &PredictionArea::inputChosen, m_workbench, &Workbench::inspect);
    connect(m_binder, &ViewBinder::rowChosen, m_workbench, &Workbench::inspect);
    connect(m_mainTabs->images(), &ImageArea::imageChosen, m_workbench, &Workbench::inspect,
            Qt::QueuedConnection);   // a grid that becomes narrower within a press would select another image
    connect(m_mainTabs, &ViewArea::currentChanged, this, [this, &rail](QWidget* page) {
        const bool simplex = page == m_mainTabs->simplex();
        if (simplex)
            rail.setCurrent(QStringLiteral("simplex"));
        else if (rail.current() == QLatin1String("simplex"))
            rail.setCurrent(QStringLiteral("explore"));
    });
}

void MainWindow::addWorkspaces(std::vector<Command>& commands)
{
    for (const auto& one : workspaces) {
        const auto* same = one.action ? findChild<QAction*>(QLatin1String(one.action)) : nullptr;
        commands.push_back({tr("Workspaces"), tr(one.title), tr(one.tip),
                            same ? same->shortcut().toString(QKeySequence::NativeText) : QString(),
                            [this, id = one.id] { enterWorkspace(QLatin1String(id)); },
                            m_workbench->rail().whyNot(QLatin1String(one.id))});
    }
}

void MainWindow::enterWorkspace(const QString& id)
{
    using Tool = ToolPages::Tool;
    for (const auto& [workspace, tool] :
         {std::pair{"sweep", Tool::sweep}, {"decide", Tool::bandit}, {"papers", Tool::papers}})
        if (id == QLatin1String(workspace))
            return m_tools->show(tool);
    m_workbench->pages().showStage();
    if (id == QLatin1String("learn"))
        return m_lessons->showList();
    m_areas->removeTemporary();
    for (const auto& one : workspaces)
        if (id == QLatin1String(one.id)) {
            m_workbench->rail().setCurrent(id);
            m_workbench->setOnStage(one.onStage ? QStringList{QLatin1String(one.onStage)} : QStringList{});
            m_navigator->show({});
            if (*one.view)
                m_navigator->show(QLatin1String(one.view));
            const auto& experiment = session().run().experiment;
            if (id != QLatin1String("table") || !experiment || !credence::view(observedView).applies(*experiment))
                continue;
            m_navigator->show(QLatin1String(observedView));   // the rows are in the drawer or the next view
            if (credence::view("slice").applies(*experiment) && m_areas->width() >= withFont(widthOfTwoCharts))
                m_areas->addTemporary(QStringLiteral("predictions"));
        }
}

/// Marks the workspace of the page in front; without a page, that of the charts.
void MainWindow::followPage(const QWidget* page)
{
    auto& rail = m_workbench->rail();
    if (page) {
        if (m_workspaceBefore.isEmpty())
            m_workspaceBefore = rail.current();
        const QString& name = page->objectName();
        const bool decides  = name == QLatin1String("bandit") || name == QLatin1String("activeLearning");
        return rail.setCurrent(decides ? QStringLiteral("decide") : name);
    }
    rail.setCurrent(std::exchange(m_workspaceBefore, {}));
    if (const auto& experiment = session().run().experiment)
        followRun(*experiment);   // the run may have changed since the charts were left
}

/// Disables workspaces that are not available for the displayed run, and leaves them if one is in
/// front.
void MainWindow::followRun(const Experiment& experiment)
{
    auto& rail          = m_workbench->rail();
    const bool images   = has_images(experiment);
    const auto& chains  = credence::view("chain_convergence");
    const bool chained  = chains.applies(experiment);
    const QString other = images ? QStringLiteral("images") : QStringLiteral("explore");
    rail.setWhyNot(QStringLiteral("images"),
                   images ? QString() : tr("The displayed run has no images. Choose image data in the Study."));
    rail.setWhyNot(QStringLiteral("table"),
                   images ? tr("The displayed run is on images, which are shown as a grid.") : QString());
    rail.setWhyNot(QStringLiteral("chains"),
                   chained ? QString()
                           : tr("The displayed run has no Markov chains. Choose NUTS, HMC or SG-MCMC as posterior."));
    const auto& now = rail.current();
    if ((now == QLatin1String("chains") && !chained) || (now == QLatin1String("images") && !images)
        || (now == QLatin1String("table") && images) || (now == QLatin1String("explore") && images)) {
        m_workbench->setOnStage({});
        m_areas->removeTemporary();
        rail.setCurrent(other);
    }
}
