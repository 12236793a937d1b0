// SPDX-License-Identifier: GPL-3.0-or-later
// How the pages of views move between the areas and windows.
#include "parts/view_area.h"
#include "parts/view_binder.h"
#include "parts/window_part.h"
#include "work/text.h"

#include <QAction>
#include <QLabel>
#include <QPointer>
#include <QStackedWidget>

#include <algorithm>
#include <tuple>
#include <utility>

using namespace credence;

QString ViewArea::titleOf(const Page& page) const
{
    return page.home == this || page.whole.isEmpty() ? page.entry.title : page.whole;
}

std::vector<ViewArea::Page> ViewArea::choices() const
{
    std::vector<Page> found;
    const auto add = [&](const Page& page) {
        const auto same = std::find_if(found.begin(), found.end(), [&](const Page& one) { return one.id == page.id; });
        if (same == found.end())
            found.push_back(page);
        else if (page.there && !same->there)   // the confusion matrix of images has a page of its own
            *same = page;
    };
    for (const auto& page : m_pages)
        add(page);
    for (const auto* area : m_binder.areas())
        for (const auto& page : area->m_pages)
            if (area != this && (m_borrowsAll || page.followed))
                add(page);
    for (auto& page : found)
        if (!page.whole.isEmpty() && (page.home != this || !page.followed)) {
            page.entry.title = page.whole;
            if (const QString start = page.whole + QStringLiteral(": "); page.entry.detail.startsWith(start))
                page.entry.detail.remove(0, start.size());
        }
    const auto rank = [this](const Page& page) {
        return page.there ? std::tuple(0, page.home != this && !m_borrowsAll, page.group)
                          : std::tuple(1, false, ViewGroup());
    };
    std::stable_sort(found.begin(), found.end(), [&](const Page& a, const Page& b) { return rank(a) < rank(b); });
    return found;
}

void ViewArea::showHere(const QString& id)
{
    const auto all  = choices();
    const auto page = std::find_if(all.begin(), all.end(), [&](const Page& one) { return one.id == id; });
    if (page != all.end())
        showHere(page->body);
}

void ViewArea::showHere(QWidget* body)
{
    auto* page = pageOf(body);
    if (!page || !page->there || body == current())
        return;
    auto* from          = page->host;
    auto* before        = pageOf(current());
    const bool wasShown = from != this && from->current() == body;
    if (wasShown)
        from->m_stack->setCurrentWidget(from->m_nothing);   // none of its neighbours is shown in between
    if (from != this) {
        from->detach(*page);
        attach(*page);
    }
    m_keepsEmpty = false;
    m_stack->setCurrentWidget(body);
    if (wasShown && before && before->there && isOnStage() && from->isOnStage())
        from->showHere(before->body);   // the two areas exchange their views
    else if (wasShown)
        from->showDefault();
    if (before && before->host == this && before->home != this)
        sendHome(*before);
}

void ViewArea::release()
{
    auto* page = pageOf(current());
    if (!page || page->home == this)
        return;
    m_stack->setCurrentWidget(m_nothing);
    sendHome(*page);
}

void ViewArea::retire()
{
    m_keepsEmpty = true;
    release();
}

void ViewArea::sendHome(Page& page)
{
    auto& home = *page.home;
    page.host->detach(page);
    home.attach(page);
    if (home.current() != home.m_nothing)
        return;
    home.m_keepsEmpty = false;
    page.there ? home.showHere(page.body) : home.showDefault();
}

/// Shows the first view that is available and cheap; for an area without own views, one that is not
/// shown elsewhere. If no view is available, an own view stays, and the owner hides the area.
void ViewArea::showDefault()
{
    if (m_keepsEmpty)
        return;
    const auto first = [](const std::vector<Page>& pages, const auto& test) -> QWidget* {
        const auto found = std::find_if(pages.begin(), pages.end(), test);
        return found == pages.end() ? nullptr : found->body;
    };
    QWidget* body = nullptr;
    for (const bool cheap : {true, false})
        if (!body)
            body = first(m_pages,
                         [&](const Page& page) { return page.there && page.host == this && (page.cheap || !cheap); });
    for (const auto* area : m_binder.areas())
        if (!body && m_pages.empty())
            body = first(area->m_pages, [](const Page& page) {
                // On the stage, a page counts as seen even before the window appears; otherwise two
                // halves would keep taking it from each other.
                const bool seen = (page.host->isVisible() || page.host->isOnStage())
                                  && page.host->current() == page.body;
                return page.followed && page.there && page.cheap && !seen;
            });
    body ? showHere(body) : release();
}

void ViewArea::openWindow()
{
    auto* page = pageOf(current());
    auto* main = qobject_cast<QWidget*>(m_binder.parent());
    if (!page || !main || m_ownWindow)
        return;
    auto* area         = new ViewArea(QStringLiteral("window/") + page->id, m_binder, nullptr);
    area->m_borrowsAll = true;
    area->m_ownWindow  = true;
    area->m_window->setVisible(false);
    const QSize room = size().expandedTo({480, 360});
    m_keepsEmpty     = true;
    auto* window     = new OwnWindow(
            *area, titleOf(*page), [area, origin = QPointer<ViewArea>(this)] { area->returnTo(origin); }, main);
    window->setAttribute(Qt::WA_DeleteOnClose);
    connect(area, &ViewArea::currentChanged, window, [area, window] {
        if (const auto* shown = area->pageOf(area->current()))
            window->setWindowTitle(area->titleOf(*shown));
    });
    area->showHere(page->body);
    window->resize(room);
    window->show();
}

/// Returns the view, before its window closes, to the area that showed it before, if that area
/// still waits for it.
void ViewArea::returnTo(ViewArea* origin)
{
    m_keepsEmpty     = true;
    const auto* page = pageOf(current());
    if (origin && page && origin->m_keepsEmpty)
        origin->showHere(page->body);
    release();
    if (origin && std::exchange(origin->m_keepsEmpty, false))
        origin->showDefault();
}
