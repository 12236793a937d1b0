// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/saved_runs.h"

#include "session/checkpoint_slot.h"
#include "session/settings.h"
#include "work/text.h"

#include "foundation/error.h"
#include "runs/archive.h"
#include "study/fields.h"
#include "study/names.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>

using namespace credence;

namespace {

/// Is the file in the program's own folder? Compares whole path components.
bool isOwnFile(const QString& file)
{
    static const QString folder = runsFolder() + QLatin1Char('/');
    return file.startsWith(folder) && file.indexOf(QLatin1Char('/'), folder.size()) < 0;
}

QString stateFolder(const SavedRunEntry& entry) { return runsInProgressFolder() + QLatin1Char('/') + entry.place(); }

/// Restores a file from the trash and removes the desktop's record of its origin.
bool takeFromTrash(const QString& inTrash, const QString& file)
{
    if (inTrash.isEmpty() || QFileInfo::exists(file) || !QDir().rename(inTrash, file))
        return false;
    const QFileInfo was(inTrash);
    QFile::remove(was.dir().filePath(QStringLiteral("../info/%1.trashinfo").arg(was.fileName())));
    return true;
}

/// If there is no trash, Qt creates one in the current folder and reports success; this is
/// reverted.
bool moveToTrash(const QString& file, QString& inTrash)
{
    if (!QFile::moveToTrash(file, &inTrash))
        return false;
    if (QFileInfo(inTrash).isAbsolute())
        return true;
    takeFromTrash(inTrash, file);
    for (const auto* const made : {"files", "info"})
        QDir().rmdir(QString::fromLatin1(made));   // only if it is empty
    inTrash.clear();
    return false;
}

bool isNumericRunColumn(int column)
{
    return column == SavedRuns::score || column == SavedRuns::steps || column == SavedRuns::time
           || column == SavedRuns::size;
}

constexpr std::size_t mostWhole = 3;   ///< runs in memory with all recorded steps: up to 128 MB each

}   // namespace

QString wallTimeText(double seconds)
{
    constexpr double minute = 60;
    return seconds < minute ? SavedRuns::tr("%1 s").arg(seconds, 0, 'f', seconds < 10 ? 2 : 1) : durationText(seconds);
}

SavedRuns::SavedRuns(QObject* parent, double patience) : QAbstractTableModel(parent), m_writer(patience)
{
    connect(&m_files, &Worker::failed, this, [this](const QString&, const QString& sentence) {
        m_writer.ended();
        Q_EMIT message(sentence);
    });
    connect(&m_writer, &RunWriter::message, this, &SavedRuns::message);
    connect(&m_writer, &RunWriter::written, this, [this](const std::shared_ptr<SavedRunEntry>& entry) {
        if (const int row = rowOf(*entry); row >= 0)
            Q_EMIT dataChanged(index(row, size), index(row, size));
    });
}

SavedRuns::~SavedRuns() = default;

void SavedRuns::load()
{
    m_lister.submit([this, folder = pathOf(runsFolder()), index = pathOf(runsIndexFile())](
                        std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
        ListingEvents events;
        events.stop  = stop;
        events.found = [&](std::vector<ListedRun> runs) {
            std::vector<std::shared_ptr<SavedRunEntry>> entries;
            for (const auto& run : runs) {
                auto entry         = std::make_shared<SavedRunEntry>(run.summary, toQString(run.file.string()));
                entry->bytes       = static_cast<qint64>(run.bytes);
                entry->canContinue = run.summary.report.stop == StopReason::cancelled
                                     && CheckpointSlot::hasState(entry->place());
                if (entry->canContinue)
                    entry->bytes = entry->bytesOnDisk();
                entries.push_back(std::move(entry));
            }
            progress.show([this, entries = std::move(entries)] { append(entries); });
        };
        events.unreadable = [&](const std::string& sentence) {
            progress.show([this, words = toQString(sentence)] { Q_EMIT message(words); });
        };
        list_runs(folder, index, events);
        return [this] { Q_EMIT loaded(); };
    });
}

void SavedRuns::prepend(std::shared_ptr<SavedRunEntry> entry)
{
    m_byHand << entry->file << QFileInfo(entry->file).canonicalFilePath();
    beginInsertRows({}, 0, 0);
    m_entries.insert(m_entries.begin(), std::move(entry));
    endInsertRows();
}

/// Skips runs added in the meantime.
void SavedRuns::append(std::vector<std::shared_ptr<SavedRunEntry>> entries)
{
    std::erase_if(entries, [&](const auto& entry) { return m_byHand.contains(entry->file); });
    if (entries.empty())
        return;
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(entries.size()) - 1);
    m_entries.insert(m_entries.end(), entries.begin(), entries.end());
    endInsertRows();
}

int SavedRuns::add(std::shared_ptr<const Experiment> experiment, const SavedRun& run, const QString& place)
{
    const int before   = rowOfPlace(place);
    const QString file = QStringLiteral("%1/%2.credence")
                             .arg(runsFolder(), place.isEmpty() ? CheckpointSlot::newName() : place);
    auto entry    = std::make_shared<SavedRunEntry>(run, std::move(experiment), file);
    const int row = std::max(0, before);
    if (before >= 0) {   // with the name given by the user
        const auto& old                          = *at(before);
        entry->run.name                          = old.run.name;
        entry->run.study.note                    = old.run.study.note;
        entry->checked                           = old.checked;
        m_entries[static_cast<std::size_t>(row)] = entry;
        Q_EMIT dataChanged(index(row, 0), index(row, columns - 1));
        if (entry->checked)
            Q_EMIT checksChanged();
    } else {
        prepend(entry);
    }
    store(entry);
    used(entry);
    return row;
}

void SavedRuns::stateKept(const QString& place)
{
    const int row = rowOfPlace(place);
    if (row < 0)
        return;
    at(row)->canContinue = true;
    Q_EMIT dataChanged(index(row, 0), index(row, columns - 1));
    m_files.submit([this, entry = at(row)](std::stop_token, Worker::Progress&) -> Worker::Show {
        return [this, entry, bytes = entry->bytesOnDisk()] {
            entry->bytes = bytes;
            Q_EMIT m_writer.written(entry);
        };
    });
}

void SavedRuns::stateGone(const QString& place)
{
    const int row = rowOfPlace(place);
    if (row < 0)
        return;
    at(row)->canContinue = false;
    Q_EMIT dataChanged(index(row, 0), index(row, columns - 1));
    Q_EMIT stateMoved(place, false);
}

int SavedRuns::rowOfPlace(const QString& place) const
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&](const auto& entry) {
        return !place.isEmpty() && entry->place() == place && isOwnFile(entry->file);
    });
    return found == m_entries.end() ? -1 : static_cast<int>(found - m_entries.begin());
}

int SavedRuns::rowOfFile(const QString& file) const
{
    const QFileInfo info(file);
    const QString whole = info.canonicalFilePath();
    const bool own      = QFileInfo(info.path()).canonicalFilePath() == QFileInfo(runsFolder()).canonicalFilePath();
    for (int row = 0; !whole.isEmpty() && row < rowCount(); ++row)
        if (const QString& other = at(row)->file; isOwnFile(other)
                                                      ? own && other.endsWith(QLatin1Char('/') + info.fileName())
                                                      : QFileInfo(other).canonicalFilePath() == whole)
            return row;
    return -1;
}

int SavedRuns::rowOf(const SavedRunEntry& entry) const
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const auto& one) { return one.get() == &entry; });
    return found == m_entries.end() ? -1 : static_cast<int>(found - m_entries.begin());
}

int SavedRuns::addLoaded(SavedRun run, const QString& file)
{
    if (const int row = rowOfFile(file); row >= 0)
        return row;
    auto entry = std::make_shared<SavedRunEntry>(std::move(run), nullptr, file);
    entry->setStored();
    prepend(entry);
    used(entry);
    return 0;
}

int SavedRuns::addOutputs(std::shared_ptr<SavedRunEntry> entry)
{
    used(entry);
    const int row = rowOfFile(entry->file);
    if (row < 0) {
        prepend(std::move(entry));
        return 0;
    }
    entry->checked                           = at(row)->checked;
    entry->run.name                          = at(row)->run.name;   // the user may have edited it
    m_entries[static_cast<std::size_t>(row)] = std::move(entry);
    Q_EMIT dataChanged(index(row, name), index(row, columns - 1));
    if (at(row)->checked)
        Q_EMIT checksChanged();
    return row;
}

void SavedRuns::setScore(const std::shared_ptr<SavedRunEntry>& entry, const FinalScore& found)
{
    entry->run.score = found;
    if (const int row = rowOf(*entry); row >= 0)
        Q_EMIT dataChanged(index(row, score), index(row, score));
    if (isOwnFile(entry->file))
        m_files.submit([entry, found](std::stop_token, Worker::Progress&) -> Worker::Show {
            if (QFileInfo::exists(entry->file))
                add_score(pathOf(entry->file), found);
            return {};
        });
}

void SavedRuns::used(const std::shared_ptr<SavedRunEntry>& entry)
{
    std::erase_if(m_used, [&](const auto& one) { return one.expired() || one.lock() == entry; });
    m_used.insert(m_used.begin(), entry);
    for (std::size_t i = mostWhole; i < m_used.size(); ++i)
        if (const auto old = m_used[i].lock())   // the file thread may have been its last owner
            old->unload();
}

void SavedRuns::store(const std::shared_ptr<SavedRunEntry>& entry)
{
    if (!entry->ofOutputs())
        m_files.submit(m_writer.work(entry));
}

void SavedRuns::removeRun(int row)
{
    if (row < 0)
        return;
    const auto entry = at(row);
    beginRemoveRows({}, row, row);
    m_entries.erase(m_entries.begin() + row);
    endRemoveRows();
    if (entry->checked)
        Q_EMIT checksChanged();
    if (!isOwnFile(entry->file))
        return;
    Q_EMIT stateMoved(entry->place(), false);
    m_files.submit([this, entry, row](std::stop_token, Worker::Progress&) -> Worker::Show {
        entry->setStored(false);   // stays in memory, since the trash may be emptied before an undo
        if (!QFileInfo::exists(entry->file) || moveToTrash(entry->file, entry->inTrash)) {
            if (CheckpointSlot::hasState(entry->place()))
                moveToTrash(stateFolder(*entry), entry->stateInTrash);
            return {};
        }
        return [this, entry, row] {
            entry->setStored();
            putBack(entry, row);
            Q_EMIT trashRefused(entry, tr("The run %1 was not deleted: its file %2 cannot be moved to the trash.")
                                           .arg(toQString(entry->run.name), entry->file));
        };
    });
}

void SavedRuns::putBack(const std::shared_ptr<SavedRunEntry>& entry, int row)
{
    if (rowOf(*entry) >= 0)
        return;
    row = std::clamp(row, 0, rowCount());
    beginInsertRows({}, row, row);
    m_entries.insert(m_entries.begin() + row, entry);
    endInsertRows();
    if (entry->checked)
        Q_EMIT checksChanged();
    if (!isOwnFile(entry->file))
        return;
    m_files.submit(
        [this, entry, write = m_writer.work(entry)](std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
            takeFromTrash(std::exchange(entry->stateInTrash, {}), stateFolder(*entry));
            Worker::Show stored = [entry] { entry->setStored(); };
            if (!takeFromTrash(std::exchange(entry->inTrash, {}), entry->file) && !QFileInfo::exists(entry->file))
                stored = write(std::move(stop), progress);   // the trash was emptied in the meantime
            return [this, entry, stored, kept = CheckpointSlot::hasState(entry->place())] {
                if (stored)
                    stored();
                if (entry->canContinue && !kept)
                    stateGone(entry->place());
                else if (entry->canContinue)
                    Q_EMIT stateMoved(entry->place(), true);
            };
        });
}

void SavedRuns::removeForGood(const SavedRunEntry& entry)
{
    const int row = rowOf(entry);
    if (row < 0)
        return;
    if (isOwnFile(entry.file))
        m_files.submit(
            [file = entry.file, state = stateFolder(entry)](std::stop_token, Worker::Progress&) -> Worker::Show {
                QFile::remove(file);
                QDir(state).removeRecursively();
                return {};
            });
    const bool checked  = entry.checked;
    const QString place = entry.place();
    beginRemoveRows({}, row, row);
    m_entries.erase(m_entries.begin() + row);
    endRemoveRows();
    if (checked)
        Q_EMIT checksChanged();
    Q_EMIT stateMoved(place, false);
}

void SavedRuns::setReference(const Study& study)
{
    m_reference = study;
    if (!m_entries.empty())
        Q_EMIT dataChanged(index(0, differs), index(rowCount() - 1, differs));
}

std::vector<std::shared_ptr<SavedRunEntry>> SavedRuns::checked() const
{
    std::vector<std::shared_ptr<SavedRunEntry>> chosen;
    for (const auto& entry : m_entries)
        if (entry->checked)
            chosen.push_back(entry);
    return chosen;
}

void SavedRuns::checkOnly(const std::vector<std::shared_ptr<SavedRunEntry>>& entries)
{
    bool changed = false;
    for (const auto& entry : m_entries) {
        const bool wanted = std::find(entries.begin(), entries.end(), entry) != entries.end();
        changed           = changed || wanted != entry->checked;
        entry->checked    = wanted;
    }
    if (!changed)
        return;
    Q_EMIT dataChanged(index(0, name), index(rowCount() - 1, name));
    Q_EMIT checksChanged();
}

int SavedRuns::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}
int SavedRuns::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(columns); }

QString SavedRuns::text(const SavedRunEntry& entry, int column) const
{
    const SavedRun& run = entry.run;
    switch (column) {
    case name: return toQString(run.name);
    case family: return entry.ofOutputs() ? tr("imported") : toQString(family_title(run.study.posterior.family));
    case score: {
        if (run.report.stop == StopReason::not_finite)
            return tr("NaN");
        if (!run.score)
            return {};
        return toQString(score_text(*run.score));
    }
    case steps: return entry.ofOutputs() ? QString() : toQString(run.report.steps);
    case time: return run.started.empty() ? QString() : wallTimeText(run.report.seconds);
    case size:
        return entry.bytes > 0 ? QLocale::c().formattedDataSize(entry.bytes, 1, QLocale::DataSizeSIFormat) : QString();
    case differs: {
        if (entry.ofOutputs())
            return toQString(run.report.message);
        QStringList lines;
        for (const auto& line : differences(m_reference, run.study))
            lines += toQString(line);
        return lines.join(QStringLiteral("; "));
    }
    case note: return toQString(run.study.note);
    default: return {};
    }
}

QVariant SavedRuns::sortValue(const SavedRunEntry& entry, int column) const
{
    const SavedRun& run = entry.run;
    switch (column) {
    case score: return run.score ? QVariant(run.score->value) : QVariant();
    case steps: return QVariant(static_cast<qlonglong>(run.report.steps));
    case time: return QVariant(run.report.seconds);
    case size: return QVariant(entry.bytes);
    default: return text(entry, column);
    }
}

QVariant SavedRuns::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())   // Ctrl+C without a selected run
        return {};
    const auto& entry = *at(index.row());
    if (role == Qt::DisplayRole || role == Qt::EditRole)
        return text(entry, index.column());
    if (role == sort_role)
        return sortValue(entry, index.column());
    if (role == search_role)
        return QStringList{text(entry, name), text(entry, family), text(entry, note), toQString(entry.run.study.name)}
            .join(QLatin1Char('\n'));
    if (role == Qt::ToolTipRole) {
        const QString words = index.column() == name ? toQString(entry.run.report.message)
                                                     : text(entry, index.column());
        return words.isEmpty() ? QVariant{} : QStringLiteral("<p>%1</p>").arg(words.toHtmlEscaped());
    }
    if (role == Qt::CheckStateRole && index.column() == name)
        return entry.checked ? Qt::Checked : Qt::Unchecked;
    if (role == Qt::TextAlignmentRole && isNumericRunColumn(index.column()))
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

bool SavedRuns::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid())
        return false;
    auto& entry = *at(index.row());
    if (role == Qt::CheckStateRole && index.column() == name) {
        entry.checked = value.toInt() == Qt::Checked;
        Q_EMIT dataChanged(index, index);
        Q_EMIT checksChanged();
        return true;
    }
    if (role != Qt::EditRole || value.toString().trimmed().isEmpty())
        return false;
    (index.column() == name ? entry.run.name : entry.run.study.note) = value.toString().trimmed().toStdString();
    store(at(index.row()));
    Q_EMIT dataChanged(index, index);
    return true;
}

QVariant SavedRuns::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::ToolTipRole && section == score)
        return tr(
            "Classification: accuracy. Numeric target: root mean square error in units of the target. The value is "
            "the same as in the view Scores for the last step of the run.");
    if (role == Qt::TextAlignmentRole)
        return QVariant((isNumericRunColumn(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case name: return tr("Run");
    case family: return tr("Family");
    case score: return tr("Score");
    case steps: return tr("Steps");
    case time: return tr("Time");
    case size: return tr("Size");
    case differs: return tr("Other settings");
    case note: return tr("Note");
    default: return {};
    }
}

Qt::ItemFlags SavedRuns::flags(const QModelIndex& index) const
{
    auto flags = QAbstractTableModel::flags(index);
    if (index.column() == name)
        flags |= Qt::ItemIsUserCheckable | Qt::ItemIsEditable;
    if (index.column() == note)
        flags |= Qt::ItemIsEditable;
    return flags;
}
