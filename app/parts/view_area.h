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

/// Shows one of several views. The header has the title of the current one, which opens a menu of the views,
/// its controls and its tools. Views that do not apply to the displayed run cannot be chosen.
///
/// A view has a single panel with its controls. An area can borrow the page of another area, which then shows
/// one of its other views; the page returns when the borrower shows another view.
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
        QWidget* controls   = nullptr;               ///< in the header; null: none
        QWidget* tools      = nullptr;               ///< at its right end, shown while needed; null: none
        bool there          = true;                  ///< can it be chosen?
        ViewPanel* followed = nullptr;               ///< decides whether it can be chosen; null: setThere does
        ViewArea *home = nullptr, *host = nullptr;   ///< the area that owns it, and the one that has it now
    };

    ViewArea(const QString& name, ViewBinder& binder, QWidget* parent);

    void add(std::initializer_list<std::pair<const char*, QString>> views);
    void add(const std::string& view, const QString& title);
    void add(ViewPanel* panel, const QString& title);
    /// Adds another widget, for which `setThere` decides whether it can be chosen.
    void addPage(Page page);
    void addPage(ViewPanel* panel, const QString& title);

    using QWidget::show;
    void show(QWidget* page);       ///< if it can be chosen; in its current area
    void showHere(QWidget* page);   ///< if it can be chosen; borrows it
    void showHere(const QString& id);
    void release();   ///< returns a borrowed page
    /// What the menu offers, in its order: the views of this area and those that it can borrow.
    std::vector<Page> choices() const;
    /// Shows the page that has this widget on it or among its controls.
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
    void setOnStage();   ///< it can be split, and borrows any page; otherwise those of charts only
    void setSplitting(bool canSplit, bool canClose);
    void showDefault();
    void retire();   ///< for good: returns a borrowed page
    void takeFocus();
    void openWindow();   ///< shows the current view in a window of its own until that is closed
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
    QLabel* m_nothing;   ///< in front while the area has no view
    QMenu* m_menu;
    QAction *m_toRight, *m_below, *m_close, *m_window;
    QToolButton* m_split = nullptr;   ///< null: it cannot be split
    std::vector<Page> m_pages;        ///< its own, wherever they are
    bool m_borrowsAll = false;        ///< also pages that are more than a chart
    bool m_ownWindow  = false;
    bool m_keepsEmpty = false;   ///< its view is in a window and will return
};
