// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_navigator.h"

#include "images/image_area.h"
#include "images/image_grid.h"
#include "parts/row_table.h"
#include "parts/setting_lines.h"
#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "parts/window_part.h"
#include "session/app_context.h"
#include "simplex/simplex_workbench.h"
#include "views/beta_laplace.h"
#include "views/comparison.h"
#include "views/main_tabs.h"
#include "views/prediction_area.h"
#include "widgets/chart_view.h"
#include "work/text.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QListView>
#include <QScrollArea>

using namespace credence;

const QString ViewNavigator::simplex = QStringLiteral("simplex_by_hand");
const QString ViewNavigator::beta    = QStringLiteral("beta");

void ViewNavigator::show(const QString& view) const
{
    m_front(m_tabs);
    if (view == simplex || view == beta) {
        m_tabs.show(m_tabs.simplex());
        return m_tabs.simplex()->showPage(view == beta ? 1 : 0);
    }
    if (view == QLatin1String("test_rows"))
        return showRows();
    if (view == QLatin1String("compare_truth") || view == QLatin1String("compare_distances"))
        return m_tabs.showReference();
    auto* found = panel(view);
    reveal(found ? static_cast<QWidget&>(*found) : *m_tabs.predictions());
}

/// Shows the rows; for images, the grid. If the stage is too low for them, they are shown in the
/// drawer.
void ViewNavigator::showRows() const
{
    auto* predictions = m_tabs.predictions();
    if (predictions->showsRows() || predictions->showsImages()) {
        m_tabs.show(predictions);
        if (predictions->showsImages())
            return;
        if (predictions->revealRows())
            return predictions->rows()->takeFocus();
    }
    auto* rows = static_cast<RowsPanel*>(panel(QStringLiteral("test_rows")));
    reveal(*rows);
    rows->takeFocus();
}

void ViewNavigator::reveal(QWidget& control) const
{
    m_front(control);
    for (QWidget* around = &control; around; around = around->parentWidget()) {
        if (auto* area = qobject_cast<ViewArea*>(around))
            area->reveal(control);
        if (auto* part = qobject_cast<WindowPart*>(around); part && !part->isOpen())
            part->setOpen(true);
        if (auto* card = qobject_cast<SettingCard*>(around);
            card && !card->isOpen() && card->body()->isAncestorOf(&control))
            Q_EMIT card->openRequested(true);
    }
    if (control.window() != m_tabs.window())
        control.window()->raise();
    for (auto* around = control.parentWidget(); around; around = around->parentWidget())
        if (auto* scroll = qobject_cast<QScrollArea*>(around))
            scroll->ensureWidgetVisible(&control);
}

ViewPanel* ViewNavigator::panel(const QString& view) const { return m_binder.panel(view); }

QString ViewNavigator::current() const
{
    const auto idOf         = [](const ViewPanel& panel) { return toQString(panel.view().id); };
    const auto& predictions = *m_tabs.predictions();
    if (m_tabs.current() == m_tabs.simplex())
        return m_tabs.simplex()->figureInFront();
    if (const auto* page = qobject_cast<ViewPanel*>(m_tabs.current()))
        return idOf(*page);
    if (m_tabs.current() == m_tabs.reference())
        return idOf(*m_tabs.reference()->maps());
    if (predictions.comparing())
        return idOf(*predictions.comparison());
    // The grid is not a figure: exports the selected image instead.
    return predictions.showsImages() ? QStringLiteral("boxplots") : idOf(*predictions.picture());
}

void ViewNavigator::copyCurrent() const
{
    const auto& predictions = *m_tabs.predictions();
    const auto* images      = m_tabs.images();
    if (m_tabs.current() == m_tabs.simplex())
        return m_tabs.simplex()->copyFigure();
    if (const auto* page = qobject_cast<ViewPanel*>(m_tabs.current()))
        return page->chartView()->copy();
    if (m_tabs.current() == m_tabs.reference())
        return m_tabs.reference()->maps()->chartView()->copy();
    if (!predictions.showsImages() || predictions.comparing())
        (predictions.comparing() ? predictions.comparison() : predictions.picture())->copy();
    else
        QGuiApplication::clipboard()->setPixmap(images->grid()->list()->viewport()->grab());
}

bool ViewNavigator::busy() const { return m_context.scheduler.busy() || m_tabs.busy(); }

std::vector<std::pair<QString, QString>> ViewNavigator::ownFigures() const
{
    std::vector<std::pair<QString, QString>> figures;
    if (const auto& area = *m_tabs.predictions(); area.comparing() && area.comparison()->hasChart())
        figures.emplace_back(comparedPlace(), MainTabs::tr("Decision maps compared"));
    if (const auto& chart = m_tabs.simplex()->fullChart();
        !chart.panels.empty() || chart.table)   // pages that were never opened have no figures
        figures.emplace_back(simplex, MainTabs::tr("Simplex by hand"));
    figures.emplace_back(beta, MainTabs::tr("Beta distribution"));
    return figures;
}

std::optional<ViewScheduler::Maker> ViewNavigator::ownFigure(const QString& id) const
{
    if (id == comparedPlace())
        return [chart = m_tabs.predictions()->comparison()->chart()](std::stop_token) { return chart; };
    if (id == simplex)
        return [chart = m_tabs.simplex()->fullChart()](std::stop_token) { return chart; };
    if (id == beta)
        return [shown = m_tabs.simplex()->beta()->distribution()](std::stop_token) {
            return to_chart(beta_laplace(shown));
        };
    return {};
}
