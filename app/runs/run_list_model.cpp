// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_list_model.h"

#include "session/app_context.h"
#include "session/saved_runs.h"
#include "study/fields.h"
#include "study/names.h"
#include "study/study_words.h"
#include "work/text.h"

#include <QHash>

#include <utility>

using namespace credence;

RunListModel::RunListModel(AppContext& context, QObject* parent) : QSortFilterProxyModel(parent), m_context(context)
{
    auto& runs = context.runs;
    regroup();
    // Connected before the base class, which queries groups and differences when it handles the
    // same signals.
    connect(&runs, &QAbstractItemModel::rowsInserted, this, &RunListModel::regroup);
    connect(&runs, &QAbstractItemModel::rowsRemoved, this, &RunListModel::regroup);
    connect(&runs, &QAbstractItemModel::dataChanged, this, [this] { m_differences.clear(); });
    setSourceModel(&runs);
    const auto sortAgain = [this] {
        if (std::exchange(m_reordered, false))
            invalidate();
    };
    connect(&runs, &QAbstractItemModel::rowsInserted, this, sortAgain);
    connect(&runs, &QAbstractItemModel::rowsRemoved, this, sortAgain);
    setFilterRole(SavedRuns::search_role);
    setFilterKeyColumn(SavedRuns::name);
    setFilterCaseSensitivity(Qt::CaseInsensitive);
    sort(0);
    connect(&context.session, &Session::stateChanged, this, &RunListModel::followDisplayed);
    connect(&context.session, &Session::snapshotChanged, this, &RunListModel::followDisplayed);
    connect(&context.opener, &RunOpener::displayed, this, &RunListModel::followDisplayed);
    followDisplayed();
}

void RunListModel::regroup()
{
    const auto& runs         = m_context.runs;
    const QStringList before = std::exchange(m_headings, {});
    const auto known         = std::exchange(m_dataOf, {});
    QHash<QString, int> groups;
    m_group.clear();
    for (int row = 0; row < runs.rowCount(); ++row) {
        const auto& entry  = runs.at(row);
        const auto old     = known.find(entry);
        const QString data = old != known.end()   ? old->second
                             : entry->ofOutputs() ? tr("Imported predictions")
                                                  : toQString(study_sentence(entry->run.study, "data"));
        m_dataOf.emplace(entry, data);
        const auto group = groups.constFind(data);
        m_group.push_back(group != groups.cend() ? *group : static_cast<int>(m_headings.size()));
        if (group == groups.cend()) {
            groups.insert(data, static_cast<int>(m_headings.size()));
            m_headings << data;
        }
    }
    m_reordered = m_reordered || m_headings.mid(0, before.size()) != before;
}

void RunListModel::followDisplayed()
{
    const auto& run    = m_context.session.run();
    const QString file = m_context.opener.shownFile();
    if (file == m_displayed && run.experiment == m_experiment)
        return;
    m_displayed  = file;
    m_experiment = run.experiment;
    m_differences.clear();
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 0));
}

const std::shared_ptr<SavedRunEntry>& RunListModel::entryAt(const QModelIndex& index) const
{
    return m_context.runs.at(mapToSource(index).row());
}

QModelIndex RunListModel::indexOf(const SavedRunEntry& entry) const
{
    return mapFromSource(m_context.runs.index(m_context.runs.rowOf(entry), SavedRuns::name));
}

bool RunListModel::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const auto group = [this](const QModelIndex& at) { return m_group.at(static_cast<std::size_t>(at.row())); };
    return std::pair(group(left), left.row()) < std::pair(group(right), right.row());
}

int RunListModel::groupOf(const QModelIndex& index) const
{
    return m_group.at(static_cast<std::size_t>(mapToSource(index).row()));
}

const RunListModel::Differences& RunListModel::differencesOf(const std::shared_ptr<SavedRunEntry>& entry) const
{
    if (const auto known = m_differences.find(entry); known != m_differences.end())
        return known->second;
    Differences found;
    const bool compares = m_experiment && !m_experiment->outputs && !entry->ofOutputs();
    const auto& study   = entry->run.study;
    if (entry->ofOutputs())
        found.chips << tr("imported");
    for (const auto& change : compares ? changes_between(m_experiment->study, study) : std::vector<Change>{}) {
        const QString chip = toQString(short_text(change, study));
        change.path == "posterior.family" ? found.chips.prepend(chip) : found.chips.append(chip);
        found.lines << toQString(change.text());
    }
    if (entry->canContinue)
        found.chips.prepend(tr("stopped"));
    found.chips.removeDuplicates();
    return m_differences[entry] = found;
}

QString RunListModel::tip(const SavedRunEntry& entry, const Differences& differences) const
{
    QStringList lines{toQString(entry.run.name), toQString(entry.run.report.message)};
    QStringList numbers;
    for (const auto& number : entry.summary.value_or(std::vector<SummaryNumber>()))
        numbers << tr("%1: %2").arg(toQString(number.caption), toQString(number.value));
    lines << numbers.join(QStringLiteral(" · "));
    if (!differences.lines.isEmpty())
        lines << tr("Compared with the displayed run:") << differences.lines;
    lines.removeAll(QString());
    return QStringLiteral("<p>%1</p>").arg(lines.join(QLatin1Char('\n')).toHtmlEscaped().replace('\n', "<br>"));
}

QString RunListModel::spoken(const QModelIndex& index) const
{
    const auto& entry = *entryAt(index);
    QStringList parts{toQString(entry.run.name), index.data(score_role).toString(),
                      entry.ofOutputs() ? QString() : toQString(family_title(entry.run.study.posterior.family))};
    parts << differencesOf(entryAt(index)).lines;
    if (index.data(displayed_role).toBool())
        parts << tr("displayed");
    if (entry.checked)
        parts << tr("ticked");
    parts << tr("Data: %1").arg(m_headings.value(groupOf(index)));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(". "));
}

QVariant RunListModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    switch (role) {
    case heading_role:
        return index.row() == 0 || groupOf(index) != groupOf(this->index(index.row() - 1, 0))
                   ? m_headings.value(groupOf(index))
                   : QString();
    case score_role: return m_context.runs.data(mapToSource(index).siblingAtColumn(SavedRuns::score), Qt::DisplayRole);
    case chips_role: return differencesOf(entryAt(index)).chips;
    case displayed_role: return !m_displayed.isEmpty() && entryAt(index)->file == m_displayed;
    case Qt::ToolTipRole: return tip(*entryAt(index), differencesOf(entryAt(index)));
    case Qt::AccessibleTextRole: return spoken(index);
    default: return QSortFilterProxyModel::data(index, role);
    }
}
