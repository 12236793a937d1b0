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

/// The Study under edit, made ready in the background: its data are read and split, and the start of its net is drawn.
class ReadyStudy : public QObject {
    Q_OBJECT
public:
    explicit ReadyStudy(credence::Study study, QObject* parent = nullptr);

    const credence::Study& study() const { return m_study; }
    /// What a training of it begins with; null while it is being made, and where that was refused.
    const std::shared_ptr<const credence::Experiment>& experiment() const { return m_experiment; }
    bool refused() const { return m_refused; }   ///< it has a mistake
    /// Does a training of it begin with a net that was trained on other points?
    bool goesOn() const { return m_fromStart != nullptr; }
    /// Then: the points that were added and erased since. The step is 0.
    const credence::PointsChange& pointsSince() const { return m_pointsSince; }

    /// Another Study. One that trains alike is ready with what is ready now.
    /// @return  false: it has to be made
    bool take(const credence::Study& study);
    /// What speaks against fitting the method of the Study to what is ready; then it is refused, and what is ready stays. @pre experiment
    std::optional<credence::Error> misfit();
    void make();        ///< nothing is ready until `made`
    void makeAgain();   ///< if it was refused: something outside of it has changed, a file that was missing has come

    /// After points are drawn or erased the next training starts from the network on show, if that fits the new data and was trained on none of their test rows.
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
