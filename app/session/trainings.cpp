// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/trainings.h"

#include "runs/train.h"

#include <algorithm>

using namespace credence;

Trainings::Trainings(TrainingRun::Train train, QObject* parent)
    : QObject(parent), m_train(train ? std::move(train)
                                     : [](const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                                          const TrainingEvents& events) {
    return credence::train(experiment, std::move(stop), control, events).report;
      })
{}

void Trainings::start(const std::shared_ptr<const Experiment>& experiment, bool paused)
{
    m_run = std::make_unique<TrainingRun>(experiment, paused, m_train, [this, number = ++m_number] {
        QMetaObject::invokeMethod(
            this, [this, number] { receive(number); }, Qt::QueuedConnection);
    });
    if (paused)
        m_run->stepOnce();
}

void Trainings::letGo()
{
    if (!m_run)
        return;
    m_run->requestStop();
    m_ending.emplace_back(m_number, std::move(m_run));
}

void Trainings::requestStop()
{
    if (m_run)
        m_run->requestStop();
}

void Trainings::receive(int number)
{
    const auto old = std::find_if(m_ending.begin(), m_ending.end(),
                                  [number](const auto& ending) { return ending.first == number; });
    if (old != m_ending.end()) {
        if (old->second->takeMail().report)
            m_ending.erase(old);
        return;
    }
    if (!m_run || number != m_number)
        return;
    const auto mail = m_run->takeMail();
    Q_EMIT told(mail);
    if (!mail.report || !m_run || number != m_number)
        return;
    const auto experiment = m_run->experiment();
    m_run.reset();   // the thread has nothing more to do than return
    Q_EMIT ended(experiment, mail);
}
