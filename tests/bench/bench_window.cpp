// SPDX-License-Identifier: GPL-3.0-or-later
// Interactive speed, painted by Qt without a display: frames per second of the Simplex page while
// its mean is dragged; a click on the map, the pointer over it, and its refinement at rest; another
// workspace, and the palette.
#include "parts/palette.h"
#include "parts/rail.h"
#include "parts/view_panel.h"
#include "parts/workbench.h"
#include "session/app_context.h"
#include "shell/main_window.h"
#include "simplex/simplex_workbench.h"

#include "views/views.h"
#include "widgets/chart_view.h"

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

#include <cmath>
#include <numbers>

namespace {

/// Counts what reaches the screen.
class Paints : public QObject {
public:
    bool eventFilter(QObject*, QEvent* event) override
    {
        count += event->type() == QEvent::Paint;
        return false;
    }
    long count = 0;
};

constexpr int milliseconds_between_moves = 8;   // a mouse reports 125 times a second
constexpr double circles_a_second        = 0.5;

/// Three seconds of dragging the mean in circles. Counters: frames per second, and the longest
/// stall of the window's thread.
void simplex_drag(benchmark::State& state)
{
    QUndoStack undo;
    SimplexWorkbench bench(undo);
    bench.resize(1000, 640);
    bench.setVisible(true);
    bench.editor().choosePreset(0);
    while (bench.busy() || !bench.editor().state().hand)
        QTest::qWait(20);
    auto* view = bench.picture()->chartView();
    auto* plot = view->findChild<QWidget*>(QStringLiteral("plot"));
    Paints paints;
    plot->installEventFilter(&paints);
    for (auto _ : state) {
        const QPointF from = bench.handlePosition(SimplexWorkbench::Handle::mean);
        const auto at      = [&](double seconds) {
            const double angle = 2 * std::numbers::pi * circles_a_second * seconds;
            return plot->mapFrom(view, (from + QPointF(30 * std::sin(angle), 30 * (std::cos(angle) - 1))).toPoint());
        };
        QTest::mousePress(plot, Qt::LeftButton, {}, at(0));
        const long before = paints.count;
        qint64 longest    = 0;
        QElapsedTimer clock, since;
        clock.start();
        while (clock.elapsed() < 3000) {
            const QPoint to = at(1e-3 * static_cast<double>(clock.elapsed()));
            QMouseEvent move(QEvent::MouseMove, to, plot->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
            since.start();
            QApplication::sendEvent(plot, &move);
            QApplication::processEvents();
            longest = std::max(longest, since.elapsed());
            QTest::qWait(std::max<int>(1, milliseconds_between_moves - static_cast<int>(since.elapsed())));
        }
        const double seconds = 1e-3 * static_cast<double>(clock.elapsed());
        QTest::mouseRelease(plot, Qt::LeftButton, {}, at(seconds));
        state.SetIterationTime(seconds);
        state.counters["paints_per_s"]    = static_cast<double>(paints.count - before) / seconds;
        state.counters["longest_away_ms"] = static_cast<double>(longest);
        while (bench.busy())
            QTest::qWait(20);
    }
}
/// From the click on the map of two moons until the mark of the chosen input appears. Counter:
/// making the map, which a click does not wait for.
void map_click(benchmark::State& state)
{
    AppContext workspace;
    MainWindow window(workspace);
    window.resize(1280, 800);
    window.show();
    const auto settle = [&] {
        while (!window.session().run().current().experiment || window.busy())
            QTest::qWait(20);
    };
    settle();
    auto* view = window.panel(QStringLiteral("decision_map"))->chartView();
    Paints paints;   // of the picture or of an overlay
    for (auto* part : view->findChildren<QWidget*>())
        part->installEventFilter(&paints);
    int clicks = 0;
    for (auto _ : state) {
        const QPoint at(view->width() / 3 + 17 * (clicks % 9), view->height() / 3 + 11 * (clicks % 7));
        auto* target = view->childAt(at);
        ++clicks;
        const long before = paints.count;
        QElapsedTimer clock;
        clock.start();
        QTest::mouseClick(target, Qt::LeftButton, {}, target->mapFrom(view, at));
        while (paints.count == before)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents, 1);
        state.SetIterationTime(1e-9 * static_cast<double>(clock.nsecsElapsed()));
        settle();
    }
    QElapsedTimer clock;
    clock.start();
    const auto run = window.session().run().current();
    benchmark::DoNotOptimize(credence::view("decision_map").make(run, window.context().requests.chosen(), {}));
    state.counters["whole_map_ms"] = 1e-6 * static_cast<double>(clock.nsecsElapsed());
}

/// A window whose first pictures are there.
class Opened {
public:
    Opened() : window(context)
    {
        window.resize(1280, 800);
        window.show();
        while (!window.session().run().current().experiment || window.busy())
            QTest::qWait(20);
        QTest::qWait(300);   // the refined map
        while (window.busy())
            QTest::qWait(20);
    }
    AppContext context;
    MainWindow window;
};

/// Until an event and all painting that follows from it are done; charts that are computed on other threads not
/// included.
template <class Action>
double seconds_until_painted(Action action)
{
    QElapsedTimer clock;
    clock.start();
    action();
    QApplication::processEvents();
    return 1e-9 * static_cast<double>(clock.nsecsElapsed());
}

/// The pointer moves over the map: the values under it are looked up and shown.
void map_hover(benchmark::State& state)
{
    Opened opened;
    auto* plot =
        opened.window.panel(QStringLiteral("decision_map"))->chartView()->findChild<QWidget*>(QStringLiteral("plot"));
    int moves = 0;
    for (auto _ : state) {
        const QPoint to(plot->width() / 3 + 13 * (moves % 17), plot->height() / 3 + 7 * (moves % 19));
        ++moves;
        QMouseEvent move(QEvent::MouseMove, to, plot->mapToGlobal(to), Qt::NoButton, Qt::NoButton, {});
        state.SetIterationTime(seconds_until_painted([&] { QApplication::sendEvent(plot, &move); }));
    }
}

/// From the coarse map on the screen until the request of the refined one.
void refinement_starts(benchmark::State& state)
{
    Opened opened;
    auto* panel = opened.window.panel(QStringLiteral("decision_map"));
    for (auto _ : state) {
        QElapsedTimer clock;
        bool shown            = false;
        const auto connection = QObject::connect(panel, &ViewPanel::chartShown, panel, [&] {
            shown = true;
            clock.start();
        });
        Q_EMIT panel->becameVisible();   // asks for the coarse map
        while (!shown || opened.context.scheduler.busy())
            QApplication::processEvents(QEventLoop::WaitForMoreEvents, 1);
        while (!opened.context.scheduler.busy() && clock.elapsed() < 2000)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents, 1);
        state.SetIterationTime(1e-9 * static_cast<double>(clock.nsecsElapsed()));
        QObject::disconnect(connection);
        while (opened.window.busy())
            QTest::qWait(20);
    }
}

/// A click on the rail, until the other workspace is painted.
void workspace_switch(benchmark::State& state)
{
    Opened opened;
    const auto pages = {QStringLiteral("simplex"), QStringLiteral("explore"), QStringLiteral("sweep"),
                        QStringLiteral("table")};
    for (const auto& page : pages) {   // each is made at its first use
        Q_EMIT opened.window.workbench().rail().chosen(page);
        QTest::qWait(500);
    }
    std::size_t turn = 0;
    double longest   = 0;
    for (auto _ : state) {
        const auto& page     = *(pages.begin() + turn++ % pages.size());
        const double seconds = seconds_until_painted([&] { Q_EMIT opened.window.workbench().rail().chosen(page); });
        longest              = std::max(longest, seconds);
        state.SetIterationTime(seconds);
        while (opened.window.busy())
            QTest::qWait(20);
    }
    state.counters["longest_ms"] = 1e3 * longest;
}

/// Ctrl+K, until the palette is painted; its entries are collected anew each time.
void palette_opens(benchmark::State& state)
{
    Opened opened;
    opened.window.activateWindow();
    for (auto _ : state) {
        state.SetIterationTime(
            seconds_until_painted([&] { QTest::keyClick(&opened.window, Qt::Key_K, Qt::ControlModifier); }));
        auto* palette = opened.window.findChild<Palette*>();
        if (!palette || !palette->isVisible()) {
            state.SkipWithError("the palette did not open");
            break;
        }
        delete palette;
        QApplication::processEvents();
    }
}

BENCHMARK(map_hover)->UseManualTime()->Iterations(100)->Unit(benchmark::kMillisecond);
BENCHMARK(refinement_starts)->UseManualTime()->Iterations(10)->Unit(benchmark::kMillisecond);
BENCHMARK(workspace_switch)->UseManualTime()->Iterations(40)->Unit(benchmark::kMillisecond);
BENCHMARK(palette_opens)->UseManualTime()->Iterations(20)->Unit(benchmark::kMillisecond);
BENCHMARK(map_click)->UseManualTime()->Iterations(30)->Unit(benchmark::kMillisecond);
BENCHMARK(simplex_drag)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);

}   // namespace

int main(int argc, char** argv)
{
    const QTemporaryDir home;   // the user's settings are not changed
    for (const char* folder : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
        qputenv(folder, home.filePath(folder).toLocal8Bit());
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    Q_INIT_RESOURCE(app);
    QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
