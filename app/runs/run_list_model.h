// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"
#include "work/worker.h"

#include <QImage>
#include <QObject>
#include <QSortFilterProxyModel>
#include <QStringList>
#include <QStyledItemDelegate>

#include <map>
#include <memory>
#include <vector>

namespace credence {
struct Experiment;
}
class SavedRunEntry;
struct AppContext;

/// The saved runs in groups of equal data, the newest first in each, and the group of the newest
/// run first.
class RunListModel : public QSortFilterProxyModel {
    Q_OBJECT
public:
    enum Role {
        heading_role = Qt::UserRole + 10,   ///< the data of the group; empty: not the first of its group
        score_role,
        chips_role,       ///< differences from the displayed run, in a few words each
        displayed_role,   ///< true: this run is displayed
    };

    RunListModel(AppContext& context, QObject* parent);

    const std::shared_ptr<SavedRunEntry>& entryAt(const QModelIndex& index) const;
    QModelIndex indexOf(const SavedRunEntry& entry) const;   ///< invalid: not found by the search
    QVariant data(const QModelIndex& index, int role) const override;

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    struct Differences {
        QStringList chips, lines;
    };
    void regroup();
    void followDisplayed();
    int groupOf(const QModelIndex& index) const;
    const Differences& differencesOf(const std::shared_ptr<SavedRunEntry>& entry) const;
    QString tip(const SavedRunEntry& entry, const Differences& differences) const;
    QString spoken(const QModelIndex& index) const;

    AppContext& m_context;
    std::map<std::weak_ptr<SavedRunEntry>, QString, std::owner_less<>> m_dataOf;
    std::vector<int> m_group;                                   ///< of each saved run
    QStringList m_headings;                                     ///< of each group
    bool m_reordered = false;                                   ///< the order of existing groups has changed
    QString m_displayed;                                        ///< file of the displayed run; empty: none of the list
    std::shared_ptr<const credence::Experiment> m_experiment;   ///< of the displayed run
    mutable std::map<std::weak_ptr<SavedRunEntry>, Differences, std::owner_less<>> m_differences;
};

class SavedRunEntry;

/// Small pictures of saved runs: the decision map, the regression band, or the score over the
/// recorded steps. They are made on request in the background, the newest request first, and cached
/// in files named by a hash of the run.
class RunThumbnails : public QObject {
    Q_OBJECT
public:
    explicit RunThumbnails(QObject* parent);

    /// Returns the picture of a run; null if it is not made yet (then `made` follows), or if the
    /// run has none. A map is opaque. Of a curve, only the alpha channel is used, to draw it in a
    /// theme colour.
    QImage of(const std::shared_ptr<SavedRunEntry>& entry);

    static constexpr int width = 104, height = 72;   ///< pixels: twice the size in the list

signals:
    void made(const std::shared_ptr<SavedRunEntry>& entry);

private:
    void makeNext();

    std::map<std::weak_ptr<SavedRunEntry>, QImage, std::owner_less<>> m_known;
    std::vector<std::weak_ptr<SavedRunEntry>> m_wanted;   ///< the newest request last
    bool m_busy = false;
    Worker m_worker{{.niceness = viewNiceness + 3, .rest = 4}};   // last: its thread ends before what it reads
};

/// Paints a run of a RunListModel: thumbnail, name, score and chips, an eye button that displays
/// it, and a box that ticks it for comparison. The first run of a group has the group's heading
/// above it.
class RunDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit RunDelegate(QAbstractItemView* view);

    struct Parts {
        QRect heading;   ///< empty: none
        QRect card, picture, name, line, eye, tick;
        bool isButton(const QPoint& at) const { return eye.contains(at) || tick.contains(at); }
    };
    static Parts partsOf(const QRect& cell, const QFont& font, const QModelIndex& index);

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

signals:
    void displayRequested(const QModelIndex& index);

protected:
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;

private:
    struct Look;
    void paintPicture(const Look& look, const QModelIndex& index) const;
    static void paintWords(const Look& look, const QModelIndex& index);
    static void paintChips(const Look& look, QRect room, const QStringList& chips);
    static void paintButtons(const Look& look, const QStyleOptionViewItem& option, const QModelIndex& index);

    RunThumbnails* m_thumbnails;
};
