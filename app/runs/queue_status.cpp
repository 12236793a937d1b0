// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/queue_status.h"

#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/notifier.h"
#include "session/app_context.h"
#include "work/text.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QStatusBar>
#include <QVBoxLayout>

#include <algorithm>

QueueStatus::QueueStatus(AppContext& context, Notifier& notifier, QStatusBar* line)
    : QObject(line), m_context(context),
      m_chip(workButton(QStringLiteral("runQueue"), tr("Show, reorder and remove the queued runs"), line))
{
    buildList(line);
    auto& queue = context.queue;
    connect(m_chip, &QPushButton::clicked, this, &QueueStatus::open);
    connect(&queue, &RunQueue::changed, this, &QueueStatus::refresh);
    connect(&queue, &RunQueue::notified, &notifier, &Notifier::notify);
    connect(&queue, &RunQueue::failed, this, [&notifier](const QString& sentence) { notifier.keep(sentence); });
    context.unfinished.add(this, {[&queue] {
                               const auto count = queue.waiting().size();
                               return count == 0   ? QString()
                                      : count == 1 ? tr("1 run is queued; the queue is not kept.")
                                                   : tr("%1 runs are queued; the queue is not kept.").arg(count);
                           }});
    refresh();
}

void QueueStatus::buildList(QStatusBar* line)
{
    m_popup = new QFrame(line, Qt::Popup);
    m_popup->setObjectName(QStringLiteral("queuePopup"));
    m_popup->setFrameShape(QFrame::StyledPanel);
    m_popup->setAccessibleName(tr("Queued runs"));
    m_list = new QListWidget(m_popup);
    m_list->setObjectName(QStringLiteral("queueList"));
    m_list->setAccessibleName(tr("Queued runs"));
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_list->setTextElideMode(Qt::ElideRight);
    const auto button = [this](const char* name, const QString& text, const QString& tip) {
        auto* made = new QPushButton(text, m_popup);
        made->setObjectName(QLatin1String(name));
        made->setToolTip(tip);
        return made;
    };
    m_up          = button("queueUp", tr("&Up"), tr("Train this run earlier"));
    m_down        = button("queueDown", tr("&Down"), tr("Train this run later"));
    m_remove      = button("queueRemove", tr("&Remove"), tr("Remove this run from the queue"));
    auto* buttons = new QHBoxLayout;
    for (auto* each : {m_up, m_down, m_remove})
        buttons->addWidget(each);
    auto* column = new QVBoxLayout(m_popup);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    column->addWidget(new QLabel(tr("Trained one after another, from the top:"), m_popup));
    column->addWidget(m_list, 1);
    column->addLayout(buttons);
    connect(m_list, &QListWidget::currentRowChanged, this, &QueueStatus::refreshButtons);
    connect(m_list->model(), &QAbstractItemModel::rowsMoved, this,
            [this](const QModelIndex&, int from, int, const QModelIndex&, int before) {
        m_context.queue.move(from, before > from ? before - 1 : before);
    });
    connect(m_up, &QPushButton::clicked, this, [this] { moveBy(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { moveBy(1); });
    connect(m_remove, &QPushButton::clicked, this, [this] { m_context.queue.remove(m_list->currentRow()); });
}

void QueueStatus::refresh()
{
    const auto& waiting = m_context.queue.waiting();
    const auto count    = static_cast<int>(waiting.size());
    m_chip->setVisible(count > 0);
    m_chip->setText(count == 1 ? tr("Queued: 1 run") : tr("Queued: %1 runs").arg(count));
    QStringList lines;
    for (int index = 0; index < count; ++index) {
        const auto differences = m_context.queue.differences(index);
        const QString name     = toQString(waiting[static_cast<std::size_t>(index)].name);
        lines << (differences.isEmpty() ? name : tr("%1 · %2").arg(name, differences.join(QStringLiteral("; "))));
    }
    m_chip->setToolTip(tr("Show, reorder and remove the queued runs:\n%1").arg(lines.join(QLatin1Char('\n'))));
    m_chip->setAccessibleName(m_chip->text());
    QStringList shown;
    for (int row = 0; row < m_list->count(); ++row)
        shown << m_list->item(row)->text();
    if (shown != lines) {   // after a drag it is in this order already
        const int row = m_list->currentRow();
        m_list->clear();
        m_list->addItems(lines);
        for (int each = 0; each < count; ++each)
            m_list->item(each)->setToolTip(lines.at(each));
        m_list->setCurrentRow(std::clamp(row, 0, std::max(0, count - 1)));
    }
    if (count == 0)
        m_popup->hide();
    refreshButtons();
}

void QueueStatus::refreshButtons()
{
    const int row = m_list->currentRow();
    m_up->setEnabled(row > 0);
    m_down->setEnabled(row >= 0 && row + 1 < m_list->count());
    m_remove->setEnabled(row >= 0);
}

void QueueStatus::open()
{
    refresh();   // the differences are from the current training
    m_popup->resize(withFont(360), withFont(220));
    const QPoint corner = m_chip->mapToGlobal(QPoint(m_chip->width() - m_popup->width(), -m_popup->height()));
    m_popup->move(std::max(0, corner.x()), std::max(0, corner.y()));
    m_popup->show();
    m_list->setFocus();
}

void QueueStatus::moveBy(int rows)
{
    const int row = m_list->currentRow();
    m_context.queue.move(row, row + rows);
    m_list->setCurrentRow(row + rows);
}
