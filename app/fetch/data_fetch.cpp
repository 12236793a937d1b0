// SPDX-License-Identifier: GPL-3.0-or-later
#include "fetch/data_fetch.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "sources/catalogue_files.h"
#include "sources/image_sources.h"
#include "work/text.h"
#include "work/worker.h"

#include <QCryptographicHash>
#include <QEventLoop>
#include <QNetworkAccessManager>
#include <QNetworkProxyFactory>
#include <QNetworkReply>
#include <QThread>

std::string sha256Of(credence::ByteSource& source, const std::shared_ptr<const std::atomic<bool>>& stop)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    std::vector<std::uint8_t> piece(1 << 16);
    source.rewind();
    for (std::size_t got = piece.size(); got == piece.size();) {
        if (stop && *stop)
            throw credence::Error("Cancelled.");
        got = source.read(piece);
        hash.addData(QByteArrayView(piece.data(), static_cast<qsizetype>(got)));
    }
    return hash.result().toHex().toStdString();
}

std::string sha256Of(credence::ByteSource& source) { return sha256Of(source, nullptr); }

using namespace credence;

namespace {

namespace fs = std::filesystem;

QString filesText(int n) { return n == 1 ? DataFetch::tr("1 file") : DataFetch::tr("%1 files").arg(n); }

/// Existing files before the download starts.
struct Known {
    std::optional<fs::path> complete;   ///< a folder with all files
    std::vector<std::size_t> missing;   ///< numbers of the files missing in the download folder
};

Known lookAround(const CatalogueEntry& entry, const FetchOptions& options,
                 const std::shared_ptr<std::atomic<bool>>& stop)
{
    const Sha256 hash = [stop](ByteSource& source) { return sha256Of(source, stop); };
    for (const auto& folder : options.lookFirst)
        if (folder != options.folder && looks_complete(entry, folder) && mistake_in_folder(entry, folder, hash).empty())
            return {folder, {}};
    Known known;
    for (std::size_t i = 0; i < entry.files.size(); ++i)
        if (!mistake_in_folder(entry.files[i], options.folder, hash).empty())
            known.missing.push_back(i);
    if (known.missing.empty()) {
        known.complete = options.folder;
        remove_leftovers(options.folder);   // left by a download that was killed after its last file had arrived
    }
    return known;
}

/// Limits the size of a download, so that a faulty mirror cannot fill the disk.
std::uint64_t mostBytes(const CatalogueFile& file)
{
    return file.bytes > 0 ? 2 * file.bytes + (1 << 20) : std::uint64_t{4} << 30;
}

constexpr qint64 paceWindow = 4000, reportPeriod = 100;   // milliseconds

}   // namespace

DataFetch::DataFetch(CatalogueEntry entry, FetchOptions options, QObject* parent)
    : QObject(parent), m_entry(std::move(entry)), m_options(std::move(options)),
      m_network(new QNetworkAccessManager(this))
{
    QNetworkProxyFactory::setUseSystemConfiguration(true);
    m_silence.setSingleShot(true);
    m_silence.setInterval(m_options.silence);
    connect(&m_silence, &QTimer::timeout, this,
            [this] { giveUpMirror(tr("sent nothing for %1 s").arg(m_options.silence / 1000.0)); });
    m_report.folder = m_options.folder;
}

DataFetch::~DataFetch()
{
    *m_stop = true;
    dropReply();
    m_part.close();
    removeFolders();
}

void DataFetch::start()
{
    m_clock.start();
    reportProgress(true);
    inBackground(
        this, [entry = m_entry, options = m_options, stop = m_stop] { return lookAround(entry, options, stop); },
        [this](std::optional<Known> known, const QString& mistake) {
        if (m_ended)
            return;
        if (*m_stop) {
            end(FetchReport::End::cancelled, tr("Cancelled."));
        } else if (!known) {
            end(FetchReport::End::failed, mistake);
        } else if (known->complete) {
            m_report.folder = *known->complete;
            end(FetchReport::End::wasThere, tr("%1 is installed in %2: all files have the correct SHA-256.")
                                                .arg(toQString(m_entry.title), toQString(known->complete->string())));
        } else {
            for (const std::size_t i : known->missing) {
                m_missing.push_back(&m_entry.files[i]);
                m_progress.total += m_entry.files[i].bytes;
            }
            m_progress.files = static_cast<int>(m_missing.size());
            learn();
        }
        });
}

/// Creates the folder of the set and removes leftovers of a killed download.
void DataFetch::learn()
{
    std::error_code error;
    m_madeFolder = !fs::exists(m_options.folder, error);
    fs::create_directories(m_options.folder, error);
    m_partFolder = begin_replacement(m_options.folder / "download");
    if (!error)
        fs::create_directories(m_partFolder, error);
    if (error)
        end(FetchReport::End::failed, tr("%1: the folder cannot be created (%2).")
                                          .arg(toQString(m_options.folder.string()), toQString(error.message())));
    else
        nextFile();
}

void DataFetch::nextFile()
{
    if (m_file == m_missing.size()) {
        end(FetchReport::End::fetched, tr("%1 is installed in %2: %3 fetched (%4), all files have the correct SHA-256.")
                                           .arg(toQString(m_entry.title), toQString(m_options.folder.string()),
                                                filesText(m_report.files), toQString(bytesText(m_report.bytes))));
        return;
    }
    m_mirror = 0;
    m_reasons.clear();
    m_progress.file   = m_missing[m_file]->name;
    m_progress.number = static_cast<int>(m_file) + 1;
    nextMirror();
}

void DataFetch::nextMirror()
{
    const CatalogueFile& file = *m_missing[m_file];
    if (m_mirror == m_entry.mirrors.size()) {
        end(FetchReport::End::failed,
            tr("%1 of %2 could not be fetched: %3.")
                .arg(toQString(file.name), toQString(m_entry.title), m_reasons.join(QStringLiteral("; "))));
        return;
    }
    m_bytesOfFile = 0;
    m_pace.clear();
    m_progress.phase = FetchProgress::Phase::downloading;
    m_part.setFileName(toQString((m_partFolder / file.name).string()));
    if (!m_part.open(QIODevice::WriteOnly | QIODevice::Truncate)) {
        end(FetchReport::End::failed, tr("%1: nothing can be written there (%2).")
                                          .arg(toQString(m_options.folder.string()), m_part.errorString()));
        return;
    }
    QNetworkRequest request(QUrl(toQString(m_entry.mirrors[m_mirror] + file.name)));
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::NoLessSafeRedirectPolicy);
    request.setHeader(QNetworkRequest::UserAgentHeader, QStringLiteral("Credence"));
    request.setRawHeader("Accept-Encoding", "identity");   // the file as downloaded: a .gz is not unpacked
    m_reply = m_network->get(request);
    m_reply->setReadBufferSize(1 << 20);
    connect(m_reply, &QNetworkReply::readyRead, this, &DataFetch::readBytes);
    connect(m_reply, &QNetworkReply::finished, this, &DataFetch::replyEnded);
    m_silence.start();
    reportProgress(true);
}

void DataFetch::readBytes()
{
    m_silence.start();
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status >= 300)   // the body is an error page or a redirection
        return;
    const QByteArray bytes = m_reply->readAll();
    if (m_part.write(bytes) != bytes.size()) {
        end(FetchReport::End::failed, tr("%1: nothing can be written there (%2).")
                                          .arg(toQString(m_options.folder.string()), m_part.errorString()));
        return;
    }
    m_bytesOfFile += static_cast<std::uint64_t>(bytes.size());
    if (m_bytesOfFile > mostBytes(*m_missing[m_file])) {
        giveUpMirror(tr("sent more than %1, expected %2")
                         .arg(toQString(bytesText(mostBytes(*m_missing[m_file]))),
                              toQString(bytesText(m_missing[m_file]->bytes))));
        return;
    }
    countBytes();
    reportProgress(false);
}

void DataFetch::replyEnded()
{
    const auto* const reply = m_reply;
    const int status        = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const auto error        = m_reply->error();
    const auto expected     = m_reply->header(QNetworkRequest::ContentLengthHeader);
    if (error == QNetworkReply::NoError || error == QNetworkReply::RemoteHostClosedError)
        readBytes();
    if (m_reply != reply)   // aborted during this call
        return;
    if (status >= 400)
        giveUpMirror(tr("replied %1 (%2)")
                         .arg(status)
                         .arg(m_reply->attribute(QNetworkRequest::HttpReasonPhraseAttribute).toString()));
    else if (expected.isValid() && m_bytesOfFile < expected.toULongLong() && status == 200)
        giveUpMirror(tr("ended the connection after %1 of %2 bytes").arg(m_bytesOfFile).arg(expected.toULongLong()));
    else if (error != QNetworkReply::NoError)
        giveUpMirror(tr("cannot be read (%1)").arg(m_reply->errorString()));
    else
        check();
}

void DataFetch::check()
{
    dropReply();
    const bool written = m_part.flush();
    m_part.close();
    if (!written) {
        end(FetchReport::End::failed, tr("%1: nothing can be written there (%2).")
                                          .arg(toQString(m_options.folder.string()), m_part.errorString()));
        return;
    }
    m_progress.phase = FetchProgress::Phase::checking;
    reportProgress(true);
    inBackground(
        this,
        [place = m_partFolder, file = *m_missing[m_file], folder = m_options.folder, stop = m_stop] {
        const Sha256 hash   = [stop](ByteSource& source) { return sha256Of(source, stop); };
        const auto part     = place / file.name;
        std::string mistake = mistake_in_download(file, part, hash);
        if (mistake.empty() && !*stop)
            keep_download(file, part, folder, hash);
        std::error_code ignored;
        fs::remove(part, ignored);
        return mistake;
        },
        [this](const std::optional<std::string>& mistake, const QString& failure) {
        if (m_ended)
            return;
        if (*m_stop) {
            end(FetchReport::End::cancelled, tr("Cancelled."));
        } else if (!mistake) {
            end(FetchReport::End::failed, failure);
        } else if (!mistake->empty()) {
            giveUpMirror(tr("sent unexpected data (%1)").arg(toQString(*mistake).chopped(1)));
        } else {
            m_bytesBefore += std::max(m_bytesOfFile, m_missing[m_file]->bytes);
            m_report.bytes += m_bytesOfFile;
            ++m_report.files;
            ++m_file;
            nextFile();
        }
    });
}

void DataFetch::giveUpMirror(const QString& why)
{
    dropReply();
    m_part.close();
    const QString reason = QUrl(toQString(m_entry.mirrors[m_mirror])).host() + ' ' + why;
    m_reasons += reason;
    ++m_mirror;
    if (m_mirror < m_entry.mirrors.size())
        Q_EMIT mirrorFailed(tr("%1: %2; trying the next mirror.").arg(toQString(m_missing[m_file]->name), reason));
    nextMirror();
}

void DataFetch::dropReply()
{
    m_silence.stop();
    if (auto* reply = std::exchange(m_reply, nullptr)) {
        reply->disconnect(this);
        reply->abort();
        reply->deleteLater();
    }
}

void DataFetch::cancel()
{
    *m_stop = true;
    if (!m_ended && m_reply)   // otherwise the background work ends soon and reports it
        end(FetchReport::End::cancelled, tr("Cancelled."));
}

void DataFetch::end(FetchReport::End end, const QString& message)
{
    dropReply();
    m_part.close();
    m_ended = true;
    removeFolders();
    m_report.end     = end;
    m_report.message = message.toStdString();
    Q_EMIT finished(m_report);
}

void DataFetch::removeFolders()
{
    std::error_code ignored;
    if (const fs::path part = std::exchange(m_partFolder, {});
        !part.empty())   // only the first time: the next download of this set may have created its own
        fs::remove_all(part, ignored);
    if (std::exchange(m_madeFolder, false))
        fs::remove(m_options.folder, ignored);   // only if it is empty
}

void DataFetch::countBytes()
{
    const qint64 now = m_clock.elapsed();
    m_pace.emplace_back(now, m_bytesOfFile);
    while (m_pace.size() > 2 && now - m_pace.front().first > paceWindow)
        m_pace.pop_front();
}

void DataFetch::reportProgress(bool now)
{
    const qint64 time = m_clock.elapsed();
    if (!now && time - m_reported < reportPeriod)
        return;
    m_reported                = time;
    m_progress.received       = m_bytesBefore + m_bytesOfFile;
    m_progress.bytesPerSecond = 0;
    m_progress.secondsLeft.reset();
    if (m_pace.size() > 1 && m_pace.back().first - m_pace.front().first >= 500) {
        m_progress.bytesPerSecond = 1e3 * static_cast<double>(m_pace.back().second - m_pace.front().second)
                                    / static_cast<double>(m_pace.back().first - m_pace.front().first);
        if (m_progress.total > m_progress.received && m_progress.bytesPerSecond > 0)
            m_progress.secondsLeft = static_cast<double>(m_progress.total - m_progress.received)
                                     / m_progress.bytesPerSecond;
    }
    Q_EMIT progressed(m_progress);
}

FetchReport fetchNow(const CatalogueEntry& entry, const FetchOptions& options, std::stop_token stop,
                     const std::function<void(const FetchProgress&)>& progress,
                     const std::function<void(const std::string&)>& mirrorFailed)
{
    Q_ASSERT(QThread::currentThread()->loopLevel() == 0);   // no other loop may run on this thread
    DataFetch fetch(entry, options);
    QEventLoop loop;
    FetchReport report;
    QObject::connect(&fetch, &DataFetch::progressed, progress);
    QObject::connect(&fetch, &DataFetch::mirrorFailed,
                     [&](const QString& sentence) { mirrorFailed(sentence.toStdString()); });
    QObject::connect(&fetch, &DataFetch::finished, [&](const FetchReport& end) {
        report = end;
        loop.quit();
    });
    const std::stop_callback onStop(
        stop, [&fetch] { QMetaObject::invokeMethod(&fetch, &DataFetch::cancel, Qt::QueuedConnection); });
    QMetaObject::invokeMethod(&fetch, &DataFetch::start, Qt::QueuedConnection);   // queued until the loop runs
    loop.exec();
    return report;
}

FetchOptions usualFetchOptions(const CatalogueEntry& entry)
{
    FetchOptions options;
    options.folder = user_data_folder() / entry.id;
    for (const auto& folder : data_folders())
        options.lookFirst.push_back(folder / entry.id);
    for (const auto& folder : entry.installed)
        options.lookFirst.emplace_back(folder);
    return options;
}
