// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session.h"

#include "work/text.h"

#include "runs/changed_points.h"
#include "study/method.h"

using namespace credence;

namespace {

/// Do the Studies differ only in their points, after drawing or erasing?
bool onlyPointsDiffer(Study before, const Study& after)
{
    before.data = after.data;
    return after.data.source == DataSource::drawn && sameTraining(std::move(before), after);
}

/// Did it continue from a network with a different split, as earlier versions did after each
/// stroke?
bool mayHaveSeenTestRows(const DisplayedRun& run)
{
    const auto& data = run.experiment->study.data;
    return run.continued && data.source == DataSource::drawn && !data.test_points;
}

/// The trained posterior, not the Gaussian fitted around it; null: none.
std::shared_ptr<const VariationalFamily<float>> trainedOf(const DisplayedRun& run)
{
    const auto trained = [](const Snapshot& snapshot) {
        return std::dynamic_pointer_cast<const VariationalFamily<float>>(snapshot.posterior);
    };
    auto found = trained(*run.newest);
    for (auto one = run.recorded().rbegin(); !found && one != run.recorded().rend(); ++one)
        found = trained(**one);
    return found;
}

}   // namespace

PreparedStudy::PreparedStudy(Study study, QObject* parent) : QObject(parent), m_study(std::move(study))
{
    connect(&m_maker, &Worker::failed, this, [this](const QString& field, const QString& sentence) {
        m_refused = true;
        Q_EMIT failed(field, sentence);
    });
}

bool PreparedStudy::take(const Study& study)
{
    const bool alike = sameTraining(study, m_study) && m_experiment && sameTraining(study, m_experiment->study);
    m_study          = study;
    if (!alike)
        return false;
    m_refused    = false;
    m_experiment = with_study(*m_experiment, m_study);
    if (m_fromStart)
        m_fromStart = with_study(*m_fromStart, m_study);
    return true;
}

std::optional<Error> PreparedStudy::misfit()
{
    try {
        require_method_fits(*m_experiment);
    } catch (const Error& error) {
        m_refused = true;
        return error;
    }
    return {};
}

void PreparedStudy::make()
{
    m_experiment.reset();
    m_refused = false;
    m_maker.submit([this, study = m_study](std::stop_token stop, Worker::Progress&) -> Worker::Show {
        auto ready = prepare(study, std::move(stop));
        if (!ready)
            return {};   // stopped
        return [this, ready = std::move(ready)] {
            m_refused    = false;
            m_experiment = ready;
            m_before     = std::exchange(m_trainedOn, nullptr);
            m_fromStart.reset();
            Q_EMIT made();
        };
    });
}

void PreparedStudy::makeAgain()
{
    if (!m_refused)
        return;
    make();
    Q_EMIT begun();
}

void PreparedStudy::continueFromRun(const DisplayedRun& shown)
{
    if (!shown.experiment || !shown.newest || !onlyPointsDiffer(shown.experiment->study, m_study)
        || sameTraining(shown.experiment->study, m_study))
        return;
    const auto trainedOn = shown.trained() ? shown.experiment : m_before;
    if (!trainedOn || mayHaveSeenTestRows(shown) || !keeps_test_rows_of(*trainedOn->data, *m_experiment->data))
        return;
    auto from = trainedOf(shown);
    if (!from || !(from->layout() == m_experiment->start->layout()))
        return;
    m_trainedOn   = trainedOn;
    m_pointsSince = change_between(*trainedOn->data, *m_experiment->data);
    auto begins   = std::make_shared<Experiment>(*m_experiment);
    begins->start = std::move(from);
    m_fromStart   = std::exchange(m_experiment, std::move(begins));
}

void PreparedStudy::beginAnew()
{
    if (m_fromStart)
        m_experiment = std::exchange(m_fromStart, nullptr);
    m_trainedOn.reset();
}
