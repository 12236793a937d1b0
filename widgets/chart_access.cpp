// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart_access.h"

#include "charts/chart.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"
#include "widgets/spoken_items.h"

#include <QHash>
#include <QPointer>

namespace credence {
namespace {

QString fromCore(const std::string& text) { return QString::fromStdString(text); }

/// The table of the displayed chart, created on first request.
class ShownTable {
public:
    explicit ShownTable(ChartView& view) : m_view(&view) {}

    const Table& now()
    {
        if (m_view && m_of != m_view->sharedChart()) {
            m_of    = m_view->sharedChart();
            m_table = data_table(*m_of);
        }
        return m_table;
    }
    int rows() { return static_cast<int>(now().rows.size()); }
    int columns() { return static_cast<int>(now().columns.size()); }
    bool has(int row, int column) { return row >= 0 && column >= 0 && row < rows() && column < columns(); }
    QString head(int column)
    {
        const auto& one = now().columns[static_cast<std::size_t>(column)];
        return fromCore(label_with_unit(one.name, one.unit));
    }
    QString cell(int row, int column)
    {
        const auto& line = now().rows[static_cast<std::size_t>(row)];
        const auto at    = static_cast<std::size_t>(column);
        return at < line.size() ? fromCore(cell_text(line[at], m_table.columns[at])) : QString();
    }
    ChartView* view() const { return m_view; }

private:
    QPointer<ChartView> m_view;
    std::shared_ptr<const Chart> m_of;
    Table m_table;
};

class CellInterface : public QAccessibleInterface, public QAccessibleTableCellInterface {
public:
    CellInterface(std::shared_ptr<ShownTable> table, int row, int column)
        : m_table(std::move(table)), m_row(row), m_column(column)
    {}

    bool isValid() const override { return m_table->view() && m_table->has(m_row, m_column); }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override { return table(); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::Cell; }
    QAccessible::State state() const override { return {}; }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override { return {}; }   // not painted
    QString text(QAccessible::Text which) const override
    {
        return which == QAccessible::Name && isValid() ? m_table->cell(m_row, m_column) : QString();
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::TableCellInterface ? static_cast<QAccessibleTableCellInterface*>(this) : nullptr;
    }

    bool isSelected() const override { return false; }
    QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return m_column; }
    int rowIndex() const override { return m_row; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override { return QAccessible::queryAccessibleInterface(m_table->view()); }

private:
    std::shared_ptr<ShownTable> m_table;
    int m_row, m_column;
};

/// Read-only and not selectable.
class ChartTable : public QAccessibleTableInterface {
public:
    explicit ChartTable(ChartView& view) : m_table(std::make_shared<ShownTable>(view)) {}
    ~ChartTable() override
    {
        for (const auto id : m_cells)
            QAccessible::deleteAccessibleInterface(id);
    }

    QAccessibleInterface* caption() const override { return nullptr; }
    QAccessibleInterface* summary() const override { return nullptr; }
    QAccessibleInterface* cellAt(int row, int column) const override
    {
        if (!m_table->has(row, column))
            return nullptr;
        auto& id = m_cells[std::pair{row, column}];
        if (id == 0)
            id = QAccessible::registerAccessibleInterface(new CellInterface(m_table, row, column));
        return QAccessible::accessibleInterface(id);
    }
    int rowCount() const override { return m_table->rows(); }
    int columnCount() const override { return m_table->columns(); }
    QString columnDescription(int column) const override
    {
        return column >= 0 && column < columnCount() ? m_table->head(column) : QString();
    }
    QString rowDescription(int) const override { return {}; }

    int selectedCellCount() const override { return 0; }
    QList<QAccessibleInterface*> selectedCells() const override { return {}; }
    int selectedColumnCount() const override { return 0; }
    int selectedRowCount() const override { return 0; }
    QList<int> selectedColumns() const override { return {}; }
    QList<int> selectedRows() const override { return {}; }
    bool isColumnSelected(int) const override { return false; }
    bool isRowSelected(int) const override { return false; }
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent*) override {}

private:
    std::shared_ptr<ShownTable> m_table;
    mutable QHash<std::pair<int, int>, QAccessible::Id> m_cells;
};

class ChartInterface : public AccessibleItems {
public:
    explicit ChartInterface(ChartView& view)
        : AccessibleItems(&view, QAccessible::Chart, QAccessible::Indicator, view.spoken()), m_view(&view),
          m_table(view)
    {}

    QString text(QAccessible::Text which) const override
    {
        if (!m_view)
            return {};
        const QString here = m_view->hand().wordsAtCross();
        if (which == QAccessible::Value)
            return here;
        if (which == QAccessible::Description)
            return here.isEmpty() ? summary() : here;
        if (which == QAccessible::Help)
            return summary();
        return AccessibleItems::text(which);
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        const bool hasTable = m_view && (!m_view->chart().panels.empty() || m_view->chart().table);
        if (type == QAccessible::TableInterface && hasTable)
            return static_cast<QAccessibleTableInterface*>(&m_table);
        return AccessibleItems::interface_cast(type);
    }

private:
    QString summary() const
    {
        const QString about = m_view->accessibleDescription();   // caption or message
        const QString shown = fromCore(m_view->chart().message.empty() ? summary_in_words(m_view->chart())
                                                                       : std::string());
        return about.isEmpty() || shown.isEmpty() ? about + shown : shown + QLatin1Char(' ') + about;
    }

    QPointer<ChartView> m_view;
    ChartTable m_table;
};

QAccessibleInterface* factory(const QString& className, QObject* object)
{
    auto* view = className == QLatin1String("credence::ChartView") ? qobject_cast<ChartView*>(object) : nullptr;
    return view ? accessibleChart(*view) : nullptr;
}

}   // namespace

QAccessibleInterface* accessibleChart(ChartView& view) { return new ChartInterface(view); }

void installChartAccess()
{
    static const bool once = [] {
        QAccessible::installFactory(factory);
        return true;
    }();
    static_cast<void>(once);
}

}   // namespace credence
