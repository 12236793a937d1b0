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
/// results, and indicates slow ones. Places are panels named by their views, and a few custom
/// widgets.
class ViewBinder : public QObject {
    Q_OBJECT
public:
    /// Charts without a panel, or requested by the owner of their panel.
    struct Places {
        QString prefix;        ///< of their names
        QStringList views{};   ///< that are shown nowhere else
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
    void add(ViewArea* area);   ///< as long as it exists
    const std::vector<ViewArea*>& areas() const { return m_areas; }
    ViewPanel* panel(const QString& place) const;   ///< null: the view has none of its own
    /// Views of the list without a place.
    std::vector<const credence::View*> withoutPlace() const;
    void start();   ///< when all places are there

    void request(const QStringList& places);
    void requestOthers(const QString& prefix);
    void wait(const QString& place, const QString& words);   ///< said in place of a picture of another run

signals:
    /// Another run is displayed, possibly of other data; sent before its charts are requested.
    void fitted(const std::shared_ptr<const credence::Experiment>& experiment, bool otherData);
    void snapshotArrived(const credence::RunSnapshot& run);
    void inputAsked();                    ///< pictures of the chosen input are asked for
    void readingRefused();                ///< unavailable: the display does not change
    void reading(const QString& words);   ///< data are read for long: nothing of the Study before stays
    void exportRequested(const QString& view);
    void rowChosen();   ///< by a click on its point

private:
    enum class Which { named, all, input };
    void ask(Which which, const QStringList& places = {});
    void askWhileMoving(Which which);   ///< input or all
    void show(const std::vector<ViewScheduler::Picture>& pictures);
    void showSnapshot();
    void markRow();
    void fit();   ///< the chosen input, tabs and tools to the displayed run, where that has become another
    void followPreparing();
    void clearForReading();
    const Places* placesOf(const QString& place) const;
    bool keepsPicture(const ViewPanel& panel) const;
    bool wantsPicture(const QString& place, const ViewPanel& panel) const;
    void refineAtRest();

    AppContext& m_context;
    std::map<QString, ViewPanel*> m_panels;
    std::vector<Places> m_others;
    std::vector<ViewArea*> m_areas;
    QStringList m_shown;   // views that have a place
    std::shared_ptr<const credence::Experiment> m_fitted;
    QTimer m_preparing;   // a Study that takes its time to be made ready
    bool m_showsReading = false;
    QTimer m_rest;   // after the map in the centre has come
    std::shared_ptr<std::atomic<qint64>> m_mapTook = std::make_shared<std::atomic<qint64>>(0);   // milliseconds
    bool m_refined                                 = false;   // it was asked for with cells of the size of the window
};
