// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment_maker.h"

#include "foundation/error.h"
#include "low_priority.h"

using namespace credence;

ExperimentMaker::ExperimentMaker(Deliver deliver) : m_deliver(std::move(deliver)), m_thread([this](std::stop_token stop) { work(stop); }) {}

ExperimentMaker::~ExperimentMaker() = default;   // the jthread asks for a stop and joins

int ExperimentMaker::submit(const Study& study)
{
    const std::lock_guard lock(m_mutex);
    m_waiting = study;
    m_wake.notify_one();
    return ++m_latest;
}

void ExperimentMaker::work(std::stop_token stop)
{
    lowerThisThread(trainingNiceness);
    while (true) {
        Answer answer;
        std::optional<Study> study;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return m_waiting.has_value(); }))
                return;
            study.swap(m_waiting);
            answer.request = m_latest;
        }
        try {
            answer.experiment = prepare(*study);
        } catch (const Error& error) {
            answer.field    = error.field();
            answer.sentence = error.what();
        } catch (const std::exception& error) {
            answer.sentence = error.what();
        }
        if (!stop.stop_requested())
            m_deliver(std::move(answer));
    }
}
