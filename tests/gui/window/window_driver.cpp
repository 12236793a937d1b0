// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "gui/real_input.h"
#include "gui/wait_until.h"

#include "images/image_area.h"
#include "parts/sheet.h"
#include "parts/window_part.h"
#include "parts/workbench.h"
#include "runs/run_bar.h"
#include "runs/run_list_model.h"
#include "session/settings.h"
#include "study/study_panel.h"
#include "views/main_tabs.h"
#include "views/prediction_area.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QTableView>

using namespace credence;

namespace {

std::unique_ptr<AppContext> context(WindowDriver::Runs runs)
{
    if (runs == WindowDriver::Runs::forget)
        for (const auto& folder : {runsFolder(), runsInProgressFolder()})
            QDir(folder).removeRecursively();
    return std::make_unique<AppContext>();
}

}   // namespace

WindowDriver::WindowDriver(Runs runs)
    : m_context(context(runs)), m_owned(std::make_unique<MainWindow>(*m_context)), m_window(*m_owned)
{
    m_window.resize(1440, 900);
    m_window.workbench().openAll();   // what a user would open; the first arrangement has tests of its own
    m_window.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&m_window));
    EXPECT_TRUE(waitForState(Session::State::ready));
    EXPECT_TRUE(waitForPictures());
}

bool WindowDriver::waitFor(const std::function<bool()>& condition, int milliseconds)
{
    return waitUntil(condition, milliseconds);
}

bool WindowDriver::waitForPictures()
{
    QTest::qWait(20);   // what was clicked has been asked for
    const bool idle = waitFor([&] { return !m_window.busy(); });
    QTest::qWait(20);   // and what came has been delivered
    return idle;
}

void WindowDriver::clickAction(const QString& name)
{
    auto* bar    = m_window.findChild<RunBar*>();
    auto* action = bar->findChild<QAction*>(name);
    ASSERT_NE(action, nullptr) << name.toStdString();
    auto* button = bar->buttonOf(action);
    button->isVisible() ? QTest::mouseClick(button, Qt::LeftButton) : action->trigger();
}

void WindowDriver::clickButton(const QString& name)
{
    auto* button = find<QAbstractButton>(name);
    ASSERT_TRUE(button->isEnabled()) << name.toStdString();
    QTest::mouseClick(button, Qt::LeftButton);
}

Sheet* WindowDriver::question()
{
    for (auto* sheet : m_window.findChildren<Sheet*>())
        if (sheet->isVisible())
            return sheet;
    ADD_FAILURE() << "no question is open";
    return nullptr;
}

void WindowDriver::answer(const QString& button)
{
    const QPointer<Sheet> sheet = question();
    ASSERT_TRUE(sheet);
    auto* answer = sheet->findChild<QAbstractButton*>(button);
    ASSERT_NE(answer, nullptr) << button.toStdString();
    QTest::mouseClick(answer, Qt::LeftButton);
    EXPECT_TRUE(waitFor([&] { return sheet.isNull(); }));
}

void WindowDriver::pointAt(QWidget& area)
{
    QEnterEvent enter(QPointF(1, 1), area.mapTo(area.window(), QPointF(1, 1)), area.mapToGlobal(QPointF(1, 1)));
    QApplication::sendEvent(&area, &enter);
}

void WindowDriver::pointAwayFrom(QWidget& area)
{
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&area, &leave);
}

void WindowDriver::choose(const QString& comboBox, const QString& data)
{
    m_window.findChild<StudyPanel*>()->unfold(comboBox.section(QLatin1Char('/'), 0, 0));   // if it is a setting
    auto* box       = find<QComboBox>(comboBox);
    const int index = box->findData(data);
    ASSERT_GE(index, 0) << data.toStdString();
    if (!box->isVisible())
        m_window.navigator().reveal(*box);
    ASSERT_TRUE(waitFor([box] { return box->isVisible() && box->isEnabled(); })) << comboBox.toStdString();
    chooseByKeys(*box, index);
}

void WindowDriver::type(const QString& lineEdit, const QString& text)
{
    m_window.findChild<StudyPanel*>()->unfold(lineEdit.section(QLatin1Char('/'), 0, 0));   // if it is a setting
    auto* line = find<QLineEdit>(lineEdit);
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
    QTest::keyClick(line, Qt::Key_Return);
}

ChartView* WindowDriver::shownMap()
{
    auto* view = m_window.panel(QStringLiteral("decision_map"))->chartView();
    // A chart has no layout until its first, queued replot.
    EXPECT_TRUE(waitFor([view] { return view->shownRange(0) && view->panelRect(0).width() > 50; }));
    return view;
}

void WindowDriver::clickMap(double x, double y)
{
    auto* view     = shownMap();
    const QPoint p = view->positionOf(0, x, y).toPoint();
    auto* target   = view->childAt(p);
    QTest::mouseClick(target, Qt::LeftButton, {}, target->mapFrom(view, p));
}

void WindowDriver::dragMap(double x1, double y1, double x2, double y2)
{
    auto* view    = shownMap();
    auto* target  = view->childAt(view->positionOf(0, x1, y1).toPoint());
    const auto at = [&](double share) {
        return target->mapFrom(view, view->positionOf(0, x1 + share * (x2 - x1), y1 + share * (y2 - y1)).toPoint());
    };
    QTest::mousePress(target, Qt::LeftButton, {}, at(0));
    for (int i = 1; i <= 20; ++i) {
        QMouseEvent move(QEvent::MouseMove, at(i / 20.0), target->mapToGlobal(at(i / 20.0)), Qt::NoButton,
                         Qt::LeftButton, {});
        QApplication::sendEvent(target, &move);
    }
    QTest::mouseRelease(target, Qt::LeftButton, {}, at(1));
}

bool WindowDriver::isOpen(const char* part)
{
    const auto& workbench = m_window.workbench();
    return workbench.isOpen(*workbench.part(QLatin1String(part)));
}

void WindowDriver::setOpen(const char* part, bool open)
{
    m_window.workbench().part(QLatin1String(part))->setOpen(open);
}

ViewPanel* WindowDriver::showView(const char* view)
{
    const auto id = QString::fromLatin1(view);
    m_window.navigator().show(id);
    auto* panel = m_window.panel(id);
    EXPECT_NE(panel, nullptr) << view;
    return panel;
}

ViewArea* WindowDriver::areaOf(const QString& view)
{
    auto* panel = m_window.panel(view);
    EXPECT_NE(panel, nullptr) << view.toStdString();
    for (QWidget* around = panel; around; around = around->parentWidget())
        if (auto* area = qobject_cast<ViewArea*>(around))
            return area;
    ADD_FAILURE() << view.toStdString() << " is in no area";
    return nullptr;
}

bool WindowDriver::offers(const QString& view) { return areaOf(view)->isThere(m_window.panel(view)); }

Palette* WindowDriver::openMenu(ViewArea& area)
{
    QTest::mouseClick(find<QAbstractButton>(area.objectName() + QStringLiteral("/title")), Qt::LeftButton);
    return find<Palette>(QStringLiteral("viewMenu"));
}

void WindowDriver::setQuantity(MapQuantity quantity, int ofClass)
{
    m_window.centre()->predictions()->setQuantity(quantity, ofClass);
}

ImageArea* WindowDriver::images() { return m_window.centre()->images(); }

ImageGrid& WindowDriver::imageGrid() { return *images()->grid(); }

ViewPanel* WindowDriver::imageConfusion() { return images()->confusion(); }

OwnPictures& WindowDriver::pictures() { return m_window.centre()->pictures(); }

SimplexWorkbench& WindowDriver::simplex() { return *m_window.centre()->simplex(); }

void WindowDriver::displayRun(int row)
{
    auto* list        = find<QListView>(QStringLiteral("runsList"));
    const auto* model = qobject_cast<RunListModel*>(list->model());
    list->setCurrentIndex(model->indexOf(*m_window.context().runs.at(row)));
    QTest::keyClick(list, Qt::Key_Return);
}

QTableView* WindowDriver::openRunsTable()
{
    auto* table = find<QTableView>(QStringLiteral("runsTable"));
    if (!table->isVisible())
        clickButton(QStringLiteral("showRunsTable"));
    EXPECT_TRUE(waitFor([table] { return table->isVisible(); }));
    return table;
}

void WindowDriver::setSteps(long steps)
{
    Study study          = m_window.session().study();
    study.training.steps = steps;
    m_window.session().setStudy(study);
    ASSERT_TRUE(waitFor([&] { return m_window.session().state() != Session::State::preparing; }));
}

bool WindowDriver::train(long steps)
{
    setSteps(steps);
    clickAction(QStringLiteral("train"));
    return waitForState(Session::State::ended) && waitForPictures();
}
