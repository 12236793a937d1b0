// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/displayed_run.h"
#include "work/worker.h"

/// Fits curvature and prior precision of a Laplace approximation after training, and again on
/// request.
class LaplaceFitter : public QObject {
    Q_OBJECT
public:
    enum class Work { precision, confidence, curvature };
    struct Fitting {
        Work work    = Work::precision;
        double share = 0;   ///< fraction of the curvature computed
        std::optional<double> secondsLeft{};
    };

    explicit LaplaceFitter(QObject* parent = nullptr);

    /// Fits what the Study of this run specifies, at its newest snapshot.
    void fit(const DisplayedRun& run);
    void cancel();
    const std::optional<Fitting>& fitting() const { return m_fitting; }   ///< empty: no fit in progress

signals:
    void changed();   ///< The fit or its progress changed.
    void fitted(const credence::LaplaceFit& fit);
    void failed(const QString& field, const QString& sentence);

private:
    std::optional<Fitting> m_fitting;
    int m_last   = 0;
    bool m_quick = false;   // the last fit only changes a precision set by hand
    Worker m_worker;        // last: its thread ends first
};
