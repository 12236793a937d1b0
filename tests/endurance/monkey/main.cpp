// SPDX-License-Identifier: GPL-3.0-or-later
#include "endurance/monkey/monkey.h"
#include "foundation/heap.h"
#include "parts/keyboard.h"
#include "session/settings.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDesktopServices>
#include <QDir>
#include <QPixmapCache>
#include <QTemporaryDir>
#include <QUrl>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <execinfo.h>

/// Links and folders are not opened.
class NoBrowser : public QObject {
    Q_OBJECT
public Q_SLOTS:
    void pass(const QUrl&) {}
};

namespace {

/// A catalogue with one set that nobody can fetch.
QByteArray unavailableSet()
{
    QStringList files;
    for (const char* name :
         {"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"})
        files += QStringLiteral(R"({"name": "%1.gz", "bytes": 1, "content_bytes": 1, "content_sha256": "%2"})")
                     .arg(QLatin1String(name), QString(64, QLatin1Char('0')));
    return R"({"version": 1, "sets": [{"id": "tiny", "title": "Tiny", "about": "Nobody has it.", "format": "mnist",
 "classes": ["0", "1"], "license": "none", "home": "http://127.0.0.1:9/", "hash_source": "none",
 "mirrors": ["http://127.0.0.1:9/"], "installed": [], "files": [)"
           + files.join(QLatin1Char(',')).toUtf8() + "]}]}";
}

Monkey* listener = nullptr;

/// The call stack of a warning, innermost function first.
QStringList whereItCameFrom()
{
    std::array<void*, 60> frames;
    const int n  = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    char** names = ::backtrace_symbols(frames.data(), n);
    QStringList lines;
    for (int i = 2; names != nullptr && i < n; ++i)   // after our own two functions
        lines << QString::fromLocal8Bit(names[i]);
    std::free(static_cast<void*>(names));
    return lines;
}

/// Warnings can come from any thread; the log belongs to one thread.
void notify(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    const auto category = QString::fromLatin1(context.category != nullptr ? context.category : "");
    const auto where    = type == QtWarningMsg || type == QtCriticalMsg ? whereItCameFrom() : QStringList();
    if (type == QtFatalMsg)
        std::fprintf(stderr, "%s\n", qPrintable(text));   // the program ends here
    QMetaObject::invokeMethod(listener, [=] { listener->hear(type, category, text, where); });
}

/// It writes settings, runs and files only in `home`, and downloads nothing.
void stayIn(const QDir& home)
{
    for (const char* folder : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
        qputenv(folder, home.filePath(QLatin1String(folder)).toLocal8Bit());
    qputenv("HOME", home.path().toLocal8Bit());
    qunsetenv("CREDENCE_DATA_DIR");
    QFile catalogue(home.filePath(QStringLiteral("catalogue.json")));
    if (catalogue.open(QIODevice::WriteOnly))
        catalogue.write(unavailableSet());
    qputenv("CREDENCE_CATALOGUE", catalogue.fileName().toLocal8Bit());
    home.mkpath(QStringLiteral("files/seeds"));
    const QDir seeds(QStringLiteral(CREDENCE_SOURCES "/tests/fuzz/seeds"));   // something to open
    for (const QString& folder : seeds.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        for (const QString& file : QDir(seeds.filePath(folder)).entryList(QDir::Files))
            QFile::copy(seeds.filePath(folder + QLatin1Char('/') + file),
                        home.filePath(QStringLiteral("files/seeds/") + file));
    QDir::setCurrent(home.filePath(QStringLiteral("files")));
}

}   // namespace

/// credence_monkey --seconds 600 --seed 3; exit status 1 if there were findings.
int main(int argc, char** argv)
{
    credence::keep_freed_memory();   // as the program does
    qputenv("QT_QPA_PLATFORM", "offscreen");
    Q_INIT_RESOURCE(app);
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QApplication application(argc, argv);
    QApplication::setQuitOnLastWindowClosed(false);
    // Qt 6.4 keeps the name of every pixmap that was ever in this cache, of each size, state and
    // palette: 3 MB per hour of such clicking, which would hide leaks of the program.
    QPixmapCache::setCacheLimit(0);
    QCommandLineParser parser;
    const auto option = [&](const char* name, const char* what, const char* otherwise) {
        parser.addOption({QLatin1String(name), QLatin1String(what), QLatin1String(name), QLatin1String(otherwise)});
    };
    parser.addHelpOption();
    option("seconds", "How long.", "60");
    option("seed", "What it does.", "1");
    option("log", "A file for its actions.", "monkey.log");
    option("replay", "A log whose actions are done again.", "");
    option("home", "A folder for all that it writes; else one that is removed at the end.", "");
    option("rest", "Seconds between two rests, at which memory is measured.", "300");
    option("most-slope", "MB an hour by which memory may grow.", "");
    parser.process(application);

    const QString replay = parser.value(QStringLiteral("replay"));
    const MonkeyOptions options{.seconds    = parser.value(QStringLiteral("seconds")).toDouble(),
                                .seed       = parser.value(QStringLiteral("seed")).toUInt(),
                                .log        = QFileInfo(parser.value(QStringLiteral("log"))).absoluteFilePath(),
                                .replay     = replay.isEmpty() ? QString() : QFileInfo(replay).absoluteFilePath(),
                                .rest_every = parser.value(QStringLiteral("rest")).toDouble()};
    const QTemporaryDir own_home;
    const QString home = parser.value(QStringLiteral("home"));
    QDir().mkpath(home.isEmpty() ? own_home.path() : home);
    stayIn(QDir(home.isEmpty() ? own_home.path() : QDir(home).absolutePath()));
    useDecimalPoints(application);
    NoBrowser nobody;
    for (const char* scheme : {"file", "http", "https"})
        QDesktopServices::setUrlHandler(QLatin1String(scheme), &nobody, "pass");

    int status = 0;
    {
        Monkey monkey(options);
        listener = &monkey;
        qInstallMessageHandler(notify);
        monkey.start();
        do
            QApplication::exec();
        while (!monkey.ended());   // Quit can be clicked, too
        monkey.end();              // while warnings are recorded
        std::printf("%s\n", qPrintable(monkey.report()));
        const QString most = parser.value(QStringLiteral("most-slope"));
        status             = monkey.found() > 0 || (!most.isEmpty() && monkey.slope() > most.toDouble()) ? 1 : 0;
        qInstallMessageHandler(nullptr);
    }
    stateFile().sync();   // all writes finish before the folder is removed
    return status;
}

#include "main.moc"
