// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/runs_panel.h"

#include "docks/comparison.h"
#include "docks/notifier.h"
#include "parts/appearance.h"
#include "parts/flow_layout.h"
#include "session/app_context.h"
#include "session/saved_runs.h"
#include "work/text.h"

#include <QAction>
#include <QCoreApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QUndoCommand>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>

class SavedRunEntry;
class SavedRuns;

/// Removes a saved run from the table and moves its file to the trash; undo restores both.
class DeleteRunCommand : public QUndoCommand {
public:
    DeleteRunCommand(SavedRuns& runs, int row);
    void undo() override;
    void redo() override;

private:
    SavedRuns& m_runs;
    int m_row;
    std::shared_ptr<SavedRunEntry> m_entry;
};

DeleteRunCommand::DeleteRunCommand(SavedRuns& runs, int row)
    : QUndoCommand(
        QCoreApplication::translate("DeleteRunCommand", "Delete run %1").arg(toQString(runs.at(row)->run.name))),
      m_runs(runs), m_row(row), m_entry(runs.at(row))
{}

void DeleteRunCommand::undo() { m_runs.putBack(m_entry, m_row); }

void DeleteRunCommand::redo() { m_runs.removeRun(m_runs.rowOf(*m_entry)); }

namespace {

/// For a dock 480 pixels wide in a 1280-pixel window, where the last columns must be scrolled to.
constexpr std::array<int, SavedRuns::columns> narrowWidths{138, 120, 62, 60, 62, 62, 84, 120};

/// Elides settings on the right. In the middle, "Seed: 1 → 199; Steps: 10000 → 20000" would become
/// "Seed: 1… → 20000".
class SettingsDelegate : public QStyledItemDelegate {
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

RunsPanel::RunsPanel(AppContext& context, Comparison& comparison, Notifier& notifier, QWidget* parent)
    : QWidget(parent), m_context(context), m_runs(context.runs), m_comparison(comparison), m_notifier(notifier),
      m_shown(new QSortFilterProxyModel(this)), m_table(new QTableView(this)), m_search(new QLineEdit(this))
{
    buildTable();
    buildButtons();
    connectTable();
    connect(&comparison, &Comparison::closed, this, [this] { m_compare->setChecked(false); });
    connect(&m_runs, &SavedRuns::trashRefused, this,
            [this](const std::shared_ptr<SavedRunEntry>& entry, const QString& sentence) {
        m_notifier.ask(sentence,
                       {{tr("Delete permanently"), [this, entry] { m_runs.removeForGood(*entry); }}, {tr("Keep"), {}}});
    });
    auto* buttons = new FlowLayout;   // in a narrow window two lines
    for (auto* each : {m_show, m_continue, m_compare, m_reopen, m_rename, m_remove})
        buttons->addWidget(each);
    m_search->setObjectName(QStringLiteral("searchRuns"));
    m_search->setPlaceholderText(tr("Search runs"));
    m_search->setAccessibleName(tr("Search runs by name, family or note"));
    m_search->setClearButtonEnabled(true);
    buttons->addWidget(m_search);
    connect(m_search, &QLineEdit::textChanged, m_shown, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_search, &QLineEdit::textChanged, this, &RunsPanel::refreshButtons);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(4, 4, 4, 4);
    all->setSpacing(4);
    all->addWidget(m_table, 1);
    all->addLayout(buttons);
    refreshButtons();
}

void RunsPanel::buildTable()
{
    m_table->setObjectName(QStringLiteral("runsTable"));
    m_table->setAccessibleName(tr("Saved runs"));
    connect(&m_runs, &SavedRuns::rowsAboutToBeRemoved, this, [this] {   // before the table hears of it
        if (currentRow() >= 0)
            forgetClick();
    });
    m_shown->setSourceModel(&m_runs);
    m_shown->setSortRole(SavedRuns::sort_role);
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
    m_table->setItemDelegateForColumn(SavedRuns::differs, new SettingsDelegate(m_table));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
    auto* header = m_table->horizontalHeader();
    header->setStretchLastSection(true);
    header->setHighlightSections(false);
    header->setResizeContentsPrecision(0);              // of thousands of runs only those in view are measured
    header->setSortIndicator(-1, Qt::AscendingOrder);   // the newest first, until a header is clicked
    header->setSortIndicatorClearable(true);
    m_table->setSortingEnabled(true);
    fitColumns();
}

/// Gives names, then settings, their full width if the table has space, until the user resizes a
/// column. Otherwise a name still gets up to two fifths: first from settings wider than needed,
/// then from columns that must be scrolled to.
void RunsPanel::fitColumns()
{
    if (m_widthsAreUsers)
        return;
    m_fits                        = true;
    const QAbstractItemView& view = *m_table;
    const int room                = m_table->viewport()->width();
    std::array<int, SavedRuns::columns> widths;
    std::ranges::transform(narrowWidths, widths.begin(), [](int width) { return withFont(width); });
    widths[SavedRuns::score] = std::max(widths[SavedRuns::score], view.sizeHintForColumn(SavedRuns::score));
    int &name = widths[SavedRuns::name], &settings = widths[SavedRuns::differs];
    const int wantsName     = view.sizeHintForColumn(SavedRuns::name);
    const int wantsSettings = std::max(view.sizeHintForColumn(SavedRuns::differs),
                                       m_table->horizontalHeader()->sectionSizeHint(SavedRuns::differs));
    int spare               = std::max(0, room - std::accumulate(widths.begin(), widths.end(), 0));
    const int more          = std::clamp(wantsName - name, 0, std::max(spare, room * 2 / 5 - name));
    name += more;
    spare -= more;
    settings += std::clamp(wantsSettings - settings, std::min(spare, 0), std::max(spare, 0));
    for (int column = 0; column < SavedRuns::note; ++column)
        m_table->setColumnWidth(column, widths[column]);
    m_fits = false;
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

void RunsPanel::buildButtons()
{
    const auto button = [this](const QString& name, const QString& text, const QString& tip) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(name);
        made->setToolTip(tip);
        return made;
    };
    m_show     = button(QStringLiteral("showRun"), tr("Sho&w"), tr("Display this run in all views"));
    m_continue = button(
        QStringLiteral("continueRun"), tr("Cont&inue"),
        tr("Continue this run from the step at which it was stopped, with the same numbers as if it had "
           "not been stopped"));
    m_compare = button(QStringLiteral("compareRuns"), tr("&Compare"),
                       tr("Compare the ticked runs: decision maps on one colour scale, or scores if there is no map"));
    m_reopen  = button(QStringLiteral("reopenStudy"), tr("Reopen st&udy"), tr("Use the settings of this run"));
    m_rename  = button(QStringLiteral("renameRun"), tr("Rena&me"), tr("Give this run another name (F2)"));
    m_remove  = button(QStringLiteral("deleteRun"), tr("&Delete"),
                       tr("Remove this run from the list and move its file to the trash, after confirmation"));
    m_compare->setCheckable(true);

    connect(m_show, &QPushButton::clicked, this, [this] { m_context.opener.show(currentRow()); });
    connect(m_continue, &QPushButton::clicked, this, [this] { m_context.opener.continueRun(currentRow()); });
    connect(m_compare, &QPushButton::toggled, &m_comparison, &Comparison::show);
    connect(m_reopen, &QPushButton::clicked, this, &RunsPanel::reopenStudy);
    connect(m_rename, &QPushButton::clicked, this, &RunsPanel::rename);
    connect(m_remove, &QPushButton::clicked, this, &RunsPanel::askToDelete);
}

void RunsPanel::connectTable()
{
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& at) {
        if (at.column() != SavedRuns::name && at.column() != SavedRuns::note)
            m_context.opener.show(m_shown->mapToSource(at).row());
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &RunsPanel::refreshButtons);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPanel::refreshButtons);
    connect(&m_runs, &SavedRuns::checksChanged, this, [this] {
        refreshButtons();
        if (m_compare->isChecked())
            m_comparison.show(true);
    });
    connect(&m_runs, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex&, int first) {
        refreshButtons();
        if (first == 0)
            m_table->scrollToTop();   // the newest is worth seeing
    });
    connect(&m_runs, &QAbstractItemModel::rowsRemoved, this, &RunsPanel::refreshButtons);
    connect(&m_runs, &QAbstractItemModel::rowsInserted, this, &RunsPanel::fitColumns);
    connect(&m_runs, &QAbstractItemModel::dataChanged, this, &RunsPanel::fitColumns);
    connect(&m_runs, &QAbstractItemModel::dataChanged, this, &RunsPanel::refreshButtons);
    connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column) {
        if (!m_fits && column < SavedRuns::note)   // the last one follows the table
            m_widthsAreUsers = true;
    });
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

void RunsPanel::refreshButtons()
{
    const auto selected = m_table->selectionModel()->selectedRows().size();
    const bool chosen   = currentRow() >= 0 && selected == 1;
    for (auto* each : {m_show, m_reopen, m_rename})
        each->setEnabled(chosen);
    m_remove->setEnabled(selected > 0);
    const bool outputs = chosen && m_runs.at(currentRow())->ofOutputs();
    m_reopen->setEnabled(chosen && !outputs);
    m_reopen->setToolTip(outputs ? tr("Imported predictions have no settings") : tr("Use the settings of this run"));
    m_continue->setVisible(chosen && m_runs.at(currentRow())->canContinue);
    const bool enough = m_runs.checked().size() >= 2;
    m_compare->setEnabled(enough);
    if (!enough)
        m_compare->setChecked(false);
}

void RunsPanel::reopenStudy()
{
    const auto& run = m_runs.at(currentRow())->run;
    m_context.document.edit(run.study, tr("Reopen the study of %1").arg(toQString(run.name)));
}

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
        return;   // it is being written already
    forgetClick();
    m_table->edit(name);
}

/// Asks without a modal dialog; deletion can be undone.
void RunsPanel::askToDelete()
{
    const auto entries = selectedRuns();
    if (entries.empty())
        return;
    if (currentRow() >= 0)
        forgetClick();
    const bool one     = entries.size() == 1;
    const QString name = one ? toQString(entries.front()->run.name) : QString();
    const auto count   = static_cast<int>(entries.size());
    const auto remove  = [this, entries, one, name, count] {
        auto& undo = m_context.document.undo();
        undo.beginMacro(one ? tr("Delete run %1").arg(name) : tr("Delete %1 runs").arg(count));
        for (const auto& entry : entries)
            if (const int at = m_runs.rowOf(*entry); at >= 0)
                undo.push(new DeleteRunCommand(m_runs, at));
        undo.endMacro();
        m_notifier.note(one ? tr("The run %1 was deleted. Ctrl+Z restores it.").arg(name)
                             : tr("%1 runs were deleted. Ctrl+Z restores them.").arg(count),
                        {{tr("Undo"), [this] { m_context.document.undo().undo(); }}}, Toasts::Until::next_step);
    };
    QString question;
    if (!one)
        question = tr("Delete %1 runs? Their files will be moved to the trash.").arg(count);
    else if (entries.front()->ofOutputs())
        question = tr("Remove %1 from the list? Its file is not deleted.").arg(name);
    else
        question = tr("Delete the run %1? Its file will be moved to the trash.").arg(name);
    m_notifier.ask(question, {{tr("Delete"), remove}, {tr("Keep"), {}}});
}
