// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/tool_pages.h"

#include "bandit/active_learning_page.h"
#include "bandit/bandit_page.h"
#include "document/study_files.h"
#include "imports/data_sets_page.h"
#include "papers/double_well_page.h"
#include "papers/paper_runs.h"
#include "papers/papers_page.h"
#include "parts/form_controls.h"
#include "parts/keyboard.h"
#include "parts/notifier.h"
#include "parts/workspace_stack.h"
#include "session/app_context.h"
#include "simplex/bridge_sampling_panel.h"
#include "simplex/open_logits.h"
#include "simplex/simplex_workbench.h"
#include "study/study_panel.h"
#include "sweep/sweep_page.h"
#include "views/view_navigator.h"
#include "work/text.h"

#include "foundation/error.h"
#include "simplex/simplex_presets.h"

#include <QMainWindow>
#include <QMenuBar>
#include <QPushButton>
#include <QStatusBar>

#include <memory>

using namespace credence;

ToolPages::ToolPages(AppContext& context, const Parts& parts, QMainWindow& window)
    : QObject(&window), m_context(context), m_parts(parts), m_window(window)
{
    connectPapers();
    connect(&m_parts.stack, &WorkspaceStack::shown, this,
            [this](QWidget* page) { giveKeysTo(*m_window.menuBar(), qobject_cast<ToolPage*>(page)); });
}

ToolPage* ToolPages::page(Tool tool)
{
    if (const auto made = m_pages.find(tool); made != m_pages.end())
        return made->second;
    ToolPage* page = nullptr;
    try {
        page = make(tool);
    } catch (const Error& error) {   // an invalid user-defined gallery
        m_parts.notifier.keep(toQString(error.what()));
        return nullptr;
    }
    m_pages[tool] = page;
    showProgress(page);
    m_context.unfinished.add(page, {[page] { return page->workSentence(); }});
    m_context.unfinished.add(page, {[page] { return page->exportSentence(); }});
    return page;
}

void ToolPages::show(Tool tool)
{
    if (auto* shown = page(tool))
        m_parts.stack.show(shown);
}

ToolPage* ToolPages::make(Tool tool)
{
    auto* parent = &m_parts.stack;
    switch (tool) {
    case Tool::sweep: return makeSweep();
    case Tool::bandit:
    case Tool::active_learning: return makeDecide(tool);
    case Tool::bridge_sampling: return new BridgeSamplingPanel(parent);
    case Tool::double_well: return new DoubleWellPage(parent);
    case Tool::papers: return makePapers();
    case Tool::data_sets: return makeDataSets();
    case Tool::logits: return new OpenLogits(parent);
    }
    return nullptr;
}

void ToolPages::showProgress(ToolPage* page)
{
    const auto present = [this, page] { m_parts.stack.show(page); };
    auto* chip         = workButton(page->objectName() + QStringLiteral("Progress"),
                                    tr("Show the page %1, where work is in progress").arg(page->windowTitle()),
                                    m_window.statusBar());
    connect(chip, &QPushButton::clicked, page, present);
    const auto unseen  = std::make_shared<bool>(false);
    const auto refresh = [this, chip, page, present, unseen] {
        const bool working = page->working();
        if (std::exchange(*unseen, working && !page->isVisible()) && !working) {
            const QString words = page->message();
            m_parts.notifier.note(words.isEmpty() ? tr("%1: the work has finished.").arg(page->windowTitle())
                                                  : tr("%1: %2").arg(page->windowTitle(), words),
                                  {{tr("Show"), present}});
        }
        chip->setText(tr("%1: %2 · Show").arg(page->windowTitle(), page->workWords()));
        chip->setVisible(*unseen);
    };
    connect(page, &ToolPage::backgroundChanged, chip, refresh);
}

void ToolPages::openLogits(const QString& file)
{
    static_cast<OpenLogits*>(page(Tool::logits))->open(file);
    show(Tool::logits);
}

ToolPage* ToolPages::makeDecide(Tool tool)
{
    ToolPage* page = nullptr;
    if (tool == Tool::bandit)
        page = new BanditPage(&m_parts.stack);
    else
        page = new ActiveLearningPage(m_context, &m_parts.stack);
    connect(page->findChild<DecideTabs*>(), &DecideTabs::chosen, this,
            [this](int chosen) { show(chosen == DecideTabs::bandit ? Tool::bandit : Tool::active_learning); });
    return page;
}

ToolPage* ToolPages::makeSweep()
{
    auto* sweep = new SweepPage(m_context, &m_parts.stack);
    connect(sweep, &SweepPage::fileRequested, this, [this](const QString& file) {
        m_parts.stack.showStage();
        m_parts.files.open(file);
    });
    return sweep;
}

ToolPage* ToolPages::makeDataSets()
{
    auto* sets = new DataSetsPage(&m_parts.stack);
    connect(sets, &DataSetsPage::useSet, this, [this](const QString& id) {
        m_parts.stack.showStage();
        m_parts.files.useImageSet(id);
    });
    connect(sets, &DataSetsPage::setArrived, &m_parts.files, &StudyFiles::imageSetArrived);
    return sets;
}

/// Creates the papers page. Requested results are shown on the stage or on another page.
ToolPage* ToolPages::makePapers()
{
    auto* page = new PapersPage(gallery(), &m_parts.stack);
    page->setOpenable([this](const GalleryEntry& entry) { return m_parts.papers.canOpen(entry); });
    const auto does = [page](const QString& mistake) {
        if (mistake.isEmpty())
            page->close();
        else
            page->notify(mistake);
    };
    connect(page, &PapersPage::runRequested, this, [this, does](const QString& id, bool quick) {
        does(m_parts.papers.run(gallery().entry(id.toStdString()), quick));
    });
    connect(page, &PapersPage::openRequested, this,
            [this, does](const QString& id) { does(m_parts.papers.open(gallery().entry(id.toStdString()))); });
    connect(&m_context.runs, &SavedRuns::rowsInserted, page, &PapersPage::refreshButtons);
    return page;
}

/// Connects paper entries to the window.
void ToolPages::connectPapers()
{
    connect(&m_parts.papers, &PaperRuns::studyWanted, &m_parts.study, &StudyPanel::chooseStudy);
    m_parts.papers.openSweep = [this](const Sweep& sweep) {
        auto* sweeps = static_cast<SweepPage*>(page(Tool::sweep));
        if (sweeps->running())
            return tr("Not opened: a sweep is running. Cancel it on its page or wait until it has finished.");
        sweeps->setSweep(sweep);
        show(Tool::sweep);
        return QString();
    };
    connect(&m_parts.papers, &PaperRuns::comparisonWanted, &m_parts.study, &StudyPanel::comparisonRequested);
    const auto showView = [this](const QString& view) { m_parts.navigator.show(view); };
    connect(&m_parts.papers, &PaperRuns::viewWanted, this, showView);
    connect(&m_parts.papers, &PaperRuns::pageWanted, this, [this, showView](const MadeByPage& page) {
        const auto& presets = simplex_presets();
        const auto& betas   = beta_presets();
        switch (page.page) {
        case GalleryPage::double_well: return show(Tool::double_well);
        case GalleryPage::bandit: return show(Tool::bandit);
        case GalleryPage::simplex:
            for (std::size_t i = 0; i < presets.size(); ++i)
                if (presets[i].id == page.preset)
                    m_parts.simplex.editor().choosePreset(static_cast<int>(i));
            return showView(ViewNavigator::simplex);
        case GalleryPage::beta:
            for (const auto& one : betas)
                if (one.title == page.preset)
                    m_parts.simplex.beta()->setDistribution(one.distribution);
            return showView(ViewNavigator::beta);
        }
    });
}
