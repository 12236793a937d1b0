// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/palette.h"
#include "views/views.h"

#include <QString>
#include <QWidget>

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

class HeaderLayout;
class QLabel;
class QMenu;
class QStackedWidget;
class QToolButton;
class QuietParts;
class ViewBinder;
class ViewPanel;

/// Shows one of several views. The header has the title of the current view, which opens a menu of
/// the views, and its controls and tools. Views that are not available for the displayed run cannot
/// be selected.
///
/// A view has a single panel with its controls. An area can borrow the page of another area, which
/// then shows one of its other views. The page returns when the borrower shows another view.
class ViewArea : public QWidget {
    Q_OBJECT
public:
    struct Page {
        QWidget* body;
        QString id;        ///< of a view: its id
        Command entry;     ///< in the menu: short title, one or two sentences of help, why it is no choice
        QString whole{};   ///< title in menus of other areas; empty: that of `entry`
        credence::ViewGroup group;
        bool cheap          = true;
        QWidget* controls   = nullptr;   ///< in the header; null: no controls
        QWidget* tools      = nullptr;   ///< at the right end of the header, visible while needed; null: no tools
        bool there          = true;      ///< true if it can be selected
        ViewPanel* followed = nullptr;   ///< determines whether it can be selected; null: setThere does
        ViewArea *home = nullptr, *host = nullptr;   ///< the area that owns it, and the one that has it now
    };

    ViewArea(const QString& name, ViewBinder& binder, QWidget* parent);

    void add(std::initializer_list<std::pair<const char*, QString>> views);
    void add(const std::string& view, const QString& title);
    void add(ViewPanel* panel, const QString& title);
    /// Adds another widget; `setThere` determines whether it can be selected.
    void addPage(Page page);
    void addPage(ViewPanel* panel, const QString& title);

    using QWidget::show;
    void show(QWidget* page);       ///< if it can be selected; in the area that currently has it
    void showHere(QWidget* page);   ///< if it can be selected; borrows it for this area
    void showHere(const QString& id);
    void release();   ///< returns a borrowed page
    /// Returns the entries of the menu in order: the views of this area and those that it can
    /// borrow.
    std::vector<Page> choices() const;
    /// Shows the page that contains this widget, also among its controls.
    void reveal(const QWidget& widget);
    QWidget* current() const;
    Page currentPage() const;
    const std::vector<Page>& pages() const { return m_pages; }
    /// The page with this title or id, in any case of letters; null: none.
    const Page* named(const QString& words) const;
    bool isThere(const QWidget* page) const;
    void setThere(QWidget* page, bool there, const QString& whyNot);   ///< in a sentence
    Palette* openMenu();

    bool isOnStage() const { return m_split != nullptr; }
    /// Marks an area of the stage: it can be split and can borrow any page; other areas borrow
    /// charts only
    void setOnStage();
    void setSplitting(bool canSplit, bool canClose);
    void showDefault();
    void retire();   ///< before the area is removed: returns a borrowed page
    void takeFocus();
    void openWindow();   ///< shows the current view in its own window until that window is closed
    bool hasOwnWindow() const { return m_ownWindow; }

signals:
    void currentChanged(QWidget* page);
    void splitRequested(Qt::Orientation orientation);
    void closeRequested();

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    Page* find(const QWidget* page);
    Page* pageOf(const QWidget* body) const;   ///< of any area; null: none
    QString titleOf(const Page& page) const;
    void attach(Page& page);
    void detach(Page& page);
    void sendHome(Page& page);
    void returnTo(ViewArea* origin);
    void fit(const credence::Experiment& experiment);
    void followCurrent();

    ViewBinder& m_binder;
    QToolButton* m_title;
    HeaderLayout* m_header;
    QuietParts* m_quiet;   ///< the tools and the Split button
    QStackedWidget* m_stack;
    QLabel* m_nothing;   ///< shown while the area has no view
    QMenu* m_menu;
    QAction *m_toRight, *m_below, *m_close, *m_window;
    QToolButton* m_split = nullptr;   ///< null: it cannot be split
    std::vector<Page> m_pages;        ///< its own pages, including those displayed in other areas
    bool m_borrowsAll = false;        ///< can also borrow pages that are not only a chart
    bool m_ownWindow  = false;
    bool m_keepsEmpty = false;   ///< its view is in a window and will return
};
