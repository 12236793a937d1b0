// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/row_table.h"

#include "foundation/number_text.h"
#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/remembered_sizes.h"
#include "parts/view_binder.h"
#include "session/app_context.h"
#include "views/scored_predictions.h"
#include "views/views.h"
#include "widgets/table_view.h"
#include "work/text.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QStackedLayout>

#include <algorithm>
#include <cmath>

using namespace credence;

const Table& SortedTable::table() const { return static_cast<const TableModel*>(sourceModel())->table(); }

std::optional<double> SortedTable::numberOf(const Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return number_from(*text);
    if (const auto* whole = std::get_if<long>(&cell))
        return static_cast<double>(*whole);
    return std::get<double>(cell);
}

QString SortedTable::wordsOf(const Cell& cell)
{
    const auto* text = std::get_if<std::string>(&cell);
    return text ? toQString(*text) : QString();
}

bool SortedTable::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const auto cell = [this](const QModelIndex& at) -> const Cell& {
        return table().rows[static_cast<std::size_t>(at.row())][static_cast<std::size_t>(at.column())];
    };
    const Cell &a = cell(left), &b = cell(right);
    const auto x = numberOf(a), y = numberOf(b);
    if (x && y)
        return std::isnan(*x) ? false : std::isnan(*y) || *x < *y;
    return x || y ? x.has_value() : wordsOf(a).localeAwareCompare(wordsOf(b)) < 0;
}

namespace {

constexpr double farOff     = 2;   ///< predictive standard deviations
constexpr int featuresFirst = 3;   ///< up to this many next to the row number; more after the predictions

bool isOne(const Cell& cell)
{
    const auto* whole = std::get_if<long>(&cell);
    return whole && *whole != 0;
}

bool isZero(const Cell& cell)
{
    const auto* whole = std::get_if<long>(&cell);
    return whole && *whole == 0;
}

}   // namespace

/// Sorted and filtered rows; in boolean columns 1 and 0 are shown as a tick and nothing.
class SortedRows : public SortedTable {
public:
    using SortedTable::SortedTable;

    void list(std::vector<long> rows)
    {
        std::ranges::sort(rows);
        m_listed = std::move(rows);
        invalidateFilter();
    }

    void show(RowTable::Filter filter, const QString& ofClass)
    {
        const auto& rows = table().rows;
        const bool exact = !ofClass.isEmpty() && test_row::of_classes(table())
                           && std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
                                  return is(row[test_row::truth], ofClass) || is(row[test_row::predicted], ofClass);
                              });
        if (filter == m_filter && ofClass == m_ofClass && exact == m_exact)
            return;
        m_filter  = filter;
        m_ofClass = ofClass;
        m_exact   = exact;
        invalidateFilter();
    }

    QVariant data(const QModelIndex& index, int role) const override
    {
        const int column = index.column();
        if (role == Qt::DisplayRole && test_row::of_classes(table())
            && (column == test_row::right || column == test_row::no_overlap || column == test_row::probable))
            return isOne(table().rows[static_cast<std::size_t>(mapToSource(index).row())]
                                     [static_cast<std::size_t>(column)])
                       ? QStringLiteral("✓")
                       : QString();
        return QSortFilterProxyModel::data(index, role);
    }

private:
    static bool is(const Cell& cell, const QString& name)
    {
        return wordsOf(cell).compare(name, Qt::CaseInsensitive) == 0;
    }

    /// A complete name matches only that class: 1 does not match 10 to 19.
    bool ofClass(const std::vector<Cell>& row) const
    {
        const auto fits = [&](int column) {
            const Cell& cell = row[static_cast<std::size_t>(column)];
            return m_exact ? is(cell, m_ofClass) : wordsOf(cell).contains(m_ofClass, Qt::CaseInsensitive);
        };
        return m_ofClass.isEmpty() || fits(test_row::truth) || fits(test_row::predicted);
    }

    bool filterAcceptsRow(int at, const QModelIndex&) const override
    {
        const auto& row = table().rows[static_cast<std::size_t>(at)];
        if (m_filter == RowTable::Filter::listed) {
            const auto* number = std::get_if<long>(&row[test_row::row]);
            return number && std::ranges::binary_search(m_listed, *number)
                   && (!test_row::of_classes(table()) || ofClass(row));
        }
        if (!test_row::of_classes(table())) {
            const auto z = m_filter == RowTable::Filter::far ? numberOf(row[test_row::standardised]) : std::nullopt;
            return m_filter != RowTable::Filter::far || (z && std::abs(*z) > farOff);
        }
        const bool certain = isOne(row[test_row::no_overlap]) && isOne(row[test_row::probable]);
        const bool wrong   = isZero(row[test_row::right]);   // a text if the true class is unknown
        switch (m_filter) {
        case RowTable::Filter::wrong: return wrong && ofClass(row);
        case RowTable::Filter::uncertain: return !certain && ofClass(row);
        case RowTable::Filter::certain_but_wrong: return certain && wrong && ofClass(row);
        default: return ofClass(row);
        }
    }

    RowTable::Filter m_filter = RowTable::Filter::all;
    QString m_ofClass;
    bool m_exact = false;   // is it the whole name of a class?
    std::vector<long> m_listed;
};

RowTable::RowTable(QWidget* parent)
    : QWidget(parent), m_sorted(new SortedRows(this)), m_table(new TableView(this)), m_head(new QWidget(this)),
      m_filter(new QComboBox(m_head)), m_class(new QLineEdit(m_head)), m_count(new ElidedLabel(m_head)),
      m_words(new QLabel(this)), m_stack(new QStackedLayout(this))
{
    buildHead();
    buildTable();
    m_words->setObjectName(QStringLiteral("rowWords"));
    m_words->setAlignment(Qt::AlignCenter);
    m_words->setWordWrap(true);
    m_words->setMargin(12);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_words);
    fitFilters(true);
}

void RowTable::buildHead()
{
    m_filter->setObjectName(QStringLiteral("rowFilter"));
    m_filter->setAccessibleName(tr("Rows to list"));
    describeControl(m_class, QStringLiteral("rowClass"), tr("Class of the rows to list"),
                    tr("Show only rows whose true or predicted class contains this text"));
    m_class->setPlaceholderText(tr("any class"));
    m_class->setClearButtonEnabled(true);
    limitWithText(m_class, 120);
    m_count->setObjectName(QStringLiteral("rowCount"));
    m_count->setToolTip(
        tr("Click a row or use the arrow keys to select the input. Click a heading to sort. Ctrl+C copies."));
    connect(m_filter, &QComboBox::currentIndexChanged, this, &RowTable::refresh);
    connect(m_class, &QLineEdit::textChanged, this, &RowTable::refresh);
    auto* row = new QHBoxLayout(m_head);
    row->setContentsMargins(2, 1, 2, 1);
    row->setSpacing(4);
    for (const auto& [widget, least] :   // these shrink first in a small window
         std::initializer_list<std::pair<QWidget*, int>>{{m_filter, 90}, {m_class, 60}})
        widget->setMinimumWidth(least);
    for (QWidget* each : std::initializer_list<QWidget*>{m_filter, m_class, m_count})
        row->addWidget(each);
}

void RowTable::buildTable()
{
    m_table->showThrough(*m_sorted);
    m_table->setObjectName(QStringLiteral("rowTable"));
    rememberColumns(m_table->widths(), QStringLiteral("test_rows"));
    m_table->setAccessibleName(tr("Test rows"));
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(test_row::row, Qt::AscendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setTabKeyNavigation(false);
    m_table->horizontalHeader()->setSectionsMovable(true);
    m_table->installEventFilter(this);
    const auto choose = [this](const QModelIndex& at) {
        if (!at.isValid() || m_choosing)
            return;
        m_chosen   = at.siblingAtColumn(test_row::row).data(Qt::UserRole).toInt();
        m_choosing = true;   // marks the row without changing the rest of the selection
        Q_EMIT rowChosen(m_chosen);
        m_choosing = false;
    };
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, choose);
    connect(m_table, &QAbstractItemView::clicked, this, [this, choose](const QModelIndex& at) {
        if (at.siblingAtColumn(test_row::row).data(Qt::UserRole).toInt() != m_chosen)
            choose(at);
    });
}

/// Offers filters for classes or for numeric targets.
void RowTable::fitFilters(bool classes)
{
    if (m_filter->count() > 0 && classes == m_classes)
        return;
    m_classes = classes;
    const QSignalBlocker quietFilter(m_filter), quietClass(m_class);
    m_filter->clear();
    m_class->clear();
    m_class->setVisible(classes);
    const auto add = [this](const QString& title, Filter filter, const QString& tip = {}) {
        m_filter->addItem(title, static_cast<int>(filter));
        m_filter->setItemData(m_filter->count() - 1, tip, Qt::ToolTipRole);
    };
    add(tr("All rows"), Filter::all);
    if (!classes)
        return add(tr("Outliers"), Filter::far, tr("More than 2 predictive standard deviations from the mean"));
    add(tr("Wrong"), Filter::wrong);
    add(tr("Uncertain"), Filter::uncertain, tr("Not certain by one of the two criteria"));
    add(tr("Certain but wrong"), Filter::certain_but_wrong, tr("Certain by both criteria, and wrong"));
}

void RowTable::list(const RowsOfBar& bar)
{
    std::vector<long> rows;
    for (const auto& row : bar.rows)
        if (row.part == DataRow::Part::scored)
            rows.push_back(static_cast<long>(row.row));
    const QSignalBlocker quiet(m_filter);
    if (const int before = m_filter->findData(static_cast<int>(Filter::listed)); before >= 0)
        m_filter->removeItem(before);
    m_choosing = true;
    m_sorted->list(rows);
    m_choosing = false;
    if (!rows.empty()) {
        m_filter->insertItem(1, toQString(bar.name), static_cast<int>(Filter::listed));
        m_filter->setItemData(1, tr("The rows of the bar that you clicked"), Qt::ToolTipRole);
        m_filter->setCurrentIndex(1);
    }
    refresh();
}

RowTable::Filter RowTable::filter() const { return static_cast<Filter>(m_filter->currentData().toInt()); }

void RowTable::setChart(const Chart& chart)
{
    m_message = chart.table ? QString() : toQString(chart.message);
    if (chart.table) {   // else what stood there is hidden: the order is that of the next rows
        m_choosing = true;
        m_table->setTable(*chart.table);
        m_choosing        = false;
        const int columns = static_cast<int>(chart.table->columns.size()),
                  first   = test_row::first_feature(*chart.table);
        if (columns != m_columns || test_row::of_classes(*chart.table) != m_classes) {
            auto* header = m_table->horizontalHeader();
            for (int c = 0; c < columns; ++c)
                header->moveSection(header->visualIndex(c), c);
            for (int c = first; c < columns && columns - first <= featuresFirst; ++c)
                header->moveSection(header->visualIndex(c), 1 + c - first);
            m_columns = columns;
        }
        fitFilters(test_row::of_classes(*chart.table));
    }
    refresh();
}

void RowTable::refresh()
{
    m_choosing = true;
    m_sorted->show(filter(), m_class->text().trimmed());
    m_choosing       = false;
    const int listed = m_sorted->rowCount();
    m_count->setText(m_message.isEmpty() ? tr("%1 of %2 rows").arg(listed).arg(m_sorted->sourceModel()->rowCount())
                                         : QString());
    m_words->setText(m_message.isEmpty() ? wordsOfNone() : m_message);
    m_stack->setCurrentWidget(m_message.isEmpty() && listed > 0 ? static_cast<QWidget*>(m_table) : m_words);
    mark();
}

QString RowTable::wordsOfNone() const
{
    const auto& rows = m_sorted->table().rows;
    if (rows.empty())
        return tr("There are no rows yet.");
    if (const QString name = m_class->text().trimmed(); m_classes && !name.isEmpty())
        return tr("None of these rows has “%1” as its true or predicted class.").arg(name);
    const bool unknown = m_classes && SortedTable::wordsOf(rows.front()[test_row::truth]).isEmpty();
    switch (filter()) {
    case Filter::wrong:
    case Filter::certain_but_wrong:
        if (unknown)
            return tr("The true classes of these rows are unknown, so no row can be marked as wrong.");
        return filter() == Filter::wrong ? tr("No row is wrong.") : tr("No row is certain but wrong.");
    case Filter::uncertain: return tr("No row is uncertain: all are certain by both criteria.");
    case Filter::listed: return tr("None of the rows of the clicked bar is in this table.");
    case Filter::far: return tr("No row is more than 2 predictive standard deviations from its mean.");
    case Filter::all: break;
    }
    return {};
}

/// When the table receives the focus and no row is current, the first row becomes current without
/// being selected.
bool RowTable::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table && event->type() == QEvent::FocusIn && !m_table->currentIndex().isValid()) {
        m_choosing = true;
        m_table->selectionModel()->setCurrentIndex(m_sorted->index(0, test_row::row), QItemSelectionModel::NoUpdate);
        m_choosing = false;
    }
    return QWidget::eventFilter(watched, event);
}

void RowTable::takeFocus() { m_table->setFocus(Qt::OtherFocusReason); }

void RowTable::choose(int row)
{
    m_chosen = row;
    if (!m_choosing)
        mark();
}

/// Keeps the other selected rows if the selected input's row is already the current one.
void RowTable::mark()
{
    const auto& rows = m_sorted->table().rows;
    const auto at    = static_cast<std::size_t>(m_chosen);
    const bool there = m_chosen >= 0 && at < rows.size() && SortedTable::numberOf(rows[at][test_row::row]) == m_chosen;
    const auto found = there ? m_sorted->mapFromSource(m_sorted->sourceModel()->index(m_chosen, test_row::row))
                             : QModelIndex();
    auto* selected   = m_table->selectionModel();
    if (found.isValid() && selected->currentIndex().row() == found.row() && selected->isRowSelected(found.row()))
        return;
    m_choosing = true;
    if (!found.isValid()) {
        selected->clear();
    } else {
        selected->setCurrentIndex(found, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        m_table->scrollTo(found.siblingAtColumn(std::max(0, m_table->columnAt(0))));   // to no other columns
    }
    m_choosing = false;
}

RowsPanel::RowsPanel(QWidget* parent) : ViewPanel(credence::view("test_rows"), parent), m_rows(new RowTable(this))
{
    addControl(m_rows->head(), 0);
    showBy(m_rows);
    connect(this, &ViewPanel::chartShown, m_rows, &RowTable::setChart);
}

void RowsPanel::join(AppContext& context, ViewBinder& binder, const QString& place)
{
    binder.add(place, this);
    auto& selection   = context.selection;
    const auto follow = [this, &selection] {
        const auto& chosen = selection.chosen();
        m_rows->choose(chosen.input.empty() ? static_cast<int>(chosen.row) : -1);
    };
    connect(this, &ViewPanel::chartShown, this, follow);
    connect(&selection, &Selection::changed, this, follow);
    connect(&selection, &Selection::listedChanged, m_rows, [this, &selection] { m_rows->list(selection.listed()); });
    connect(m_rows, &RowTable::rowChosen, this, [&selection](int row) {
        const auto& chosen = selection.chosen();
        if (!chosen.input.empty() || chosen.row != static_cast<std::size_t>(row))
            selection.chooseRow(row, Selection::By::table);
    });
}

void RowsPanel::takeFocus() { m_rows->takeFocus(); }
