// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/tool_windows.h"

#include "docks/notifier.h"
#include "docks/paper_runs.h"
#include "docks/study_files.h"
#include "docks/study_panel.h"
#include "docks/view_navigator.h"
#include "parts/form_controls.h"
#include "parts/menu_keys.h"
#include "session/app_context.h"
#include "tools/bandit_page.h"
#include "tools/bridge_sampling_panel.h"
#include "tools/data_sets_dialog.h"
#include "tools/double_well_page.h"
#include "tools/open_logits.h"
#include "tools/papers_page.h"
#include "tools/simplex_workbench.h"
#include "tools/sweep_page.h"
#include "work/text.h"

#include "foundation/error.h"
#include "simplex/simplex_presets.h"

#include <QMainWindow>
#include <QMenuBar>
#include <QPushButton>
#include <QStatusBar>

#include <memory>

using namespace credence;

ToolWindows::ToolWindows(AppContext& context, const Parts& parts, QMainWindow& window)
    : QObject(&window), m_context(context), m_parts(parts), m_window(window)
{
    connectPapers();
}

/// A tool in its own window, created on first use.
template <class Tool, class... Arguments>
Tool* ToolWindows::tool(Arguments&... arguments)
{
    auto* there = m_window.findChild<Tool*>(QString(), Qt::FindDirectChildrenOnly);
    if (!there) {
        shareKeys(*m_window.menuBar(), there = new Tool(arguments..., &m_window));
        showProgress(there);
        m_context.unfinished.add(there, {[there] { return there->workSentence(); }});
        m_context.unfinished.add(there, {[there] { return there->exportSentence(); }});
    }
    return there;
}

void ToolWindows::showProgress(ToolPage* page)
{
    auto* chip = workButton(page->objectName() + QStringLiteral("Progress"),
                            tr("Show the page %1, where work is in progress").arg(page->windowTitle()),
                            m_window.statusBar());
    connect(chip, &QPushButton::clicked, page, &ToolPage::present);
    const auto unseen  = std::make_shared<bool>(false);
    const auto refresh = [this, chip, page, unseen] {
        const bool working = page->working();
        if (std::exchange(*unseen, working && !page->isVisible()) && !working) {
            const QString words = page->message();
            m_parts.notifier.note(words.isEmpty() ? tr("%1: the work has finished.").arg(page->windowTitle())
                                                  : tr("%1: %2").arg(page->windowTitle(), words),
                                  {{tr("Show"), [page] { page->present(); }}});
        }
        chip->setText(tr("%1: %2 · Show").arg(page->windowTitle(), page->workWords()));
        chip->setVisible(*unseen);
    };
    connect(page, &ToolPage::backgroundChanged, chip, refresh);
}

void ToolWindows::openLogits(const QString& file)
{
    auto* logits = tool<OpenLogits>();
    logits->open(file);
    logits->present();
}

void ToolWindows::show(Page page)
{
    switch (page) {
    case Page::bridge_sampling: return tool<BridgeSamplingPanel>()->present();
    case Page::double_well: return tool<DoubleWellPage>()->present();
    case Page::bandit: return tool<BanditPage>()->present();
    case Page::sweep: break;
    }
    auto* sweep = tool<SweepPage>(m_context);
    connect(sweep, &SweepPage::fileRequested, &m_parts.files, qOverload<const QString&>(&StudyFiles::open),
            Qt::UniqueConnection);
    connect(sweep, &SweepPage::fileRequested, &m_window, &QWidget::activateWindow, Qt::UniqueConnection);
    sweep->present();
}

void ToolWindows::showDataSets()
{
    auto* sets = tool<DataSetsDialog>();
    connect(sets, &DataSetsDialog::useSet, &m_parts.files, &StudyFiles::useImageSet, Qt::UniqueConnection);
    connect(sets, &DataSetsDialog::setArrived, &m_parts.files, &StudyFiles::imageSetArrived, Qt::UniqueConnection);
    sets->refresh();
    sets->present();
}

/// Connects paper entries to the window.
void ToolWindows::connectPapers()
{
    connect(&m_parts.papers, &PaperRuns::studyWanted, &m_parts.study, &StudyPanel::chooseStudy);
    m_parts.papers.openSweep = [this](const Sweep& sweep) {
        auto* page = tool<SweepPage>(m_context);
        if (page->running())
            return tr("Not opened: a sweep is running. Cancel it on its page or wait until it has finished.");
        page->setSweep(sweep);
        show(Page::sweep);
        return QString();
    };
    connect(&m_parts.papers, &PaperRuns::comparisonWanted, &m_parts.study, &StudyPanel::comparisonRequested);
    connect(&m_parts.papers, &PaperRuns::viewWanted, this, [this](const QString& view) {
        m_parts.navigator.show(view);
        m_window.activateWindow();
    });
    connect(&m_parts.papers, &PaperRuns::pageWanted, this, [this](const MadeByPage& page) {
        const auto showThat = [&](const QString& view) {
            m_parts.navigator.show(view);
            m_window.activateWindow();
        };
        const auto& presets = simplex_presets();
        const auto& betas   = beta_presets();
        switch (page.page) {
        case GalleryPage::double_well: return show(Page::double_well);
        case GalleryPage::bandit: return show(Page::bandit);
        case GalleryPage::simplex:
            for (std::size_t i = 0; i < presets.size(); ++i)
                if (presets[i].id == page.preset)
                    m_parts.simplex.editor().choosePreset(static_cast<int>(i));
            return showThat(ViewNavigator::simplex);
        case GalleryPage::beta:
            for (const auto& one : betas)
                if (one.title == page.preset)
                    m_parts.simplex.beta()->setDistribution(one.distribution);
            return showThat(ViewNavigator::beta);
        }
    });
}

void ToolWindows::showPapers()
{
    const bool isNew = !m_window.findChild<PapersPage*>(QString(), Qt::FindDirectChildrenOnly);
    PapersPage* page = nullptr;
    try {
        page = tool<PapersPage>();
    } catch (const Error& error) {   // a gallery of one's own
        return m_parts.notifier.keep(toQString(error.what()));
    }
    if (isNew) {
        page->setOpenable([this](const GalleryEntry& entry) { return m_parts.papers.canOpen(entry); });
        const auto does = [page](const QString& mistake) {
            if (mistake.isEmpty())
                page->close();   // what was asked for is seen in the window or on a page of its own
            else
                page->notify(mistake);
        };
        connect(page, &PapersPage::runRequested, this, [this, does](const QString& id, bool quick) {
            does(m_parts.papers.run(gallery().entry(id.toStdString()), quick));
        });
        connect(page, &PapersPage::openRequested, this,
                [this, does](const QString& id) { does(m_parts.papers.open(gallery().entry(id.toStdString()))); });
        connect(&m_context.runs, &SavedRuns::rowsInserted, page, &PapersPage::refreshButtons);
    }
    page->present();
}
