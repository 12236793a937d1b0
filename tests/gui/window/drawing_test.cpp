// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/changed_points.h"

#include "parts/rail.h"
#include "parts/workbench.h"
#include "window_driver.h"

#include "unit/not_empty.h"

#include <QLabel>
#include <QStatusBar>

#include <algorithm>
#include <set>

// Points drawn with the mouse: they appear immediately and stay, the split stays, and the map is
// never empty.
using namespace credence;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

namespace {

/// What the map shows, at each picture and each turn of the event loop.
struct MapWatch {
    explicit MapWatch(WindowDriver& window) : window(window)
    {
        QObject::connect(panel(), &ViewPanel::chartShown, &here, [this] { look(); });
    }
    ViewPanel* panel() const { return window->panel("decision_map"); }
    void look()
    {
        const Chart& chart = panel()->chart();
        if (chart.panels.empty() || !chart.message.empty() || !panel()->hasChart())
            empty.push_back(chart.message.empty() ? "no panel" : chart.message);
    }
    bool waitFor(const std::function<bool()>& condition)
    {
        return window.waitFor([&] {
            look();
            return condition();
        });
    }
    /// Points of the picture, in training or for testing.
    std::vector<std::pair<double, double>> points(bool test) const
    {
        std::vector<std::pair<double, double>> found;
        for (const auto& series : panel()->chart().panels.front().series)
            if (const auto* one = std::get_if<Points>(&series); one && one->filled != test)
                for (std::size_t i = 0; i < one->x.size(); ++i)
                    found.emplace_back(one->x[i], one->y[i]);
        return found;
    }
    bool showsAsTraining(double x, double y) const
    {
        const auto all = points(false);
        return std::any_of(all.begin(), all.end(), [&](const auto& point) {
            return std::abs(point.first - x) < 0.05 && std::abs(point.second - y) < 0.05;
        });
    }

    WindowDriver& window;
    QObject here;
    std::vector<std::string> empty;   // the message shown instead of a picture
};

constexpr std::pair<double, double> places[] = {{-1.6, 1.7},  {2.7, 0.9},  {1.45, 1.5},
                                                {-1.2, -1.1}, {0.2, -1.2}, {2.4, 1.6}};

std::vector<DrawnPoint> testPoints(WindowDriver& window)
{
    return points_of(window->session().run().experiment->data->test);
}

}   // namespace

TEST(Drawing, SixPointsAfterTrainingAppearImmediatelyAndUndoAndRedoRestoreAll)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(300));
    const Study before = window.study();
    const auto trained = window->session().run().current().snapshot;
    const auto tests   = testPoints(window);
    MapWatch map(window);
    EXPECT_EQ(map.points(true).size(), tests.size()) << "test points are hollow";
    window.clickButton("toolDraw1");
    std::size_t drawn = 0;
    for (const auto& [x, y] : places) {
        window.clickMap(x, y);
        EXPECT_TRUE(map.showsAsTraining(x, y)) << "at once";
        ++drawn;
        ASSERT_TRUE(map.waitFor([&] { return window->session().state() == Session::State::ready; }));
        ASSERT_TRUE(map.waitFor([&] { return !window->busy(); }));
        for (std::size_t i = 0; i < drawn; ++i)
            EXPECT_TRUE(map.showsAsTraining(places[i].first, places[i].second)) << "point " << i << " after " << drawn;
    }
    const Study after = window.study();
    EXPECT_EQ(testPoints(window), tests);
    EXPECT_EQ(window->session().run().experiment->data->training.class_names,
              (std::vector<std::string>{"class 0", "class 1"}));
    EXPECT_THAT(window.find<QLabel>("runState")->text().toStdString(), HasSubstr("+6 points"));
    EXPECT_EQ(window->session().run().current().snapshot->posterior, trained->posterior);

    auto& undo = window->context().document.undo();
    for (const auto& place : places) {
        (void)place;
        undo.undo();
        ASSERT_TRUE(
            map.waitFor([&] { return !window->busy() && window->session().state() != Session::State::preparing; }));
        EXPECT_EQ(testPoints(window), tests);
    }
    EXPECT_TRUE(window.study() == before);
    EXPECT_EQ(window->session().state(), Session::State::ended);
    EXPECT_EQ(window->session().run().current().snapshot, trained);
    for (const auto& [x, y] : places)
        EXPECT_FALSE(map.showsAsTraining(x, y));

    for (const auto& place : places) {
        (void)place;
        undo.redo();
        ASSERT_TRUE(map.waitFor([&] { return !window->busy() && window->session().state() == Session::State::ready; }));
    }
    EXPECT_TRUE(window.study() == after);
    EXPECT_EQ(testPoints(window), tests);
    EXPECT_EQ(window->session().run().current().snapshot->posterior, trained->posterior);
    for (const auto& [x, y] : places)
        EXPECT_TRUE(map.showsAsTraining(x, y));

    window.clickAction("train");
    ASSERT_TRUE(map.waitFor([&] { return window->session().state() == Session::State::ended; }));
    ASSERT_TRUE(map.waitFor([&] { return !window->busy(); }));
    EXPECT_EQ(testPoints(window), tests);
    EXPECT_TRUE(map.empty.empty()) << map.empty.size() << " times: " << map.empty.front();
}

TEST(Drawing, SixPointsDuringTrainingAppearImmediatelyAndTheMapIsNeverEmpty)
{
    WindowDriver window;
    window.setSteps(100000000);
    ASSERT_TRUE(window.waitForPictures());
    const auto tests = testPoints(window);
    window.clickAction("train");
    ASSERT_TRUE(window.waitFor([&] { return window->session().run().current().snapshot->point.step > 0; }));
    MapWatch map(window);
    window.clickButton("toolDraw0");
    std::size_t drawn = 0;
    for (const auto& [x, y] : places) {
        window.clickMap(x, y);
        EXPECT_TRUE(map.showsAsTraining(x, y)) << "at once";
        ++drawn;
        ASSERT_TRUE(map.waitFor([&] {
            return window->session().state() == Session::State::running
                   && window->session().run().experiment->study.data.changes.size() == drawn;
        }));
        const long step = window->session().run().current().snapshot->point.step;
        ASSERT_TRUE(map.waitFor([&] { return window->session().run().current().snapshot->point.step > step; }));
    }
    EXPECT_EQ(testPoints(window), tests);
    window.clickAction("train");   // pause
    ASSERT_TRUE(map.waitFor([&] { return !window->busy(); }));
    for (const auto& [x, y] : places)
        EXPECT_TRUE(map.showsAsTraining(x, y));
    EXPECT_TRUE(map.empty.empty()) << map.empty.size() << " times: " << map.empty.front();
    window.clickAction("stop");
    EXPECT_TRUE(window.waitForState(Session::State::ended));
}

namespace {

/// Different colours in the middle of what is painted there; a sentence on an empty ground has few.
int coloursInTheMiddle(QWidget& view)
{
    const QImage frame = view.grab().toImage();
    const QRect all    = frame.rect();
    const QRect middle(all.width() / 4, all.height() / 4, all.width() / 2, all.height() / 2);
    std::set<QRgb> found;
    for (int y = middle.top(); y <= middle.bottom(); y += 7)
        for (int x = middle.left(); x <= middle.right(); x += 7)
            found.insert(frame.pixel(x, y));
    return static_cast<int>(found.size());
}

}   // namespace

TEST(Drawing, NoFrameOfTheMapIsBlankDuringTrainingDrawingAndAnotherWorkspace)
{
    WindowDriver window;
    window.setSteps(2000);
    auto* map = window.shownMap();
    ASSERT_TRUE(window.waitForPictures());
    int frames = 0, blank = 0;
    const auto look = [&] {
        if (map->isVisible()) {
            ++frames;
            blank += coloursInTheMiddle(*map) < 20;
        }
        return true;
    };
    ASSERT_GE(coloursInTheMiddle(*map), 20);
    const auto watch = [&](const std::function<bool()>& until) {
        return window.waitFor([&] { return look() && until(); });
    };
    window.clickAction("train");
    ASSERT_TRUE(watch([&] { return window->session().state() == Session::State::ended; }));
    ASSERT_TRUE(watch([&] { return !window->busy(); }));
    window.setQuantity(MapQuantity::epistemic, 0);
    ASSERT_TRUE(watch([&] { return !window->busy(); }));
    window.setQuantity(MapQuantity::predictive_entropy, 0);
    ASSERT_TRUE(watch([&] { return !window->busy(); }));
    window.clickButton("toolDraw0");
    for (const auto& [x, y] : places)
        window.clickMap(x, y);
    ASSERT_TRUE(watch([&] { return !window->busy(); }));
    for (const char* workspace : {"simplex", "explore"}) {
        Q_EMIT window->workbench().rail().chosen(QString::fromLatin1(workspace));
        ASSERT_TRUE(watch([&] { return !window->busy(); }));
    }
    EXPECT_TRUE(map->isVisible());
    EXPECT_GT(frames, 10);
    EXPECT_EQ(blank, 0) << "of " << frames << " frames";
}

TEST(Drawing, ErasedTestPointsLeaveTheTestRowsAndAllOthersKeepTheirPart)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(100));
    const auto before = points_of(window->session().run().experiment->data->training);
    const auto tests  = testPoints(window);
    const auto gone   = tests.front();
    window.clickButton("toolErase");
    window.clickMap(gone.x, gone.y);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    const auto left = testPoints(window);
    EXPECT_THAT(left, Not(Contains(gone)));
    for (const auto& point : left)
        EXPECT_THAT(tests, Contains(point));
    for (const auto& point : credence::not_empty(points_of(window->session().run().experiment->data->training)))
        EXPECT_THAT(before, Contains(point));
    EXPECT_THAT(window.find<QLabel>("runState")->text().toStdString(), HasSubstr("−"));
}

TEST(Drawing, ADrawnPointOfACurveAppearsImmediatelyAndTestPointsAreHollow)
{
    WindowDriver window;
    Study study    = window.study();
    study.data.toy = {.kind = ToyKind::cubic, .n = 60};
    window->session().setStudy(study);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.waitForPictures());
    ASSERT_TRUE(window.train(100));
    MapWatch map(window);
    const auto range = window.shownMap()->shownRange(0);
    ASSERT_TRUE(range);
    const double x   = 0.5 * (range->first.first + range->first.second);
    const double y   = 0.75 * range->second.second + 0.25 * range->second.first;
    const auto tests = map.points(true).size();
    EXPECT_EQ(tests, window->session().run().experiment->data->test.n_rows);
    const auto training = map.points(false).size();
    window.clickButton("toolDraw0");
    window.clickMap(x, y);
    EXPECT_EQ(map.points(false).size(), training + 1);
    ASSERT_TRUE(map.waitFor([&] { return window->session().state() == Session::State::ready && !window->busy(); }));
    EXPECT_EQ(map.points(false).size(), training + 1);
    EXPECT_EQ(map.points(true).size(), tests);
    EXPECT_TRUE(map.empty.empty());
}
