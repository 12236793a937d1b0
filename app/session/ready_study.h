// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/shown_run.h"
#include "work/worker.h"

#include "foundation/error.h"
#include "runs/experiment.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>

/// Prepares the Study under edit in the background: reads and splits its data and draws the initial
/// network.
class ReadyStudy : public QObject {
    Q_OBJECT
public:
    explicit ReadyStudy(credence::Study study, QObject* parent = nullptr);

    const credence::Study& study() const { return m_study; }
    /// The starting point of training; null while preparing or after a refusal.
    const std::shared_ptr<const credence::Experiment>& experiment() const { return m_experiment; }
    bool refused() const { return m_refused; }   ///< it has a mistake
    /// Does training start from a network trained on other points?
    bool goesOn() const { return m_fromStart != nullptr; }
    /// If so: the points added and erased since. The step is 0.
    const credence::PointsChange& pointsSince() const { return m_pointsSince; }

    /// Sets the Study. One with the same training reuses the current preparation.
    /// @return  false: it must be prepared
    bool take(const credence::Study& study);
    /// Checks the method of the Study against the prepared data; on error the Study is refused and
    /// the preparation is kept. @pre experiment
    std::optional<credence::Error> misfit();
    void make();        ///< nothing is ready until `made`
    void makeAgain();   ///< if it was refused: something outside of it has changed, a file that was missing has come

    /// Makes the next training start from the displayed network after points were drawn or erased,
    /// if it fits the new data and was not trained on any of their test rows.
    /// @pre experiment
    void goOnFrom(const ShownRun& shown);
    void beginAnew();   ///< it begins with its own start

signals:
    void begun();   ///< to make what was refused
    void made();
    void failed(const QString& field, const QString& sentence);   ///< it is refused now

private:
    credence::Study m_study;
    bool m_refused = false;
    std::shared_ptr<const credence::Experiment>
        m_before;   // what was trained last, where what was ready before began with its net
    std::shared_ptr<const credence::Experiment> m_experiment;   // of m_study; null while it is being made
    std::shared_ptr<const credence::Experiment>
        m_fromStart;   // where m_experiment begins with a trained net: the one that begins anew
    std::shared_ptr<const credence::Experiment> m_trainedOn;   // then: what that net was trained on
    credence::PointsChange m_pointsSince;
    Worker m_maker{{.niceness = trainingNiceness}};
};
