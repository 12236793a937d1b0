// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/view_tabs.h"

#include "docks/picture_desk.h"
#include "docks/view_panel.h"
#include "work/text.h"

#include "views/views.h"

#include <QStackedWidget>

#include <algorithm>
#include <vector>

using namespace credence;

void showTabsFor(const Experiment& experiment, QTabWidget& tabs)
{
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
                tabs.setTabVisible(i, wanted);
}

ViewTabs::ViewTabs(PictureDesk& desk, std::initializer_list<std::pair<const char*, QString>> views, QWidget* parent)
    : QTabWidget(parent), m_corner(new QStackedWidget(this))
{
    setDocumentMode(true);
    setUsesScrollButtons(true);
    m_corner->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Maximum);
    for (const auto& [id, title] : views)
        add(desk, id, title);
    setCornerWidget(m_corner);
    connect(this, &QTabWidget::currentChanged, m_corner, &QStackedWidget::setCurrentIndex);
    connect(&desk, &PictureDesk::fitted, this,
            [this](const std::shared_ptr<const Experiment>& experiment) { showTabsFor(*experiment, *this); });
}

void ViewTabs::add(PictureDesk& desk, const std::string& view, const QString& title)
{
    insert(count(), desk.make(view, this), title);
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
