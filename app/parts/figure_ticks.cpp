// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/export_dialog.h"

namespace {

enum FigureRole { figureId = Qt::UserRole, figureOfEachRun };

bool isChapter(const QListWidgetItem& item) { return item.data(figureId).toString().isEmpty(); }
bool isTicked(const QListWidgetItem& item)
{
    return !isChapter(item) && item.flags().testFlag(Qt::ItemIsEnabled) && item.checkState() == Qt::Checked;
}

}   // namespace

FigureTicks::FigureTicks(const std::vector<ExportFigure>& figures, const QString& chosen, const QStringList& leftOut,
                         QWidget* parent)
    : QListWidget(parent)
{
    QString chapter;
    QListWidgetItem* front = nullptr;
    for (const auto& figure : figures) {
        if (figure.chapter != chapter) {
            chapter    = figure.chapter;
            auto* head = new QListWidgetItem(chapter, this);
            auto bold  = font();
            bold.setBold(true);
            head->setFont(bold);
            head->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
            head->setCheckState(Qt::Checked);
        }
        auto* item = new QListWidgetItem(figure.title, this);
        item->setData(figureId, figure.id);
        item->setData(figureOfEachRun, figure.ofEachRun);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        const bool on = chosen.isEmpty() ? !leftOut.contains(figure.id) : figure.id == chosen;
        item->setCheckState(on ? Qt::Checked : Qt::Unchecked);
        if (on && !front)
            front = item;
    }
    setObjectName(QStringLiteral("exportViews"));
    setAccessibleName(tr("Figures"));
    refreshChapters();
    if (front) {
        setCurrentItem(front);
        scrollToItem(front, QAbstractItemView::PositionAtCenter);
    }
    connect(this, &QListWidget::itemChanged, this, &FigureTicks::passOn);
    connect(this, &QListWidget::currentItemChanged, this, &FigureTicks::changed);
}

QStringList FigureTicks::ticked() const
{
    QStringList ids;
    for (int i = 0; i < count(); ++i)
        if (isTicked(*item(i)))
            ids += item(i)->data(figureId).toString();
    return ids;
}

QStringList FigureTicks::leftOut() const
{
    QStringList ids;
    for (int i = 0; i < count(); ++i)
        if (!isChapter(*item(i)) && item(i)->checkState() != Qt::Checked)
            ids += item(i)->data(figureId).toString();
    return ids;
}

QString FigureTicks::inFront() const
{
    if (const auto* current = currentItem(); current && !isChapter(*current))
        return current->data(figureId).toString();
    const auto all = ticked();
    return all.isEmpty() ? QString() : all.front();
}

void FigureTicks::offerOnlyThoseOfEachRun(bool only)
{
    {
        const QSignalBlocker blocked(this);
        for (int i = 0; i < count(); ++i)
            if (!item(i)->data(figureOfEachRun).toBool() && !isChapter(*item(i))) {
                auto flags = item(i)->flags();
                item(i)->setFlags(flags.setFlag(Qt::ItemIsEnabled, !only));
                item(i)->setToolTip(only ? tr("This figure shows the current display, not a single run") : QString());
            }
    }
    Q_EMIT changed();
}

/// Applies the tick of a chapter to all its figures.
void FigureTicks::passOn(QListWidgetItem* changedItem)
{
    {
        const QSignalBlocker blocked(this);
        if (isChapter(*changedItem) && changedItem->checkState() != Qt::PartiallyChecked)
            for (int i = row(changedItem) + 1; i < count() && !isChapter(*item(i)); ++i)
                item(i)->setCheckState(changedItem->checkState());
        refreshChapters();
    }
    viewport()->update();
    Q_EMIT changed();
}

void FigureTicks::refreshChapters()
{
    const QSignalBlocker blocked(this);
    for (int i = 0; i < count(); ++i) {
        if (!isChapter(*item(i)))
            continue;
        int all = 0, on = 0;
        for (int k = i + 1; k < count() && !isChapter(*item(k)); ++k) {
            ++all;
            on += item(k)->checkState() == Qt::Checked ? 1 : 0;
        }
        item(i)->setCheckState(on == 0 ? Qt::Unchecked : on == all ? Qt::Checked : Qt::PartiallyChecked);
    }
}
