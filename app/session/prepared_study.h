// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/displayed_run.h"
#include "work/worker.h"

#include "foundation/error.h"
#include "runs/experiment.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>

/// Prepares the Study under edit in the background: reads and splits its data and draws the initial
/// network.
class PreparedStudy : public QObject {
    Q_OBJECT
public:
    explicit PreparedStudy(credence::Study study, QObject* parent = nullptr);

    const credence::Study& study() const { return m_study; }
    /// The starting point of training; null while preparing or after a refusal.
    const std::shared_ptr<const credence::Experiment>& experiment() const { return m_experiment; }
    bool refused() const { return m_refused; }   ///< the Study has an error
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
    void make();   ///< Nothing is ready until `made`.
    /// Retries a refused Study after an outside change, such as a missing file that is now present.
    void makeAgain();

    /// Makes the next training start from the displayed network after points were drawn or erased,
    /// if it fits the new data and was not trained on any of their test rows.
    /// @pre experiment
    void goOnFrom(const DisplayedRun& shown);
    void beginAnew();   ///< Makes training start from the Study's own initial network.

signals:
    void begun();   ///< Preparation of a refused Study begins.
    void made();
    void failed(const QString& field, const QString& sentence);   ///< The Study is now refused.

private:
    credence::Study m_study;
    bool m_refused = false;
    std::shared_ptr<const credence::Experiment>
        m_before;   // The previously trained experiment, if the previous preparation started from its network.
    std::shared_ptr<const credence::Experiment> m_experiment;   // of m_study; null while preparing
    std::shared_ptr<const credence::Experiment>
        m_fromStart;   // If m_experiment starts from a trained network: the experiment that starts afresh.
    std::shared_ptr<const credence::Experiment> m_trainedOn;   // and the experiment that trained that network
    credence::PointsChange m_pointsSince;
    Worker m_maker{{.niceness = trainingNiceness}};
};
