// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/tool_page.h"

#include "gallery/gallery.h"

#include <functional>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QTextBrowser;
class QTreeWidget;
class QTreeWidgetItem;

namespace credence {
class ChartView;
}

/// The gallery: every table, figure and claim of the papers, printed and ours, its status, and
/// buttons to reproduce it. Does not train itself.
class PapersPage : public ToolPage {
    Q_OBJECT
public:
    explicit PapersPage(QWidget* parent = nullptr) : PapersPage(credence::gallery(), parent) {}
    /// @param gallery  must outlive the page
    PapersPage(const credence::Gallery& gallery, QWidget* parent);

    void choose(const QString& id);                 ///< shows this entry
    const credence::GalleryEntry* chosen() const;   ///< null: a paper, or nothing
    void notify(const QString& sentence);           ///< in the message bar
    /// Sets the function that knows whether a result can be opened. Called when another entry is
    /// shown, and by refreshButtons.
    void setOpenable(std::function<bool(const credence::GalleryEntry& entry)> openable);
    void refreshButtons();

signals:
    void runRequested(const QString& id, bool quick);
    void openRequested(const QString& id);

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* buildContent();
    QLayout* buildFilters();
    QLayout* buildButtons();
    void fillTree();
    void filter();
    void showChosen();

    const credence::Gallery& m_gallery;
    std::function<bool(const credence::GalleryEntry&)> m_openable;
    std::vector<QTreeWidgetItem*> m_items;   ///< one for each entry, in the same order
    QTreeWidget* m_tree;
    QTextBrowser* m_text;
    credence::ChartView* m_chart;   ///< hidden for entries without a chart
    QLineEdit* m_words  = nullptr;
    QComboBox* m_status = nullptr;
    QLabel *m_counts = nullptr, *m_time = nullptr;
    QPushButton *m_run = nullptr, *m_quick = nullptr, *m_open = nullptr, *m_copy = nullptr;
};
