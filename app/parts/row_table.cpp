// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/row_table.h"

#include "work/text.h"

#include "views/test_rows.h"
#include "widgets/table_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

using namespace credence;

namespace {

/// Rows in any order, some of them; 1 and 0 of the columns that are either are a tick and nothing.
class SortedRows : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void show(RowTable::Filter filter, bool classes)
    {
        m_filter  = filter;
        m_classes = classes;
        invalidate();
    }

    QVariant data(const QModelIndex& index, int role) const override
    {
        const int column = index.column();
        if (m_classes && role == Qt::DisplayRole && (column == test_row::right || column >= test_row::no_overlap))
            return QSortFilterProxyModel::data(index, Qt::UserRole).toInt() ? QStringLiteral("✓") : QString();
        return QSortFilterProxyModel::data(index, role);
    }

private:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override
    {
        if (m_filter == RowTable::Filter::all || !m_classes)
            return true;
        const auto is = [&](int column) {
            return sourceModel()->index(row, column, parent).data(Qt::UserRole).toInt() != 0;
        };
        return m_filter == RowTable::Filter::wrong ? !is(test_row::right)
                                                   : !is(test_row::no_overlap) || !is(test_row::probable);
    }

    RowTable::Filter m_filter = RowTable::Filter::all;
    bool m_classes            = false;
};

}   // namespace

RowTable::RowTable(QWidget* parent)
    : QWidget(parent), m_model(new TableModel(this)), m_sorted(new SortedRows(this)), m_table(new QTableView(this)),
      m_filter(new QComboBox(this)), m_count(new QLabel(this))
{
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(Qt::UserRole);
    m_table->setObjectName(QStringLiteral("rowTable"));
    m_table->setAccessibleName(tr("Test rows"));
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(test_row::row, Qt::AscendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setAlternatingRowColors(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
    m_filter->setObjectName(QStringLiteral("rowFilter"));
    m_filter->setAccessibleName(tr("Which rows are listed"));
    m_filter->addItem(tr("All rows"), static_cast<int>(Filter::all));
    m_filter->addItem(tr("Wrong"), static_cast<int>(Filter::wrong));
    m_filter->addItem(tr("Uncertain"), static_cast<int>(Filter::uncertain));
    m_filter->setItemData(2, tr("Not certain by one of the two criteria"), Qt::ToolTipRole);
    connect(m_filter, &QComboBox::currentIndexChanged, this, &RowTable::refresh);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& at) {
        if (at.isValid() && !m_choosing)
            Q_EMIT rowChosen(at.siblingAtColumn(test_row::row).data(Qt::UserRole).toInt());
    });
    auto* head = new QHBoxLayout;
    head->setContentsMargins(6, 2, 6, 2);
    head->addWidget(m_filter);
    head->addWidget(m_count, 1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(head);
    all->addWidget(m_table, 1);
}

void RowTable::setChart(const Chart& chart)
{
    const bool newColumns = !chart.table || chart.table->columns.size() != m_model->table().columns.size();
    const int chosen      = m_table->currentIndex().isValid()
                                ? m_table->currentIndex().siblingAtColumn(test_row::row).data(Qt::UserRole).toInt()
                                : -1;
    m_choosing            = true;
    m_model->setTable(chart.table.value_or(Table{}));
    m_choosing = false;
    refresh();
    if (newColumns)
        m_table->resizeColumnsToContents();
    if (!chart.table)
        m_count->setText(toQString(chart.message));
    choose(chosen);
}

void RowTable::refresh()
{
    const bool classes = m_model->columnCount() > test_row::probable;
    m_filter->setVisible(classes);
    m_choosing = true;
    static_cast<SortedRows*>(m_sorted)->show(static_cast<Filter>(m_filter->currentData().toInt()), classes);
    m_choosing = false;
    m_count->setText(tr("%1 of %2 rows. Click one to choose it, a heading to sort.")
                         .arg(m_sorted->rowCount())
                         .arg(m_model->rowCount()));
}

void RowTable::choose(int row)
{
    const auto at = m_sorted->mapFromSource(m_model->index(row, test_row::row));
    m_choosing    = true;
    if (at.isValid())
        m_table->setCurrentIndex(at);
    else
        m_table->clearSelection();
    m_choosing = false;
}

void RowTable::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    Q_EMIT becameVisible();
}
