// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gallery/gallery.h"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace credence {
struct Sweep;
}
class Messages;
struct Workspace;

/// Makes entries of the papers in the window: a Study trains and its view comes to the front, a sweep, a page or a comparison is asked for. Finds the runs that were made before.
class PaperRuns : public QObject {
    Q_OBJECT
public:
    PaperRuns(Workspace& workspace, Messages& messages, QObject* parent);

    /// Begins it. @return  why not, in words; empty: it has begun
    QString run(const credence::GalleryEntry& entry, bool quick);
    /// Shows what was made before, the full version rather than the quick one. @return  why not, in words; empty: it is coming
    QString open(const credence::GalleryEntry& entry);
    bool canOpen(const credence::GalleryEntry& entry) const;

    /// Who opens the page of sweeps with one of them, without running it, and says why not, in words. Empty: there is no such page.
    std::function<QString(const credence::Sweep& sweep)> openSweep{};

signals:
    void studyWanted(const credence::Study& study, const QString& words);   ///< under edit: it is trained next
    void viewWanted(const QString& view);                                   ///< empty: where predictions are seen
    void comparisonWanted(const QString& id);
    void pageWanted(const credence::MadeByPage& page);

private:
    QString runStudy(const credence::GalleryEntry& entry, bool quick);
    void follow();
    void giveUp(const QString& sentence);
    int keptRowOf(const credence::GalleryEntry& entry) const;   ///< -1: none

    /// A Study whose view is shown as soon as its run has ended.
    struct Request {
        credence::Study study;
        std::vector<std::string> views;
        std::optional<long> row;   ///< chosen before the view is shown
        bool begun = false;        ///< its run is the one on show, or is coming
    };
    Workspace& m_workspace;
    Messages& m_messages;
    std::optional<Request> m_request;
};
