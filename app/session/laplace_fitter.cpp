// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/laplace_fitter.h"

using namespace credence;

LaplaceFitter::LaplaceFitter(QObject* parent) : QObject(parent)
{
    connect(&m_worker, &Worker::failed, this, [this](const QString& field, const QString& sentence) {
        if (!m_worker.busy())
            m_fitting.reset();
        Q_EMIT changed();
        Q_EMIT failed(field, sentence);
    });
    connect(&m_worker, &Worker::progressed, this, [this](double share, std::optional<double> secondsLeft) {
        if (!m_fitting)
            return;
        m_fitting->share       = share;
        m_fitting->secondsLeft = secondsLeft;
        Q_EMIT changed();
    });
}

void LaplaceFitter::fit(const DisplayedRun& run)
{
    const auto wanted = run.experiment->study.posterior.laplace;
    const auto has    = laplace_of(*run.newest);
    const bool same   = has && has->curvature()->options() == wanted.curvature;
    // A precision set by hand is fast and is completed, so that the chart follows the slider; a
    // newer fit cancels any other.
    const auto newer = std::exchange(m_quick, same && wanted.precision_from == PrecisionFrom::hand)
                           ? Worker::Newer::waits_for_old
                           : Worker::Newer::stops_old;
    m_worker.submit(
        [this, request = ++m_last, experiment = run.experiment, at = run.newest,
         wanted](std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
            auto fit = fit_laplace(*experiment, *at, wanted, std::move(stop),
                                   [&progress](double share, std::optional<double> left) {
            progress.tell(share, left);
            });
            if (!fit.snapshot)
                return {};   // stopped
            return [this, request, fit = std::move(fit)] {
                if (request == m_last)
                    m_fitting.reset();
                Q_EMIT fitted(fit);
            };
        },
        newer);
    m_fitting = Fitting{.work = !same                                       ? Work::curvature
                                : matches_confidence(wanted.precision_from) ? Work::confidence
                                                                            : Work::precision};
    Q_EMIT changed();
}

void LaplaceFitter::cancel()
{
    m_worker.cancel();   // also drops a result in transit, which belongs to another run
    if (!m_fitting)
        return;
    m_fitting.reset();
    Q_EMIT changed();
}
