// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/palette.h"
#include "parts/view_area.h"
#include "parts/view_panel.h"
#include "shell/main_window.h"
#include "views/view_navigator.h"

#include "widgets/chart_view.h"

#include <QApplication>
#include <QTest>
#include <gmock/gmock.h>

#include <functional>

class ImageArea;
class ImageGrid;
class OwnPictures;
class QTableView;
class Sheet;
class SimplexWorkbench;

/// Drives the window like a user: finds controls by name, clicks them and waits for the results.
class WindowDriver {
public:
    enum class Runs { forget, keep };
    explicit WindowDriver(Runs runs = Runs::forget);   ///< of windows before
    MainWindow* operator->() { return &m_window; }
    MainWindow& window() { return m_window; }
    const credence::Study& study() { return m_window.session().study(); }

    template <class Widget>
    Widget* find(const QString& name)
    {
        auto* found = m_window.findChild<Widget*>(name);
        EXPECT_NE(found, nullptr) << "no control named " << name.toStdString();
        return found;
    }
    void clickAction(const QString& name);   ///< the button of the toolbar, or the menu while it has none
    void clickButton(const QString& name);
    Sheet* question();                    ///< the open sheet
    void answer(const QString& button);   ///< of the open sheet, which closes
    void pointAt(QWidget& area);          ///< with the mouse, which shows its quiet controls
    void pointAwayFrom(QWidget& area);
    void choose(const QString& comboBox, const QString& data);   ///< by keys
    void type(const QString& lineEdit, const QString& text);     ///< and Enter
    credence::ChartView* shownMap();                             ///< as soon as it exists and is laid out
    void clickMap(double x, double y);
    void dragMap(double x1, double y1, double x2, double y2);
    bool isOpen(const char* part);   ///< of the workbench
    void setOpen(const char* part, bool open);
    ViewPanel* showView(const char* view);   ///< brings it to the front
    ViewArea* areaOf(const QString& view);   ///< that has its panel
    bool offers(const QString& view);        ///< is it a choice in the menu of its area?
    Palette* openMenu(ViewArea& area);       ///< by a click on its title
    QString currentView() { return m_window.navigator().current(); }
    void setQuantity(credence::MapQuantity quantity, int ofClass);   ///< of the map
    ImageArea* images();
    ImageGrid& imageGrid();
    ViewPanel* imageConfusion();   ///< next to the grid
    OwnPictures& pictures();
    SimplexWorkbench& simplex();
    void displayRun(int row);      ///< of the saved runs, by the list and Enter
    QTableView* openRunsTable();   ///< in the drawer
    void setSteps(long steps);     ///< of the Study, past the panel, and waits until it is ready

    /// Until the condition is true. False: the program has been idle for this long or has computed
    /// for this long, so that a loaded machine, which gives it little time, does not change the
    /// result.
    bool waitFor(const std::function<bool()>& condition, int milliseconds = 20000);
    bool waitForState(Session::State state)
    {
        return waitFor([&] { return m_window.session().state() == state; });
    }
    bool waitForPictures();   ///< until nothing is being drawn
    bool train(long steps);   ///< a whole run, and its pictures

private:
    std::unique_ptr<AppContext> m_context;
    std::unique_ptr<MainWindow> m_owned;
    MainWindow& m_window;
};
