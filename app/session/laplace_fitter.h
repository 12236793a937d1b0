// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/shown_run.h"
#include "work/worker.h"

/// Fits curvature and prior precision of a Laplace approximation after its training, and again when other ones are requested.
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

    /// What the Study of this run says of its curvature and precision, at its newest moment.
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
