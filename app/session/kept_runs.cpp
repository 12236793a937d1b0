// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/kept_runs.h"

#include "session/settings.h"
#include "work/text.h"

#include "foundation/error.h"
#include "study/fields.h"
#include "study/names.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

using namespace credence;

namespace {

/// One of the program's own files? A folder whose name begins like the one of the runs is another folder.
bool isOwnFile(const QString& file)
{
    return !file.isEmpty() && QFileInfo(file).absolutePath() == QDir(runsFolder()).absolutePath();
}

/// Out of the trash again, with the note that the desktop keeps of where it came from.
bool takeFromTrash(const QString& inTrash, const QString& file)
{
    if (inTrash.isEmpty() || QFileInfo::exists(file) || !QFile::rename(inTrash, file))
        return false;
    const QFileInfo was(inTrash);
    QFile::remove(was.dir().filePath(QStringLiteral("../info/%1.trashinfo").arg(was.fileName())));
    return true;
}

/// Where Qt finds no trash at all it makes one in the current folder and says that all went well: that is taken back.
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

constexpr std::size_t mostWhole = 3;   ///< runs in memory with all recorded steps: up to 128 MB each

}   // namespace

KeptRuns::KeptRuns(QObject* parent, double patience) : QAbstractTableModel(parent), m_writer(patience)
{
    connect(&m_files, &Worker::failed, this, [this](const QString&, const QString& sentence) {
        m_writer.ended();
        Q_EMIT message(sentence);
    });
    connect(&m_writer, &RunWriter::message, this, &KeptRuns::message);
}

KeptRuns::~KeptRuns() = default;

void KeptRuns::load()
{
    m_files.submit([this, limit = read(settings::runsAtStart)](std::stop_token stop, Worker::Progress& progress)
                       -> Worker::Show {   // settings: GUI thread only
        const QDir folder(runsFolder());
        auto files = folder.entryList({"*.credence"}, QDir::Files,
                                      QDir::Name | QDir::Reversed);   // names begin with the time of the start
        for (const auto& name : files.mid(0, limit)) {
            if (stop.stop_requested())
                break;
            const QString file = folder.filePath(name);
            try {
                const auto summary = load_run_summary(pathOf(file));
                const auto task    = stated_task(summary.study.data);
                auto entry         = std::make_shared<KeptRunEntry>(
                    summary, task ? *task : taskOf(load_run(pathOf(file)), nullptr), file);
                progress.show([this, entry] { prepend(entry, true); });
            } catch (const std::exception& error) {
                progress.show([this, words = toQString(error.what())] { Q_EMIT message(words); });
            }
        }
        return {};
    });
}

void KeptRuns::prepend(std::shared_ptr<KeptRunEntry> entry, bool atEnd)
{
    if (atEnd && rowOfFile(entry->file) >= 0)
        return;   // opened by hand meanwhile
    const int row = atEnd ? rowCount() : 0;
    beginInsertRows({}, row, row);
    m_entries.insert(m_entries.begin() + row, std::move(entry));
    endInsertRows();
}

void KeptRuns::add(std::shared_ptr<const Experiment> experiment, const KeptRun& run)
{
    QString stamp = toQString(run.started).remove(':').remove('-');
    auto entry    = std::make_shared<KeptRunEntry>(run, std::move(experiment),
                                                QStringLiteral("%1/%2-%3-%4.credence")
                                                    .arg(runsFolder(), stamp)
                                                    .arg(QCoreApplication::applicationPid())
                                                    .arg(++m_number, 3, 10, QLatin1Char('0')));
    prepend(entry, false);
    store(entry);
    used(entry);
}

int KeptRuns::rowOfFile(const QString& file) const
{
    const QString whole = QFileInfo(file).canonicalFilePath();
    for (int row = 0; !whole.isEmpty() && row < rowCount(); ++row)
        if (QFileInfo(at(row)->file).canonicalFilePath() == whole)
            return row;
    return -1;
}

int KeptRuns::rowOf(const KeptRunEntry& entry) const
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const auto& one) { return one.get() == &entry; });
    return found == m_entries.end() ? -1 : static_cast<int>(found - m_entries.begin());
}

int KeptRuns::addLoaded(KeptRun run, const QString& file)
{
    if (const int row = rowOfFile(file); row >= 0)
        return row;
    auto entry = std::make_shared<KeptRunEntry>(std::move(run), nullptr, file);
    entry->setStored();
    prepend(entry, false);
    used(entry);
    return 0;
}

int KeptRuns::addOutputs(std::shared_ptr<KeptRunEntry> entry)
{
    used(entry);
    const int row = rowOfFile(entry->file);
    if (row < 0) {
        prepend(std::move(entry), false);
        return 0;
    }
    entry->checked                           = at(row)->checked;
    entry->run.name                          = at(row)->run.name;   // the user may have changed it
    m_entries[static_cast<std::size_t>(row)] = std::move(entry);
    Q_EMIT dataChanged(index(row, name), index(row, columns - 1));
    if (at(row)->checked)
        Q_EMIT checksChanged();
    return row;
}

void KeptRuns::used(const std::shared_ptr<KeptRunEntry>& entry)
{
    std::erase_if(m_used, [&](const auto& one) { return one.expired() || one.lock() == entry; });
    m_used.insert(m_used.begin(), entry);
    for (std::size_t i = mostWhole; i < m_used.size(); ++i)
        if (const auto old = m_used[i].lock())   // the thread of the files may have been its last owner
            old->letGo();
}

void KeptRuns::store(const std::shared_ptr<KeptRunEntry>& entry)
{
    if (!entry->ofOutputs())
        m_files.submit(m_writer.work(entry));
}

void KeptRuns::removeRun(int row)
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
    m_files.submit([this, entry, row](std::stop_token, Worker::Progress&) -> Worker::Show {
        entry->setStored(false);   // what is in memory stays there: the trash may be emptied before undo
        if (!QFileInfo::exists(entry->file) || moveToTrash(entry->file, entry->inTrash))
            return {};
        return [this, entry, row] {
            entry->setStored();
            putBack(entry, row);
            Q_EMIT trashRefused(entry, tr("The run %1 stays: its file %2 cannot be moved to the trash.")
                                           .arg(toQString(entry->run.name), entry->file));
        };
    });
}

void KeptRuns::putBack(const std::shared_ptr<KeptRunEntry>& entry, int row)
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
        [entry, write = m_writer.work(entry)](std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
            if (!takeFromTrash(std::exchange(entry->inTrash, {}), entry->file) && !QFileInfo::exists(entry->file))
                return write(std::move(stop), progress);   // the trash was emptied meanwhile
            return [entry] { entry->setStored(); };
        });
}

void KeptRuns::removeForGood(const KeptRunEntry& entry)
{
    const int row = rowOf(entry);
    if (row < 0)
        return;
    if (isOwnFile(entry.file))
        m_files.submit([file = entry.file](std::stop_token, Worker::Progress&) -> Worker::Show {
            QFile::remove(file);
            return {};
        });
    const bool checked = entry.checked;
    beginRemoveRows({}, row, row);
    m_entries.erase(m_entries.begin() + row);
    endRemoveRows();
    if (checked)
        Q_EMIT checksChanged();
}

void KeptRuns::setReference(const Study& study)
{
    m_reference = study;
    if (!m_entries.empty())
        Q_EMIT dataChanged(index(0, differs), index(rowCount() - 1, differs));
}

std::vector<std::shared_ptr<KeptRunEntry>> KeptRuns::checked() const
{
    std::vector<std::shared_ptr<KeptRunEntry>> chosen;
    for (const auto& entry : m_entries)
        if (entry->checked)
            chosen.push_back(entry);
    return chosen;
}

void KeptRuns::checkOnly(const std::vector<std::shared_ptr<KeptRunEntry>>& entries)
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

int KeptRuns::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}
int KeptRuns::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(columns); }

QString KeptRuns::text(const KeptRunEntry& entry, int column) const
{
    const KeptRun& run = entry.run;
    switch (column) {
    case name: return toQString(run.name);
    case family: return entry.ofOutputs() ? tr("from elsewhere") : toQString(family_title(run.study.posterior.family));
    case score: {
        if (run.report.stop == StopReason::not_finite)
            return tr("NaN");
        for (auto point = run.history.rbegin(); point != run.history.rend(); ++point) {
            const auto error = point->test_error ? point->test_error : point->training_error;
            if (!error)
                continue;
            return entry.task() == Task::regression ? tr("RMSE %1").arg(*error, 0, 'g', 3)
                                                    : tr("%1 %").arg(100 * (1 - *error), 0, 'f', 1);
        }
        return {};
    }
    case steps: return entry.ofOutputs() ? QString() : toQString(run.report.steps);
    case time:
        return run.started.empty() ? QString()
                                   : tr("%1 s").arg(run.report.seconds, 0, 'f', run.report.seconds < 10 ? 2 : 1);
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

QVariant KeptRuns::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())   // Ctrl+C where no run is chosen
        return {};
    const auto& entry = *at(index.row());
    if (role == Qt::DisplayRole || role == Qt::EditRole)
        return text(entry, index.column());
    if (role == Qt::ToolTipRole) {
        const QString words = index.column() == name ? toQString(entry.run.report.message)
                                                     : text(entry, index.column());
        return words.isEmpty() ? QVariant{} : QStringLiteral("<p>%1</p>").arg(words.toHtmlEscaped());
    }
    if (role == Qt::CheckStateRole && index.column() == name)
        return entry.checked ? Qt::Checked : Qt::Unchecked;
    if (role == Qt::TextAlignmentRole && (index.column() == steps || index.column() == time || index.column() == score))
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

bool KeptRuns::setData(const QModelIndex& index, const QVariant& value, int role)
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

QVariant KeptRuns::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::ToolTipRole && section == score)
        return tr(
            "Classes: share of right answers on the test set. A number to predict: root mean square error, in units of the target. Measured while the net was trained: by fewer draws than in the view Scores, and of many images on a part, so that the two may differ a little.");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case name: return tr("Run");
    case family: return tr("Family");
    case score: return tr("Score");
    case steps: return tr("Steps");
    case time: return tr("Time");
    case differs: return tr("Other settings");
    case note: return tr("Note");
    default: return {};
    }
}

Qt::ItemFlags KeptRuns::flags(const QModelIndex& index) const
{
    auto flags = QAbstractTableModel::flags(index);
    if (index.column() == name)
        flags |= Qt::ItemIsUserCheckable | Qt::ItemIsEditable;
    if (index.column() == note)
        flags |= Qt::ItemIsEditable;
    return flags;
}
