// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart_view.h"

#include "charts/chart.h"
#include "widgets/accessibility.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_layout.h"
#include "widgets/chart_overlays.h"
#include "widgets/chart_painter.h"
#include "widgets/export_figure.h"
#include "widgets/table_view.h"

#include <QAction>
#include <QClipboard>
#include <QFontInfo>
#include <QGuiApplication>
#include <QHash>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMimeData>
#include <QPointer>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <utility>

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

/// The accessible table of a chart: read-only and not selectable.
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
    return view ? new ChartInterface(*view) : nullptr;
}

/// Gives every chart of the program an accessible interface: title as name; axes and a summary as
/// description, or, while the cross is visible, the values there; the same as value; the data table;
/// movable items (handles) as children. Idempotent.
void installChartAccess()
{
    static const bool once = [] {
        QAccessible::installFactory(factory);
        return true;
    }();
    static_cast<void>(once);
}

}   // namespace

ChartView::ChartView(QWidget* parent)
    : QWidget(parent), m_speech(std::make_unique<ChartSpeech>()), m_pages(new QStackedWidget(this)),
      m_picture(new QWidget), m_plot(new QCustomPlot), m_table(new TableView), m_data(new TableView),
      m_painter(std::make_unique<ChartPainter>(m_plot)), m_offers{new QAction(tr("&Copy figure"), this),
                                                                  new QAction(tr("&Export figure…"), this),
                                                                  new QAction(tr("Show &data"), this),
                                                                  new QAction(tr("&Whole range"), this)},
      m_marks(new MarkLayer(*m_painter, m_plot)), m_hand(new ChartHand(*this, *m_painter, m_plot))
{
    installChartAccess();
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    m_pair = new QBoxLayout(QBoxLayout::TopToBottom, m_picture);
    m_pair->setContentsMargins(0, 0, 0, 0);
    m_pair->setSpacing(0);
    m_plot->setMinimumSize(1, 1);   // its own hint changes with each size, so the layout would not terminate
    m_pair->addWidget(m_plot, 1);
    m_pair->addWidget(m_table, 0);
    m_table->hide();
    m_picture->setAutoFillBackground(true);
    m_pages->addWidget(m_picture);
    m_pages->addWidget(m_data);

    setFocusPolicy(Qt::StrongFocus);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setContextMenuPolicy(Qt::NoContextMenu);
    m_plot->setObjectName(QStringLiteral("plot"));
    connect(m_plot, &QCustomPlot::beforeReplot, this, [this] { m_painter->arrange(); });
    connect(m_plot, &QCustomPlot::afterReplot, this, [this] {   // the layout of the chart may have changed
        m_marks->resize(m_plot->size());
        m_marks->update();
        Q_EMIT redrawn();
    });

    connectRows();
    connect(m_hand, &ChartHand::released, this, [this] {
        if (m_afterPress)
            setChart(std::exchange(m_afterPress, nullptr));
    });

    m_offers.copy->setShortcut(QKeySequence::Copy);
    m_offers.copy->setShortcutContext(Qt::WidgetShortcut);
    m_offers.showData->setCheckable(true);
    connect(m_offers.copy, &QAction::triggered, this, &ChartView::copy);
    connect(m_offers.exportFigure, &QAction::triggered, this, &ChartView::exportRequested);
    connect(m_offers.showData, &QAction::toggled, this, &ChartView::showData);
    connect(m_offers.resetZoom, &QAction::triggered, this, &ChartView::resetZoom);
    addActions({m_offers.copy, m_offers.exportFigure, m_offers.showData, m_offers.resetZoom});
    setContextMenuPolicy(Qt::ActionsContextMenu);
    new FocusBorder(this);
    refresh();
}

ChartView::~ChartView() = default;

void ChartView::setChart(std::shared_ptr<const Chart> given)
{
    if (!m_hand->mayHave(*given)) {   // a drag in progress keeps the axes that the user sees
        m_afterPress = std::move(given);
        return;
    }
    m_afterPress.reset();
    m_shown = std::move(given);
    // Spoken by a screen reader in addition to the summary of ChartInterface.
    if (!chart().title.empty())   // otherwise the given name stays
        setAccessibleName(QString::fromStdString(chart().title));
    QStringList about{QString::fromStdString(chart().caption), QString::fromStdString(chart().message)};
    about.removeAll(QString());
    setAccessibleDescription(about.join(QLatin1Char(' ')));
    m_data->setAccessibleName(tr("Data of %1").arg(accessibleName()));
    m_table->setAccessibleName(accessibleName());
    if (m_offers.showData->isChecked())
        m_data->setTable(data_table(chart()));
    refresh();
    markRow();
    Q_EMIT chartChanged();
}

/// Connects clicks on points and table rows that correspond to a row of the data.
void ChartView::connectRows()
{
    connect(m_hand, &ChartHand::pointClicked, this, [this](int panel, double x, double y) {
        constexpr double near = 12;   // pixels
        if (panel < 0 || panel >= std::min(m_painter->panelCount(), static_cast<int>(chart().panels.size())))
            return;   // of a chart that was just replaced
        const QPointF at = m_painter->position(panel, {x, y});
        const auto row   = nearest_row(
              chart().panels.at(static_cast<std::size_t>(panel)),
              [&](double px, double py) {
            const QPointF away = m_painter->position(panel, {px, py}) - at;
            return std::hypot(away.x(), away.y());
            },
              near);
        if (row)
            Q_EMIT rowClicked(*row);
        else if (const auto bar = rows_of_bar(chart().panels.at(static_cast<std::size_t>(panel)), x))
            Q_EMIT barClicked(*bar);
    });
    const auto choose = [this](const QModelIndex& index) {
        const auto at = static_cast<std::size_t>(index.row());
        if (const auto& table = chart().table; table && index.isValid() && at < table->data_rows.size())
            Q_EMIT rowClicked(DataRow(table->data_rows[at]));   // a copy: the chart may be replaced meanwhile
    };
    connect(m_table, &QTableView::clicked, this, choose);
    connect(m_table, &QTableView::activated, this, choose);
}

void ChartView::setMarkedRow(const std::optional<DataRow>& row)
{
    if (row == m_markedRow)
        return;
    m_markedRow = row;
    markRow();
}

void ChartView::markRow()
{
    m_marks->squares = m_markedRow ? points_of(chart(), *m_markedRow) : std::vector<PanelPoint>();
    m_marks->refresh();
}

void ChartView::setMark(const std::optional<Mark>& mark)
{
    m_marks->mark = mark;
    m_marks->refresh();
}

std::optional<ChartView::Mark> ChartView::mark() const { return m_marks->mark; }

void ChartView::setMapFills(bool fills)
{
    if (std::exchange(m_mapFills, fills) != fills)
        refresh();
}

DrawScale ChartView::scaleFor(QSize size, int columns) const
{
    DrawScale scale = drawScale(chart(), font(), QFontInfo(font()).pixelSize(), size, columns);
    scale.filling   = !scale.compact && m_mapFills && isSingleMap(chart());
    scale.compact   = scale.compact || scale.filling;
    return scale;
}

/// Applies colours and sizes for the current palette, font and space.
void ChartView::refresh()
{
    m_plot->setVisible(!(chart().panels.empty() && chart().table && chart().message.empty()));
    const QSize size           = m_pages->size() - showTable();
    const int columns          = columnsFor(chart(), size);
    const ChartPalette palette = ChartPalette::forScreen(this->palette());
    DrawScale scale            = scaleFor(size, columns);
    scale.pixelsPerPoint *= screenLines() * logicalDpiX() / 96.0;
    m_painter->show(chart(), palette, scale, columns);
    QPalette ground;   // other colours are inherited
    ground.setColor(QPalette::Window, palette.background);
    m_picture->setPalette(ground);
    m_offers.resetZoom->setEnabled(m_painter->zoomed());
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

/// Shows the table below the panels. In a wide and low area it is placed next to them, where both
/// have more space. Next to compact panels there is no space for a table; *Show data* has its
/// numbers.
/// @return the width or height that the table takes from the panels
QSize ChartView::showTable()
{
    constexpr double wideFrom = 1.8;   ///< width by height
    const QSize all           = m_pages->size();
    const bool next           = chart().panels.size() == 1 && all.width() > wideFrom * all.height();
    const bool compact        = !chart().panels.empty() && scaleFor(all, columnsFor(chart(), all)).compact;
    const bool shown          = chart().table && !chart().table->columns.empty() && chart().message.empty() && !compact;
    m_table->setVisible(shown);
    if (!shown)
        return {0, 0};
    m_table->setTable(*chart().table);
    m_table->setMinimumSize(0, 0);
    m_table->setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
    if (chart().panels.empty())
        return {0, 0};
    m_pair->setDirection(next ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    if (next) {
        const int bar   = m_table->verticalScrollBar()->sizeHint().width();
        const int width = std::min(m_table->neededWidth() + bar, all.width() / 2);
        m_table->setFixedWidth(width);
        return {width, 0};
    }
    const bool wide  = m_table->neededWidth() > all.width();
    const int needed = m_table->sizeHint().height() + (wide ? m_table->horizontalScrollBar()->sizeHint().height() : 0);
    const int height = std::min(needed, all.height() / 2);   // then its rows scroll
    m_table->setFixedHeight(height);
    return {0, height};
}

ColumnWidths& ChartView::tableWidths() const { return m_table->widths(); }

ColumnWidths& ChartView::dataWidths() const { return m_data->widths(); }

QPointF ChartView::positionOf(int panel, double x, double y) const
{
    return panel >= 0 && panel < m_painter->panelCount() ? m_plot->mapTo(this, m_painter->position(panel, {x, y}))
                                                         : QPointF();
}

std::optional<std::pair<Range, Range>> ChartView::shownRange(int panel) const
{
    if (panel < 0 || panel >= m_painter->panelCount())
        return std::nullopt;
    return m_painter->shownRange(panel);
}

QRect ChartView::panelRect(int panel) const
{
    if (panel < 0 || panel >= m_painter->panelCount())
        return {};
    const QRect rect = m_painter->panelRect(panel);
    return {m_plot->mapTo(this, rect.topLeft()), rect.size()};
}

int ChartView::rebuilds() const { return m_painter->rebuilds(); }

void ChartView::copy()
{
    QGuiApplication::clipboard()->setMimeData(chartMimeData(chart(), slideOptions(), m_studyJson));
}

void ChartView::showData(bool shown)
{
    if (m_offers.showData->isChecked() != shown) {
        m_offers.showData->setChecked(shown);   // triggers this slot again
        return;
    }
    if (shown)
        m_data->setTable(data_table(chart()));
    m_pages->setCurrentIndex(shown ? 1 : 0);
    setFocusProxy(shown ? m_data : nullptr);
    Q_EMIT dataShown(shown);
}

void ChartView::resetZoom()
{
    m_painter->resetZoom();
    m_offers.resetZoom->setEnabled(false);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange
        || event->type() == QEvent::StyleChange)
        refresh();
}

void ChartView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layout()->activate();
    refresh();
}

void ChartView::keyPressEvent(QKeyEvent* event)
{
    if (!m_hand->keyPressed(event))
        QWidget::keyPressEvent(event);
}

}   // namespace credence
