// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/shown_run.h"
#include "work/worker.h"

/// Fits curvature and prior precision of a Laplace approximation after training, and again on
/// request.
class LaplaceFitter : public QObject {
    Q_OBJECT
public:
    enum class Work { precision, confidence, curvature };
    struct Fitting {
        Work work    = Work::precision;
        double share = 0;   ///< of the curvature
        std::optional<double> secondsLeft{};
    };

    explicit LaplaceFitter(QObject* parent = nullptr);

    /// Fits what the Study of this run specifies, at its newest snapshot.
    void fit(const ShownRun& run);
    void cancel();
    const std::optional<Fitting>& fitting() const { return m_fitting; }   ///< empty: nothing is being fitted

signals:
    void changed();   ///< what is being fitted, or how far
    void fitted(const credence::LaplaceFit& fit);
    void failed(const QString& field, const QString& sentence);

private:
    std::optional<Fitting> m_fitting;
    int m_last   = 0;
    bool m_quick = false;   // the last one only moves a precision that is given by hand
    Worker m_worker;        // last: its thread ends first
};
