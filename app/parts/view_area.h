// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/views.h"

#include <QString>
#include <QWidget>

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

class HeaderLayout;
class Palette;
class QStackedWidget;
class QToolButton;
class QuietParts;
class ViewBinder;
class ViewPanel;

/// Shows one of several views. The header has the title of the current one, which opens a menu of all
/// of them, its controls and its tools. Views that do not apply to the displayed run are no choices.
class ViewArea : public QWidget {
    Q_OBJECT
public:
    struct Page {
        QWidget* body;
        QString id, title;   ///< of a view: its id and a short title
        QString help;        ///< one or two sentences
        credence::ViewGroup group;
        bool cheap          = true;
        QWidget* controls   = nullptr;   ///< in the header; null: none
        QWidget* tools      = nullptr;   ///< at its right end, shown while needed; null: none
        bool there          = true;      ///< is it a choice?
        QString whyNot      = {};        ///< why it is none
        ViewPanel* followed = nullptr;   ///< decides whether it is a choice; null: setThere does
    };

    ViewArea(const QString& name, ViewBinder& binder, QWidget* parent);

    void add(std::initializer_list<std::pair<const char*, QString>> views);
    void add(const std::string& view, const QString& title);
    void add(ViewPanel* panel, const QString& title);
    /// Adds another widget, of which `setThere` decides whether it is a choice.
    void addPage(Page page);
    void addPage(ViewPanel* panel, const QString& title);

    using QWidget::show;
    void show(QWidget* page);   ///< if it is a choice
    /// Shows the page that has this widget on it or among its controls.
    void reveal(const QWidget& widget);
    QWidget* current() const;
    const Page& currentPage() const;
    const std::vector<Page>& pages() const { return m_pages; }
    /// The page with this title or id, in any case of letters; null: none.
    const Page* named(const QString& words) const;
    bool isThere(const QWidget* page) const;
    void setThere(QWidget* page, bool there, const QString& whyNot);   ///< in a sentence
    Palette* openMenu();

signals:
    void currentChanged(QWidget* page);

private:
    QWidget* quiet(QWidget* tools);
    Page* find(const QWidget* page);
    void fit(const credence::Experiment& experiment);
    void showDefault();
    void followCurrent();

    ViewBinder& m_binder;
    QToolButton* m_title;
    HeaderLayout* m_header;
    QuietParts* m_quiet;   ///< the tools
    QStackedWidget* m_stack;
    std::vector<Page> m_pages;
};
