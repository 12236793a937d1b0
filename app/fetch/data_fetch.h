// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/progress_line.h"
#include "formats/byte_source.h"
#include "sources/catalogue.h"

#include <QElapsedTimer>
#include <QFile>
#include <QObject>
#include <QTimer>

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <stop_token>

/// SHA-256 of the whole source, read from its beginning: 64 lower-case hexadecimal digits.
std::string sha256Of(credence::ByteSource& source);

/// The same for long files in the background. @throws credence::Error "Cancelled." soon after
/// `stop` becomes true
std::string sha256Of(credence::ByteSource& source, const std::shared_ptr<const std::atomic<bool>>& stop);

class QNetworkAccessManager;
class QNetworkReply;

struct FetchOptions {
    std::vector<std::filesystem::path> lookFirst;   ///< folders that may already have the complete set
    std::filesystem::path folder;                   ///< folder for missing files; created if needed
    int silence = 30000;                            ///< milliseconds without data after which a mirror is abandoned
};

/// Downloads the missing or wrong files of a catalogue data set to a folder, one by one, each
/// atomically from the first mirror with the right file. Lives on one thread with an event loop;
/// hashes are computed on others. The destructor cancels.
class DataFetch : public QObject {
    Q_OBJECT
public:
    DataFetch(credence::CatalogueEntry entry, FetchOptions options, QObject* parent = nullptr);
    ~DataFetch() override;

    void start();
    void cancel();
    const credence::CatalogueEntry& entry() const { return m_entry; }
    const FetchProgress& progress() const { return m_progress; }

signals:
    void progressed(const FetchProgress& progress);   ///< at most ten times a second, and with every new file
    void mirrorFailed(const QString& sentence);       ///< The next mirror is tried.
    void finished(const FetchReport& report);         ///< sent once

private:
    void learn();   // Checks which files exist.
    void nextFile();
    void nextMirror();
    void readBytes();
    void replyEnded();
    void giveUpMirror(const QString& why);
    void dropReply();
    void check();
    void removeFolders();
    void end(FetchReport::End end, const QString& message);
    void reportProgress(bool now);
    void countBytes();

    credence::CatalogueEntry m_entry;
    FetchOptions m_options;
    QNetworkAccessManager* m_network;
    QNetworkReply* m_reply = nullptr;
    QTimer m_silence;
    QFile m_part;
    std::filesystem::path m_partFolder;   // holds the partial file under its own name; removed at the end
    std::shared_ptr<std::atomic<bool>> m_stop = std::make_shared<std::atomic<bool>>(false);
    std::vector<const credence::CatalogueFile*> m_missing;
    std::size_t m_file = 0, m_mirror = 0;
    QStringList m_reasons;   // why mirrors of the current file failed
    FetchProgress m_progress;
    FetchReport m_report;
    std::uint64_t m_bytesBefore = 0, m_bytesOfFile = 0;    // of finished files, and of the current one
    std::deque<std::pair<qint64, std::uint64_t>> m_pace;   // milliseconds and bytes during the last seconds
    QElapsedTimer m_clock;
    qint64 m_reported = 0;
    bool m_madeFolder = false, m_ended = false;
};

/// The same for the command line: runs the only event loop of its thread until the end. Needs a
/// QCoreApplication. Do not call it where a loop is running, as in the window, which uses the
/// signals of DataFetch.
FetchReport fetchNow(const credence::CatalogueEntry& entry, const FetchOptions& options, std::stop_token stop,
                     const std::function<void(const FetchProgress&)>& progress,
                     const std::function<void(const std::string&)>& mirrorFailed);

/// The default folders of data sets: sources/image_sources.h.
FetchOptions usualFetchOptions(const credence::CatalogueEntry& entry);
