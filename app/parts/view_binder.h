// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/view_scheduler.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace credence {
struct View;
}
class QWidget;
class ViewArea;
class ViewPanel;
struct AppContext;

/// Binds the views of the displayed snapshot to their panels: requests visible charts, shows
/// results, and indicates slow ones. A place is the name of a panel, which is usually the id of its
/// view, or a name with the prefix of a custom widget (`Places`).
class ViewBinder : public QObject {
    Q_OBJECT
public:
    /// Charts that have no panel, or that the owner of their panel requests.
    struct Places {
        QString prefix;        ///< that the names of these places share
        QStringList views{};   ///< views that have no panel because they are shown here
        std::function<void(const QString& rest, const credence::Chart& chart)> show;
        bool followInput = false;
        /// @param samples  weight samples; 0: all of the study
        std::function<std::vector<ViewScheduler::Request>(int samples)> wanted{};
    };

    ViewBinder(AppContext& context, QObject* parent);
    ViewPanel* make(const std::string& view, QWidget* parent);   ///< a panel for this view
    /// @param instead  views that the panel shows for other data
    void add(const QString& place, ViewPanel* panel, const QStringList& instead = {});
    void add(Places places);
    /// @param unchanged  returns true if moving the selected input does not change the chart. The
    /// chart is then requested only when the input stops moving.
    void skipWhileMoving(const QString& place, std::function<bool()> unchanged);
    void add(ViewArea* area);   ///< until it is destroyed
    const std::vector<ViewArea*>& areas() const { return m_areas; }
    ViewPanel* panel(const QString& place) const;   ///< null: the view has none of its own
    /// Views that no part of the window has added; MainWindow appends them to the menus.
    std::vector<const credence::View*> withoutPlace() const;
    void start();   ///< connects the signals; call it once, after all places are added

    void request(const QStringList& places);
    void requestOthers(const QString& prefix);
    void wait(const QString& place, const QString& words);   ///< shown instead of an outdated chart

signals:
    /// A different run is displayed, possibly with different data. Emitted before its charts are
    /// requested.
    void fitted(const std::shared_ptr<const credence::Experiment>& experiment, bool otherData);
    void snapshotArrived(const credence::RunSnapshot& run);
    void inputAsked();                    ///< charts of the selected input are requested
    void readingRefused();                ///< the Study has an error: the display does not change
    void reading(const QString& words);   ///< reading the data takes long: charts of the previous Study are removed
    void exportRequested(const QString& view);
    void rowChosen();   ///< by a click on its point

private:
    enum class Which { named, all, input };
    void ask(Which which, const QStringList& places = {});
    void askWhileMoving(Which which);   ///< input or all
    void show(const std::vector<ViewScheduler::Picture>& pictures);
    void showSnapshot();
    void markRow();
    void fit();   ///< adapts the selected input, tabs and tools when a different run is displayed
    void followPreparing();
    void clearForReading();
    const Places* placesOf(const QString& place) const;
    bool keepsPicture(const ViewPanel& panel) const;
    bool wantsPicture(const QString& place, const ViewPanel& panel) const;
    void refineAtRest();

    AppContext& m_context;
    std::map<QString, ViewPanel*> m_panels;
    std::vector<Places> m_others;
    std::map<QString, std::function<bool()>> m_unchanged;   // of places that a movement can leave as they are
    std::vector<ViewArea*> m_areas;
    QStringList m_shown;   // views that have a place
    std::shared_ptr<const credence::Experiment> m_fitted;
    QTimer m_preparing;   // until preparing the Study counts as slow
    bool m_showsReading = false;
    QTimer m_rest;   // after the map in the centre was shown; then it is refined
    std::shared_ptr<std::atomic<qint64>> m_mapTook = std::make_shared<std::atomic<qint64>>(0);   // milliseconds
    bool m_refined                                 = false;   // the map was requested with fine cells
};
