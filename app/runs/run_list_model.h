// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <QSortFilterProxyModel>
#include <QStringList>

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
        chips_role,       ///< in what the run differs from the displayed one, in a few words each
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
    bool m_reordered = false;                                   ///< groups that were there before have another order
    QString m_displayed;                                        ///< file of the displayed run; empty: none of the list
    std::shared_ptr<const credence::Experiment> m_experiment;   ///< of the displayed run
    mutable std::map<std::weak_ptr<SavedRunEntry>, Differences, std::owner_less<>> m_differences;
};
