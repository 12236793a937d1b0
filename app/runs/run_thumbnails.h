// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "work/worker.h"

#include <QImage>
#include <QObject>

#include <map>
#include <memory>
#include <vector>

class SavedRunEntry;

/// Small pictures of saved runs: the decision map, the regression band, or the score over the
/// recorded steps. They are made in the background for the runs that are requested, the newest
/// request first, and cached in files under a hash of the run.
class RunThumbnails : public QObject {
    Q_OBJECT
public:
    explicit RunThumbnails(QObject* parent);

    /// The picture of a run; null: not made yet (then `made` follows), or the run has none. A map is
    /// opaque; of a curve, only the alpha channel counts, to be drawn in a colour of the theme.
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
