// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command_line.h"
#include "fetch/data_fetch.h"
#include "fetch/picture_reader.h"
#include "foundation/build_info.h"
#include "foundation/heap.h"
#include "parts/keyboard.h"
#include "shell/main_window.h"
#include "work/text.h"

#include "widgets/export_figure.h"
#include "widgets/film.h"

#include <QApplication>
#include <QFile>
#include <QPluginLoader>

#include <csignal>
#include <iostream>
#include <memory>

/// The commit that the program was built from, see cmake/WriteCommit.cmake; empty: not known.
extern const char* const program_commit;

namespace {

/// Suppresses Qt's warning about a missing XDG_RUNTIME_DIR, which is not used. All other messages
/// go to Qt's own handler.
void leaveOutRuntimeFolder()
{
    static QtMessageHandler usual = nullptr;
    usual = qInstallMessageHandler([](QtMsgType type, const QMessageLogContext& context, const QString& text) {
        if (!text.startsWith(QStringLiteral("QStandardPaths: XDG_RUNTIME_DIR not set")))
            usual(type, context, text);
    });
}

/// Starts Qt for the first figure only, without a screen.
class OffscreenFigures {
public:
    OffscreenFigures(int& argc, char** argv) : m_argc(argc), m_argv(argv) {}

    void draw(const credence::Chart& chart, const credence::Study& study, const std::filesystem::path& file,
              const FigureSize& size)
    {
        write(chart, file, size, QByteArray::fromStdString(credence::to_text(study)));
    }
    void drawPlain(const credence::Chart& chart, const std::filesystem::path& file, const FigureSize& size)
    {
        write(chart, file, size, {});
    }

    void drawFilm(Film film, const std::filesystem::path& file, const std::function<void(std::size_t)>& drawn)
    {
        start();
        credence::FilmWriter writer(std::move(film.charts), std::move(film.frames), film.style,
                                    toQString(file.string()), QByteArray::fromStdString(credence::to_text(film.study)));
        for (std::size_t frames = 1; writer.step(); ++frames)
            drawn(frames);
    }

private:
    void write(const credence::Chart& chart, const std::filesystem::path& file, const FigureSize& size,
               const QByteArray& study)
    {
        start();
        credence::exportChart(chart, toQString(file.string()),
                              {size.widthMm, size.heightMm, size.dpi, size.fontPt, size.title}, study);
    }

    void start()
    {
        if (!m_application) {
            qputenv("QT_QPA_PLATFORM", "offscreen");
            requireOffscreenPlugin();
            qInstallMessageHandler([](QtMsgType type, const QMessageLogContext&,
                                      const QString& text) {   // ignore warnings about the desktop
                if (type == QtCriticalMsg || type == QtFatalMsg)
                    std::cerr << text.toStdString() << '\n';
            });
            m_application = std::make_unique<QApplication>(m_argc, m_argv);
            useDecimalPoints(*m_application);
        }
    }

    /// Qt aborts if its platform plugin cannot be loaded.
    void requireOffscreenPlugin()
    {
        const QCoreApplication paths(m_argc, m_argv);   // provides the plugin paths
        QStringList folders = qEnvironmentVariable("QT_QPA_PLATFORM_PLUGIN_PATH").split(u':', Qt::SkipEmptyParts);
        for (const QString& folder : QCoreApplication::libraryPaths())
            folders += {folder + QStringLiteral("/platforms"), folder};
        for (const QString& folder : folders)
            if (QPluginLoader(folder + QStringLiteral("/libqoffscreen.so")).load())
                return;
        throw FiguresUnavailable("Figures cannot be drawn: Qt's platform plugin libqoffscreen.so cannot be loaded from "
                                 + folders.join(QStringLiteral(", ")).toStdString()
                                 + ". Install Qt's plugins, or add --no-figures.");
    }

    int& m_argc;
    char** m_argv;
    std::unique_ptr<QApplication> m_application;
};

bool hasDisplay()
{
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY")
           || qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

bool requireDisplay()
{
    if (!hasDisplay())
        std::cerr << "credence: No display found (DISPLAY and WAYLAND_DISPLAY are not set). To train without a window: "
                     "credence run two_moons_mean_field\n";
    return hasDisplay();
}

/// Opens one view, as linked from a slide.
int openPicture(int& argc, char** argv, const credence::PictureLink& link)
{
    if (!requireDisplay())
        return exitBadInput;
    leaveOutRuntimeFolder();
    QApplication application(argc, argv);
    return runWindow(application, {}, {}, &link);
}

int openWindow(int& argc, char** argv, const WindowCommand& command)
{
    if (!requireDisplay())
        return exitBadInput;
    leaveOutRuntimeFolder();
    QApplication application(argc, argv);
    const QString file = command.files.empty() ? QString() : QFile::decodeName(command.files.front().c_str());
    return runWindow(application, file, toQString(command.theme));
}

}   // namespace

int main(int argc, char** argv)
{
    credence::keep_freed_memory();
    credence::set_commit(program_commit);
    std::signal(SIGXFSZ, SIG_IGN);   // report a file that grows too large as an error
    OffscreenFigures figures(argc, argv);
    CommandTools tools;
    tools.draw      = std::bind_front(&OffscreenFigures::draw, &figures);
    tools.drawPlain = std::bind_front(&OffscreenFigures::drawPlain, &figures);
    tools.drawFilm  = std::bind_front(&OffscreenFigures::drawFilm, &figures);
    tools.fetch     = [&](const credence::CatalogueEntry& entry, std::stop_token stop, const auto& progress,
                      const auto& mirrorFailed) {
        QCoreApplication application(argc, argv);
        useDecimalPoints(application);
        return fetchNow(entry, usualFetchOptions(entry), std::move(stop), progress, mirrorFailed);
    };
    tools.import = [] {
        return credence::ImportTools{
            [](credence::ByteSource& source) { return sha256Of(source); }, qtPictureReader(), {}};
    };
    tools.openWindow = [&](const WindowCommand& command) { return openWindow(argc, argv, command); };
    tools.window     = [&](const credence::PictureLink& link) { return openPicture(argc, argv, link); };
    return runCommandLine(argc, argv, tools);
}
