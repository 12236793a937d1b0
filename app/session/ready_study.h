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

    /// Another Study. One that trains alike is ready with what is ready now.
    /// @return  false: it has to be made
    bool take(const credence::Study& study);
    /// What speaks against fitting the method of the Study to what is ready; then it is refused, and what is ready stays. @pre experiment
    std::optional<credence::Error> misfit();
    void make();        ///< nothing is ready until `made`
    void makeAgain();   ///< if it was refused: something outside of it has changed, a file that was missing has come

    /// Points that are drawn or erased do not throw away what was learned: the net on show, if it fits the new data, is what the next training begins with.
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
    bool m_wentOn  = false;                                     // what was ready before began with a trained net
    std::shared_ptr<const credence::Experiment> m_experiment;   // of m_study; null while it is being made
    std::shared_ptr<const credence::Experiment>
        m_fromStart;   // where m_experiment begins with a trained net: the one that begins anew
    Worker m_maker{{.niceness = trainingNiceness}};
};
