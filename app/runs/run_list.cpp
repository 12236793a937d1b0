// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_list.h"

#include "parts/appearance.h"
#include "parts/flow_layout.h"
#include "parts/notifier.h"
#include "runs/run_actions.h"
#include "runs/run_delegate.h"
#include "runs/run_list_model.h"
#include "session/app_context.h"
#include "session/saved_runs.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace {

constexpr int runsWithoutSearch = 8;

}   // namespace

/// A list that shows in its middle why it is empty.
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
            m_view->scrollToTop();   // the newest is worth seeing
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
    m_view->setMouseTracking(true);   // the row under the mouse is marked
    m_view->installEventFilter(this);
    m_view->viewport()->installEventFilter(this);
    connect(delegate, &RunDelegate::displayRequested, this, &RunList::display);
    connect(m_view, &QListView::doubleClicked, this, &RunList::display);
    connect(m_view, &QListView::customContextMenuRequested, this, &RunList::showMenu);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunList::refreshActions);
    connect(m_actions, &RunActions::renameRequested, this, [this] { m_view->edit(m_view->currentIndex()); });
}

QSize RunList::sizeHint() const { return {withFont(304), withFont(240)}; }

/// A double click on a button is two clicks on it, and displays nothing else.
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
    menu->addActions({m_actions->show, m_actions->goOn, m_actions->reopen, m_actions->rename, m_actions->remove});
    menu->popup(m_view->viewport()->mapToGlobal(at));
}
