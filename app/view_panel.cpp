// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_panel.h"

#include "help_mark.h"
#include "icons.h"
#include "table_model.h"

#include "study/views.h"
#include "widgets/chart_view.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

using namespace credence;

ViewPanel::ViewPanel(const View& view, QWidget* parent)
    : QWidget(parent), m_view(&view), m_header(new QHBoxLayout), m_data(new QToolButton(this)), m_stack(new QStackedWidget(this)),
      m_picture(new ChartView(this)), m_table(new QTableView(this)), m_model(new TableModel(this))
{
    setObjectName("view/" + QString::fromStdString(view.id));
    m_picture->setMinimumSize(120, 80);
    m_table->setModel(m_model);
    m_table->setAlternatingRowColors(true);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_stack->addWidget(m_picture);
    m_stack->addWidget(m_table);

    m_data->setObjectName("data/" + QString::fromStdString(view.id));
    m_data->setCheckable(true);
    m_data->setAutoRaise(true);
    m_data->setIcon(icon(QStringLiteral("table")));
    m_data->setToolTip(tr("Show data: the table that this view draws"));
    m_data->setAccessibleName(tr("Show data"));
    connect(m_data, &QToolButton::toggled, this, &ViewPanel::refreshTable);

    auto* save = new QToolButton(this);
    save->setObjectName("export/" + QString::fromStdString(view.id));
    save->setAutoRaise(true);
    save->setIcon(icon(QStringLiteral("export")));
    save->setToolTip(tr("Export or copy this figure"));
    save->setAccessibleName(tr("Export this figure"));
    auto* menu = new QMenu(save);
    menu->addAction(tr("Export this figure…"), this, &ViewPanel::exportRequested);
    menu->addAction(tr("Copy this figure"), this, &ViewPanel::copyRequested);
    save->setMenu(menu);
    save->setPopupMode(QToolButton::InstantPopup);
    save->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));

    auto* help = new HelpMark(QString::fromStdString(view.title), [this] {
        QString html = QStringLiteral("<b>%1</b><p>%2</p>").arg(htmlFrom(m_view->title), htmlFrom(m_view->help));
        if (!m_chart.caption.empty())
            html += QStringLiteral("<p><i>%1</i></p>").arg(htmlFrom(m_chart.caption));
        return html;
    }, this);

    m_header->setContentsMargins(4, 1, 4, 0);
    m_header->setSpacing(3);
    m_header->addStretch(1);
    m_header->addWidget(m_data);
    m_header->addWidget(save);
    m_header->addWidget(help);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(m_header);
    all->addWidget(m_stack, 1);
    m_picture->setAccessibleName(QString::fromStdString(view.title));
}

void ViewPanel::setView(const View& view)
{
    if (m_view == &view)
        return;
    m_view     = &view;
    m_hasChart = false;
    m_picture->setAccessibleName(QString::fromStdString(view.title));
}

void ViewPanel::addControl(QWidget* control) { m_header->insertWidget(m_header->count() - 4, control); }

void ViewPanel::setChart(const Chart& chart)
{
    m_chart    = chart;
    m_hasChart = true;
    m_picture->setChart(chart);
    m_picture->setAccessibleDescription(QString::fromStdString(chart.caption.empty() ? chart.message : chart.caption));
    refreshTable();
}

void ViewPanel::showDataTable(bool on) { m_data->setChecked(on); }

void ViewPanel::refreshTable()
{
    const bool onlyTable = m_chart.panels.empty() && m_chart.table && m_chart.message.empty();
    const bool table     = onlyTable || m_data->isChecked();
    m_data->setVisible(!onlyTable);
    if (table) {
        const bool first = m_model->columnCount() == 0;
        m_model->setTable(data_table(m_chart));
        if (first)
            m_table->resizeColumnsToContents();
    }
    m_stack->setCurrentWidget(table ? static_cast<QWidget*>(m_table) : m_picture);
}

void ViewPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    Q_EMIT becameVisible();
}
