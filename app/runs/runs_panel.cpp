// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/runs_panel.h"

#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/notifier.h"
#include "parts/remembered_sizes.h"
#include "parts/window_part.h"
#include "runs/run_actions.h"
#include "runs/run_list_model.h"
#include "session/app_context.h"
#include "session/run_opener.h"
#include "session/saved_runs.h"
#include "widgets/column_widths.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <numeric>

using namespace credence;

namespace {

/// Column widths for a window 480 pixels wide, in which the last columns need scrolling.
constexpr std::array<int, SavedRuns::columns> narrowWidths{140, 110, 70, 60, 66, 68, 88, 100};

/// Elides settings and notes on the right. With elision in the middle, "Seed: 1 → 199; Steps: 10000
/// → 20000" would become "Seed: 1… → 20000".
class EndsElided : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideRight;
    }
};

}   // namespace

RunsPanel::RunsPanel(AppContext& context, QAction& compare, Notifier& notifier, QWidget* parent)
    : QWidget(parent), m_runs(context.runs), m_actions(new RunActions(context, notifier, this)),
      m_shown(new QSortFilterProxyModel(this)), m_table(new QTableView(this)), m_search(new QLineEdit(this))
{
    buildTable();
    connectTable();
    connect(m_actions, &RunActions::renameRequested, this, &RunsPanel::rename);
    connect(m_actions, &RunActions::editsEnd, this, [this] {
        if (currentRow() >= 0)
            forgetClick();
    });
    auto* buttons = new FlowLayout;   // in a narrow window two lines
    for (const auto& [name, action] : {std::pair{"showRun", m_actions->show},
                                       {"continueRun", m_actions->continueRun},
                                       {"compareInTable", &compare},
                                       {"reopenStudy", m_actions->reopen},
                                       {"renameRun", m_actions->rename},
                                       {"deleteRun", m_actions->remove}})
        buttons->addWidget(buttonOf(*action, QString::fromLatin1(name), this, Mnemonic::no));
    m_search->setObjectName(QStringLiteral("searchRuns"));
    m_search->setPlaceholderText(tr("Search runs"));
    m_search->setAccessibleName(tr("Search runs by name, family or note"));
    m_search->setClearButtonEnabled(true);
    buttons->addWidget(m_search);
    connect(m_search, &QLineEdit::textChanged, m_shown, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_search, &QLineEdit::textChanged, this, &RunsPanel::refreshActions);
    auto* hint = new QLabel(tr("Tick two or more runs to compare them."), this);
    hint->setObjectName(QStringLiteral("compareHint"));
    hint->setForegroundRole(QPalette::PlaceholderText);
    hint->setContentsMargins(8, 0, 0, 0);
    buttons->addWidget(hint);
    const auto showHint = [this, hint] { hint->setVisible(m_runs.checked().size() < 2); };
    connect(&m_runs, &SavedRuns::checksChanged, hint, showHint);
    showHint();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(4, 4, 4, 4);
    all->setSpacing(4);
    all->addWidget(m_table, 1);
    all->addLayout(buttons);
    setProperty(WindowPart::asHighAsItsRows, true);
    refreshActions();
}

QSize RunsPanel::sizeHint() const
{
    constexpr int fewest = 4, most = 16;
    const int rows   = std::clamp(m_shown->rowCount(), fewest, most);
    const int height = m_table->verticalHeader()->defaultSectionSize();
    return {QWidget::sizeHint().width(), layout()->minimumSize().height() + rows * height};
}

QSize RunsPanel::minimumSizeHint() const
{
    return QWidget::minimumSizeHint().expandedTo({0, layout()->minimumHeightForWidth(std::max(1, width()))});
}

void RunsPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        updateGeometry();   // the buttons may need another number of lines
}

void RunsPanel::buildTable()
{
    m_table->setObjectName(QStringLiteral("runsTable"));
    m_table->setFrameShape(QFrame::NoFrame);
    setFocusProxy(m_table);
    m_table->setAccessibleName(tr("Saved runs"));
    connect(&m_runs, &SavedRuns::rowsAboutToBeRemoved, this, [this] {   // before the table hears of it
        if (currentRow() >= 0)
            forgetClick();
    });
    m_shown->setSourceModel(&m_runs);
    m_shown->setSortRole(SavedRuns::sort_role);
    m_shown->setSortCaseSensitivity(Qt::CaseInsensitive);
    m_shown->setFilterRole(SavedRuns::search_role);
    m_shown->setFilterKeyColumn(SavedRuns::name);
    m_shown->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_table->setModel(m_shown);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle);   // names often differ at their ends
    auto* endsElided = new EndsElided(m_table);
    for (const int column : {SavedRuns::differs, SavedRuns::note})
        m_table->setItemDelegateForColumn(column, endsElided);
    m_table->setShowGrid(false);   // as in the other tables
    m_table->setAlternatingRowColors(true);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
    auto* header = m_table->horizontalHeader();
    header->setStretchLastSection(true);
    header->setHighlightSections(false);
    header->setResizeContentsPrecision(0);   // only visible rows are measured, since there may be thousands of runs
    header->setSortIndicator(-1, Qt::AscendingOrder);   // the newest first, until a header is clicked
    header->setSortIndicatorClearable(true);
    m_table->setSortingEnabled(true);
    m_widths = rememberColumns(header, QStringLiteral("runs"));
    fitColumns();
}

/// Gives names, then families, then settings, their full width if the table has space. Otherwise a name still gets
/// up to two fifths of the width: first from settings wider than needed, then from columns that
/// need scrolling. Columns resized by the user keep their width.
void RunsPanel::fitColumns()
{
    const QAbstractItemView& view = *m_table;
    const int room                = m_table->viewport()->width();
    std::array<int, SavedRuns::columns> widths;
    std::ranges::transform(narrowWidths, widths.begin(), [](int width) { return withFont(width); });
    widths[SavedRuns::score] = std::max(widths[SavedRuns::score], view.sizeHintForColumn(SavedRuns::score));
    for (int column = 0; column < SavedRuns::note; ++column)
        if (const int users = m_widths->of(column); users > 0)
            widths[column] = users;
    int &name = widths[SavedRuns::name], &settings = widths[SavedRuns::differs];
    const int wantsName     = m_widths->of(SavedRuns::name) > 0 ? name : view.sizeHintForColumn(SavedRuns::name);
    const int wantsSettings = m_widths->of(SavedRuns::differs) > 0
                                  ? settings
                                  : std::max(view.sizeHintForColumn(SavedRuns::differs),
                                             m_table->horizontalHeader()->sectionSizeHint(SavedRuns::differs));
    int spare               = std::max(0, room - std::accumulate(widths.begin(), widths.end(), 0));
    const int more          = std::clamp(wantsName - name, 0, std::max(spare, room * 2 / 5 - name));
    name += more;
    spare -= more;
    if (m_widths->of(SavedRuns::family) == 0) {
        int& family    = widths[SavedRuns::family];
        const int rest = std::clamp(view.sizeHintForColumn(SavedRuns::family) - family, 0, std::max(spare, 0));
        family += rest;
        spare -= rest;
    }
    settings += std::clamp(wantsSettings - settings, std::min(spare, 0), std::max(spare, 0));
    for (int column = 0; column < SavedRuns::note; ++column)
        m_table->setColumnWidth(column, widths[column]);
}

void RunsPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitColumns();
}

bool RunsPanel::eventFilter(QObject* object, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        fitColumns();
    return QWidget::eventFilter(object, event);
}

void RunsPanel::connectTable()
{
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& at) {
        if (at.column() == SavedRuns::note)
            return;
        const auto entry = m_runs.at(m_shown->mapToSource(at).row());
        forgetClick();   // otherwise the first click on a name would edit it
        m_actions->display(*entry);
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &RunsPanel::refreshActions);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPanel::refreshActions);
    connect(&m_runs, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex&, int first) {
        refreshActions();
        if (first == 0)
            m_table->scrollToTop();   // shows the newest run
    });
    connect(&m_runs, &QAbstractItemModel::rowsRemoved, this, &RunsPanel::refreshActions);
    connect(&m_runs, &QAbstractItemModel::rowsInserted, this, &RunsPanel::fitColumns);
    connect(&m_runs, &QAbstractItemModel::dataChanged, this, &RunsPanel::fitColumns);
    connect(&m_runs, &QAbstractItemModel::dataChanged, this, &RunsPanel::refreshActions);
    connect(m_widths, &ColumnWidths::changed, this, &RunsPanel::fitColumns);
    m_table->viewport()->installEventFilter(this);
}

int RunsPanel::currentRow() const { return m_shown->mapToSource(m_table->currentIndex()).row(); }

QModelIndex RunsPanel::shownIndex(int row, int column) const
{
    return m_shown->mapFromSource(m_runs.index(row, column));
}

std::vector<std::shared_ptr<SavedRunEntry>> RunsPanel::selectedRuns() const
{
    std::vector<std::shared_ptr<SavedRunEntry>> runs;
    for (const auto& at : m_table->selectionModel()->selectedRows())
        runs.push_back(m_runs.at(m_shown->mapToSource(at).row()));
    return runs;
}

void RunsPanel::refreshActions() { m_actions->select(selectedRuns()); }

/// Commits a note being edited, and cancels a pending click on the name that waits for a possible
/// double click.
void RunsPanel::forgetClick()
{
    const auto name  = shownIndex(currentRow(), SavedRuns::name);
    auto* selection  = m_table->selectionModel();
    const auto still = QItemSelectionModel::NoUpdate;   // several may be selected
    selection->setCurrentIndex(name.siblingAtColumn(SavedRuns::name + 1), still);
    selection->setCurrentIndex(name, still);
}

void RunsPanel::rename()
{
    const auto name = shownIndex(currentRow(), SavedRuns::name);
    if (m_table->indexWidget(name) != nullptr)
        return;   // a write is already in progress
    forgetClick();
    m_table->edit(name);
}

namespace {

constexpr int runsWithoutSearch = 8;

}   // namespace

/// A list that shows in its centre why it is empty.
class RunView : public QListView {
public:
    using QListView::QListView;
    QString emptyText;

protected:
    void paintEvent(QPaintEvent* event) override
    {
        QListView::paintEvent(event);
        if (model()->rowCount() > 0)
            return;
        QPainter painter(viewport());
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(viewport()->rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap, emptyText);
    }
};

RunList::RunList(AppContext& context, Comparison& comparison, Notifier& notifier, QWidget* parent)
    : QWidget(parent), m_context(context), m_model(new RunListModel(context, this)),
      m_actions(new RunActions(context, notifier, this)), m_compare(new CompareAction(context, comparison, this)),
      m_view(new RunView(this)), m_search(new QLineEdit(this))
{
    auto* table = new QPushButton(tr("Table"), this);
    table->setObjectName(QStringLiteral("showRunsTable"));
    table->setToolTip(tr("Open the table of all runs, which can be sorted by each column"));
    connect(table, &QPushButton::clicked, this, &RunList::tableRequested);
    m_search->setObjectName(QStringLiteral("searchRunList"));
    m_search->setPlaceholderText(tr("Search runs"));
    m_search->setAccessibleName(tr("Search the list of runs by name, family or note"));
    m_search->setClearButtonEnabled(true);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model->setFilterFixedString(text);
        refresh();
    });
    connect(&context.runs, &SavedRuns::trashRefused, this,
            [&context, &notifier](const std::shared_ptr<SavedRunEntry>& entry, const QString& sentence) {
        notifier.ask(sentence, {{tr("Delete permanently"), [&context, entry] { context.runs.removeForGood(*entry); }},
                                {tr("Keep"), {}}});
    });
    buildView();
    auto* buttons = new FlowLayout;
    buttons->addWidget(buttonOf(*m_compare, QStringLiteral("compareRuns"), this));
    buttons->addWidget(table);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(4, 4, 4, 4);
    all->setSpacing(4);
    all->addLayout(buttons);
    all->addWidget(m_search);
    all->addWidget(m_view, 1);
    auto& runs = context.runs;
    connect(&runs, &QAbstractItemModel::rowsInserted, this, &RunList::refresh);
    connect(&runs, &QAbstractItemModel::rowsRemoved, this, &RunList::refresh);
    connect(&runs, &QAbstractItemModel::dataChanged, this, &RunList::refreshActions);
    connect(&runs, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex&, int first) {
        if (first == 0)
            m_view->scrollToTop();   // shows the newest run
    });
    connect(&context.opener, &RunOpener::displayed, this, [this] {
        for (int row = 0; row < m_model->rowCount(); ++row)
            if (const auto index = m_model->index(row, 0);
                index.data(RunListModel::displayed_role).toBool()
                && !m_view->viewport()->rect().contains(m_view->visualRect(index)))
                m_view->scrollTo(index, QAbstractItemView::PositionAtTop);   // so that no row above it is cut off
    });
    refresh();
}

QAction& RunList::compareAction() const { return *m_compare; }

void RunList::buildView()
{
    m_view->setObjectName(QStringLiteral("runsList"));
    m_view->setAccessibleName(tr("Saved runs"));
    m_view->setModel(m_model);
    auto* delegate = new RunDelegate(m_view);
    m_view->setItemDelegate(delegate);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setMouseTracking(true);   // the row under the pointer is highlighted
    m_view->installEventFilter(this);
    m_view->viewport()->installEventFilter(this);
    connect(delegate, &RunDelegate::displayRequested, this, &RunList::display);
    connect(m_view, &QListView::doubleClicked, this, &RunList::display);
    connect(m_view, &QListView::customContextMenuRequested, this, &RunList::showMenu);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunList::refreshActions);
    connect(m_actions, &RunActions::renameRequested, this, [this] { m_view->edit(m_view->currentIndex()); });
}

QSize RunList::sizeHint() const { return {withFont(304), withFont(240)}; }

/// A double click on a button counts as two clicks on it and does not display the run.
bool RunList::eventFilter(QObject* object, QEvent* event)
{
    if (object == m_view && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if ((key == Qt::Key_Return || key == Qt::Key_Enter) && m_view->currentIndex().isValid()) {
            display(m_view->currentIndex());
            return true;
        }
        if (key == Qt::Key_Delete && m_actions->remove->isEnabled()) {
            m_actions->remove->trigger();
            return true;
        }
    }
    if (object == m_view->viewport() && event->type() == QEvent::MouseButtonDblClick) {
        const QPoint at  = static_cast<QMouseEvent*>(event)->position().toPoint();
        const auto index = m_view->indexAt(at);
        if (index.isValid() && RunDelegate::partsOf(m_view->visualRect(index), m_view->font(), index).isButton(at))
            return true;
    }
    return QWidget::eventFilter(object, event);
}

void RunList::refresh()
{
    const int runs = m_context.runs.rowCount();
    m_search->setVisible(runs > runsWithoutSearch || !m_search->text().isEmpty());
    m_view->emptyText = runs == 0 ? tr("Finished runs appear here. Press Train to make the first.")
                                  : tr("No run matches the search.");
    m_view->viewport()->update();
    refreshActions();
}

void RunList::refreshActions()
{
    std::vector<std::shared_ptr<SavedRunEntry>> selected;
    for (const auto& index : m_view->selectionModel()->selectedIndexes())
        selected.push_back(m_model->entryAt(index));
    m_actions->select(std::move(selected));
}

void RunList::display(const QModelIndex& index) { m_actions->display(*m_model->entryAt(index)); }

void RunList::showMenu(const QPoint& at)
{
    const auto index = m_view->indexAt(at);
    if (!index.isValid())
        return;
    auto* menu = new QMenu(m_view);
    menu->setObjectName(QStringLiteral("runMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    menu->addActions(
        {m_actions->show, m_actions->continueRun, m_actions->reopen, m_actions->rename, m_actions->remove});
    menu->popup(m_view->viewport()->mapToGlobal(at));
}
