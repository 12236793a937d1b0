// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/chart.h"

#include <QObject>
#include <QString>

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

/// Makes figure values on a low-priority thread. At most one request waits for each view: a newer one replaces it, and stops it where it is being
/// made already, unless both belong to a training that goes on (then the older picture is finished first, or a slow view would never show any).
class ViewQueue : public QObject {
    Q_OBJECT
public:
    using Maker = std::function<credence::Chart(std::stop_token)>;
    struct Request {
        QString view;
        Maker   make;
    };
    struct Picture {
        QString view;
        credence::Chart chart;
    };
    enum class Kind {
        live,    ///< training goes on: all pictures of one batch are delivered together, so that all views show the same moment
        still,   ///< each picture is delivered when it is ready
    };

    /// @param liveRest  pause after a live batch, in multiples of the time it took: 9 leaves nine tenths of the time to the training
    explicit ViewQueue(double liveRest = 0, QObject* parent = nullptr);
    ~ViewQueue() override;   ///< stops and waits

    void submit(std::vector<Request> requests, Kind kind);
    bool busy() const;   ///< is a request waiting or being made?

signals:
    void pictures(const std::vector<ViewQueue::Picture>& pictures);

private:
    struct Waiting {
        Request request;
        Kind    kind  = Kind::still;
        long    stamp = 0;
        int     order = 0;
    };
    void work(std::stop_token stop);
    void deliver(std::vector<std::pair<long, Picture>> pictures);

    const double m_liveRest;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::map<QString, Waiting> m_waiting;
    std::map<QString, std::stop_source> m_making;    // of the batch at work
    std::map<QString, long> m_oldestWanted;          // pictures with a lower stamp come too late
    long m_stamp = 0;
    std::jthread m_thread;   // last: starts when the rest is there, ends first
};
