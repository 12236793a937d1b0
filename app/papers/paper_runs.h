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
class Notifier;
struct AppContext;

/// Reproduces paper entries in the window: trains a Study and shows its view, or requests a sweep,
/// page or comparison. Finds earlier runs.
class PaperRuns : public QObject {
    Q_OBJECT
public:
    PaperRuns(AppContext& context, Notifier& notifier, QObject* parent);

    /// Starts the run of an entry. @return  why it cannot be started; empty: started
    QString run(const credence::GalleryEntry& entry, bool quick);
    /// Shows an earlier result, preferring the full version. @return  why there is none; empty: it
    /// will be shown
    QString open(const credence::GalleryEntry& entry);
    bool canOpen(const credence::GalleryEntry& entry) const;

    /// Opens the sweep page with a sweep without running it; returns why not. Empty: there is no
    /// such page.
    std::function<QString(const credence::Sweep& sweep)> openSweep{};

signals:
    void studyWanted(const credence::Study& study, const QString& words);   ///< under edit: it is trained next
    void viewWanted(const QString& view);                                   ///< empty: the view of predictions
    void comparisonWanted(const QString& id);
    void pageWanted(const credence::MadeByPage& page);

private:
    QString runStudy(const credence::GalleryEntry& entry, bool quick);
    void follow();
    void giveUp(const QString& sentence);
    int keptRowOf(const credence::GalleryEntry& entry) const;   ///< -1: none

    /// A Study whose view is shown when its run has finished.
    struct Request {
        credence::Study study;
        std::vector<std::string> views;
        std::optional<long> row;   ///< chosen before the view is shown
        bool begun = false;        ///< its run is displayed or will be
    };
    AppContext& m_context;
    Notifier& m_notifier;
    std::optional<Request> m_request;
};
