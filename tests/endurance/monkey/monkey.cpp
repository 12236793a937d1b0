// SPDX-License-Identifier: GPL-3.0-or-later
#include "endurance/monkey/monkey.h"

#include "endurance/monkey/choice.h"
#include "foundation/heap.h"
#include "runs/result_cache.h"
#include "session/settings.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDirIterator>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QStandardPaths>
#include <QTextEdit>
#include <QTimer>

#include <array>

namespace {

constexpr std::array<const char*, 11> internal_words = {"std::",     "basic_string", "vector::", "map::at",
                                                        "nlohmann",  "what()",       "sqlite3_", "json.exception",
                                                        "bad_alloc", "QVariant",     "SQLITE_"};

/// Messages of the platform without a screen, and messages caused by the clicker itself.
constexpr std::array<const char*, 6> platform_words = {"This plugin ",
                                                       "XDG_RUNTIME_DIR",
                                                       "propagateSizeHints",
                                                       "Keyboard event not accepted",
                                                       "OpenType support missing",
                                                       "wrong permissions on runtime directory"};
/// Messages of Qt about fonts, screens and damaged external pictures.
constexpr std::array<const char*, 4> platform_categories = {"qt.qpa", "qt.text", "qt.gui.imageio", "qt.svg"};

/// Least squares. @param points  seconds, bytes @return MB an hour
double slopeOf(const std::vector<std::pair<double, double>>& points)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const auto& [seconds, bytes] : points) {
        n += 1;
        x += seconds;
        y += bytes;
        xx += seconds * seconds;
        xy += seconds * bytes;
    }
    const double spread = n * xx - x * x;
    return spread > 0 ? (n * xy - x * y) / spread * 3600 / 1e6 : 0;
}

/// Makes Qt drop its glyph cache of up to 10 MB, as it does when fonts are installed or removed.
void forgetGlyphs()
{
    static const QString file = [] {
        for (const QString& folder : QStandardPaths::standardLocations(QStandardPaths::FontsLocation))
            for (QDirIterator at(folder, {QStringLiteral("*.ttf"), QStringLiteral("*.otf")}, QDir::Files,
                                 QDirIterator::Subdirectories);
                 at.hasNext();)
                return at.next();
        return QStringLiteral("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf");
    }();
    QFontDatabase::removeApplicationFont(QFontDatabase::addApplicationFont(file));
}

/// All visible texts of a window, one after another.
QStringList textsOf(const QWidget* window)
{
    QStringList texts = {window->windowTitle()};
    for (const auto* label : window->findChildren<QLabel*>())
        if (label->isVisible())
            texts << label->text() << label->toolTip();
    for (const auto* edit : window->findChildren<QPlainTextEdit*>())
        if (edit->isVisible())
            texts << edit->toPlainText();
    for (const auto* edit : window->findChildren<QTextEdit*>())
        if (edit->isVisible())
            texts << edit->toPlainText();
    return texts;
}

}   // namespace

Monkey::Monkey(MonkeyOptions options) : m_options(std::move(options)), m_random(m_options.seed), m_log(m_options.log)
{
    if (!m_options.replay.isEmpty()) {
        QFile replayed(m_options.replay);
        if (!replayed.open(QIODevice::ReadOnly | QIODevice::Text))
            qFatal("%s cannot be read", qPrintable(m_options.replay));
        m_lines = QString::fromUtf8(replayed.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    }
    if (!m_log.open(QIODevice::WriteOnly | QIODevice::Text))
        qFatal("%s cannot be written", qPrintable(m_options.log));
    write(QStringLiteral("# seed %1").arg(m_options.seed));
}

Monkey::~Monkey() { end(); }

void Monkey::end()
{
    m_window.reset();   // before the windows below it
    m_context.reset();
}

void Monkey::start()
{
    m_clock.start();
    openWindow();
    QTimer::singleShot(0, this, [this] { next(); });   // its end stops the event loop, which must still run then
}

void Monkey::openWindow()
{
    end();
    m_context = std::make_unique<AppContext>();
    m_window  = std::make_unique<MainWindow>(*m_context);
    m_window->resize(1280, 800);
    m_window->restoreLayout();
    m_window->show();
    m_window->restoreSession();
    ++m_windows;
}

Action Monkey::choose()
{
    while (!m_lines.isEmpty())
        if (const auto action = actionFromLine(m_lines.takeFirst()))
            return *action;
    return anyAction(m_random);
}

/// One action and a request for the next, which may run while a dialog of this one is still open.
void Monkey::next()
{
    const double now = static_cast<double>(m_clock.elapsed()) / 1e3;
    if (now > m_options.seconds || (!m_options.replay.isEmpty() && m_lines.isEmpty())) {
        m_ended = true;
        m_window->hide();
        for (QWidget* window : QApplication::topLevelWidgets())
            window->hide();   // ends the loops of dialogs
        QCoreApplication::exit(0);
        return;
    }
    if (m_depth == 0 && m_options.replay.isEmpty() && now - m_rested > m_options.rest_every)
        rest();
    if (m_depth == 0 && !m_window->isVisible())
        openWindow();
    const Action action = choose();
    QTimer::singleShot(action.kind == Action::Kind::wait ? action.number : 5, this, [this] { next(); });
    write(toLine(action));
    ++m_depth;
    if (!perform(action)) {
        ++m_missed;
        if (QWidget* popup = QApplication::activePopupWidget(); popup != nullptr && m_options.replay.isEmpty())
            popup->close();   // its parent is hidden and can no longer be reached
    }
    --m_depth;
    if (++m_actions % 20 == 0) {
        look();
        measure();
    }
}

void Monkey::look()
{
    for (const QWidget* window : QApplication::topLevelWidgets())
        if (window->isVisible())
            for (const QString& text : textsOf(window))
                for (const char* word : internal_words)
                    if (text.contains(QLatin1String(word)))
                        found(QStringLiteral("A text names an internal error: ") + text.left(300));
}

void Monkey::measure()
{
    const auto bytes = static_cast<double>(credence::process_memory().resident);
    m_largest        = std::max(m_largest, bytes);
    if (bytes > m_options.most_memory)
        found(QStringLiteral("It takes more than %1 MB of memory.").arg(m_options.most_memory / 1e6, 0, 'f', 0));
}

/// A new window without the runs of the old one. Memory is measured while no window is open: what
/// is not freed by then never will be.
void Monkey::rest()
{
    write(QStringLiteral("# rest"));
    m_window->close();   // nothing comes back
    end();
    for (const QString& folder : {runsFolder(), runsInProgressFolder(), sweepsFolder()})
        QDir(folder).removeRecursively();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    forgetGlyphs();
    credence::release_expired_results();
    QGuiApplication::clipboard()->clear();
    credence::give_freed_memory_back();
    m_rested          = static_cast<double>(m_clock.elapsed()) / 1e3;
    const auto memory = credence::process_memory();
    m_rest_memory.emplace_back(m_rested, static_cast<double>(memory.resident));
    write(QStringLiteral("# %1 MB, of which %2 pages of files and %3 allocated")
              .arg(static_cast<double>(memory.resident) / 1e6, 0, 'f', 1)
              .arg(static_cast<double>(memory.of_files) / 1e6, 0, 'f', 1)
              .arg(static_cast<double>(memory.allocated) / 1e6, 0, 'f', 2));
    openWindow();
}

void Monkey::hear(QtMsgType type, const QString& category, const QString& text, const QStringList& where)
{
    write(QStringLiteral("# Qt says: ") + category + QLatin1String(": ") + text);
    if (type == QtDebugMsg || type == QtInfoMsg)
        return;
    for (const char* begin : platform_categories)
        if (category.startsWith(QLatin1String(begin)))
            return;
    for (const char* word : platform_words)
        if (text.contains(QLatin1String(word)))
            return;
    found(QStringLiteral("Qt warns: ") + text, where);
}

void Monkey::found(const QString& what, const QStringList& where)
{
    if (m_known.contains(what))
        return;
    m_known << what;
    ++m_found;
    write(QStringLiteral("# FOUND after %1 actions: ").arg(m_actions) + what);
    for (const QString& function : where)
        write(QStringLiteral("#   in ") + function);
}

void Monkey::write(const QString& line)
{
    m_log.write(line.toUtf8() + '\n');
    m_log.flush();   // a crash leaves the action in the log
}

double Monkey::slope() const
{
    const auto warm = static_cast<std::ptrdiff_t>(m_rest_memory.size() / 3);   // caches and fonts fill at first
    return m_rest_memory.size() < 6 ? 0 : slopeOf({m_rest_memory.begin() + warm, m_rest_memory.end()});
}

QString Monkey::report() const
{
    const double seconds = static_cast<double>(m_clock.elapsed()) / 1e3;
    QString line         = QStringLiteral("%1 actions in %2 s, %3 on what was gone, %4 windows, at most %5 MB")
                       .arg(m_actions)
                       .arg(seconds, 0, 'f', 0)
                       .arg(m_missed)
                       .arg(m_windows)
                       .arg(m_largest / 1e6, 0, 'f', 0);
    if (!m_rest_memory.empty())
        line += QStringLiteral(", after the first rest %1 MB, after the last %2 MB, %3 MB an hour")
                    .arg(m_rest_memory.front().second / 1e6, 0, 'f', 1)
                    .arg(m_rest_memory.back().second / 1e6, 0, 'f', 1)
                    .arg(slope(), 0, 'f', 2);
    return line + QStringLiteral(", %1 findings").arg(m_found)
           + (m_known.isEmpty() ? QString() : QStringLiteral(":\n  ") + m_known.join(QStringLiteral("\n  ")));
}
