// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "work/worker.h"

#include "foundation/progress.h"
#include "views/views.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Schedules charts so that no part of the window silently keeps a chart of another run.
///
/// Each chart has a place in the window. The newest request for a place replaces older ones in any
/// queue, which are cancelled. During training, however, the current chart is finished first, since
/// otherwise a slow view would never show one. Requests of another run cancel all earlier ones. A
/// place without a chart of the requested run is reported as waiting until its chart arrives.
class ViewScheduler : public QObject {
    Q_OBJECT
public:
    /// Each queue has its own thread, so that slow charts do not delay fast ones.
    enum class Queue { quick, draws, all_rows, slow };
    static constexpr std::size_t queues = 4;
    static constexpr long ofNoRun       = -1;   ///< several runs side by side, so no other run cancels it
    /// @param pixels  the run is on images, for which views of all rows take seconds
    static Queue queueOf(const credence::View& view, bool pixels);

    using Maker = std::function<std::optional<credence::Chart>(std::stop_token)>;   ///< empty: stopped
    struct Request {
        QString place;
        QString title;   ///< for the progress message
        Queue queue = Queue::draws;
        long run    = 0;                            ///< CurrentRun::number()
        std::shared_ptr<const std::string> study;   ///< JSON of the Study that produces it
        Maker make;
    };
    struct Picture {
        QString place;
        long run = 0;
        std::shared_ptr<const std::string> study;
        std::shared_ptr<const credence::Chart> chart;
    };
    enum class Kind {
        /// During training: all charts of a queue that were requested together are delivered
        /// together, so that they show the same snapshot.
        live,
        still,   ///< each chart is delivered when ready
    };

    explicit ViewScheduler(QObject* parent = nullptr);
    ~ViewScheduler() override;

    void submit(std::vector<Request> requests, Kind kind);
    void forget();       ///< removes all charts, since the window displays something else
    bool busy() const;   ///< Is a request waiting or in progress?

signals:
    void pictures(const std::vector<ViewScheduler::Picture>& pictures);
    void
    waiting(const QString& place,
            const QString& words);   ///< Shown in place of a chart; repeated every second, with the time left if known.

private:
    struct Order {
        Request request;
        Kind kind  = Kind::still;
        long stamp = 0;
        std::stop_source stop{};
        std::shared_ptr<credence::WorkProgress> progress = std::make_shared<credence::WorkProgress>();
    };
    struct QueueState;

    void begin(QueueState& queue);
    Worker::Show work(QueueState& queue, Worker::Progress& progress);
    void deliver(const std::vector<std::pair<long, Picture>>& stamped);
    void endOtherRuns(long run);
    void reportWaiting();

    struct Open {   // a place whose newest request has no chart yet
        QString title;
        long stamp = 0, run = 0;
        bool reported = false;
        std::chrono::steady_clock::time_point since;
        std::shared_ptr<const credence::WorkProgress> progress;
    };
    std::map<QString, long> m_oldestWanted;   // charts with a lower stamp arrive too late
    std::map<QString, long> m_shownRun;       // of the current chart
    std::map<QString, Open> m_open;
    long m_stamp = 0, m_run = -2;
    QTimer m_soon;                                              // short waits are not announced
    std::array<std::unique_ptr<QueueState>, queues> m_queues;   // last: their threads end first
};
