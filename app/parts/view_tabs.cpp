// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/view_tabs.h"

#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "work/text.h"

#include "views/views.h"

#include <QStackedWidget>
#include <QTabBar>

#include <algorithm>
#include <vector>

using namespace credence;

namespace {

constexpr const char* tabPlace = "tabPlace";   ///< property of a page: index of its tab when all are shown

/// Restores the original order of all tabs.
void restoreOrder(QTabWidget& tabs)
{
    for (int i = 0; i < tabs.count(); ++i)
        if (!tabs.widget(i)->property(tabPlace).isValid())   // the first time: nothing was moved yet
            tabs.widget(i)->setProperty(tabPlace, i);
    for (int place = 0; place < tabs.count(); ++place)
        for (int i = place + 1; i < tabs.count() && tabs.widget(place)->property(tabPlace).toInt() != place; ++i)
            if (tabs.widget(i)->property(tabPlace).toInt() == place)
                tabs.tabBar()->moveTab(i, place);
}

/// Moves the last visible tab after all hidden ones: Qt 6 computes the scroll range from the last
/// tab, and a hidden one would cut off the tabs on the right.
void endWithOneOnShow(QTabWidget& tabs)
{
    const int last = tabs.count() - 1;
    int shown      = last;
    while (shown > 0 && !tabs.isTabVisible(shown))
        --shown;
    tabs.tabBar()->moveTab(shown, last);
    tabs.setTabText(last, tabs.tabText(last));   // updates the layout: a moved tab would keep the hidden one's position
}

}   // namespace

void setTabThere(QTabWidget& tabs, int index, bool there)
{
    if (there)
        tabs.tabBar()->setTabEnabled(index, true);
    tabs.setTabVisible(index, there);
    if (!there)
        tabs.tabBar()->setTabEnabled(index, false);   // of the bar alone: the page stays as it is
}

void showTabsFor(const Experiment& experiment, QTabWidget& tabs)
{
    restoreOrder(tabs);
    std::vector<bool> applies;
    for (int i = 0; i < tabs.count(); ++i) {
        const auto* panel = qobject_cast<ViewPanel*>(tabs.widget(i));
        applies.push_back(panel ? panel->view().applies(experiment) : tabs.isTabVisible(i));
    }
    if (std::none_of(applies.begin(), applies.end(), [](bool one) { return one; }))
        return;
    for (const bool wanted : {true, false})   // first those that come: one of them takes the place of a tab that goes
        for (int i = 0; i < tabs.count(); ++i)
            if (applies[static_cast<std::size_t>(i)] == wanted)
                setTabThere(tabs, i, wanted);
    endWithOneOnShow(tabs);
}

void setTabShown(QTabWidget& tabs, QWidget* page, bool shown)
{
    restoreOrder(tabs);
    setTabThere(tabs, tabs.indexOf(page), shown);
    endWithOneOnShow(tabs);
}

ViewTabs::ViewTabs(ViewBinder& binder, std::initializer_list<std::pair<const char*, QString>> views, QWidget* parent)
    : QTabWidget(parent), m_corner(new QStackedWidget(this))
{
    setDocumentMode(true);
    setUsesScrollButtons(true);
    m_corner->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Maximum);
    for (const auto& [id, title] : views)
        add(binder, id, title);
    setCornerWidget(m_corner);
    connect(this, &QTabWidget::currentChanged, m_corner, &QStackedWidget::setCurrentIndex);
    connect(tabBar(), &QTabBar::tabMoved, this, [this](int from, int to) {
        QWidget* tools = m_corner->widget(from);
        m_corner->removeWidget(tools);
        m_corner->insertWidget(to, tools);
        m_corner->setCurrentIndex(currentIndex());
    });
    connect(&binder, &ViewBinder::fitted, this,
            [this](const std::shared_ptr<const Experiment>& experiment) { showTabsFor(*experiment, *this); });
}

void ViewTabs::add(ViewBinder& binder, const std::string& view, const QString& title)
{
    insert(count(), binder.make(view, this), title);
}

void ViewTabs::insert(int at, ViewPanel* panel, const QString& title)
{
    m_corner->insertWidget(at, panel->takeTools());
    setTabToolTip(insertTab(at, panel, title), toQString(panel->view().title));
}

void ViewTabs::addFirst(QWidget* page, const QString& title, const QString& tip)
{
    m_corner->insertWidget(0, new QWidget(this));
    insertTab(0, page, title);
    setTabToolTip(0, tip);
}
