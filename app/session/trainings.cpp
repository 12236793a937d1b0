// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/trainings.h"

#include "session/displayed_run.h"

#include "runs/train.h"

#include <algorithm>

using namespace credence;

Trainings::Trainings(TrainingRun::Train train, QObject* parent) : QObject(parent), m_train(std::move(train)) {}

void Trainings::goOnIn(std::unique_ptr<CheckpointSlot> place, const Study& study,
                       std::shared_ptr<const CheckpointSlot::Files> files)
{
    m_interrupted      = std::move(place);
    m_interruptedFiles = std::move(files);
    m_interruptedStudy = study;
}

QString Trainings::next(const Study& study) const
{
    return m_interrupted && sameTraining(m_interruptedStudy, study) ? m_interrupted->name() : QString();
}

/// A run has no checkpoints if nothing can be written.
std::unique_ptr<CheckpointSlot> Trainings::placeFor(const Study& study)
{
    if (m_interrupted && sameTraining(m_interruptedStudy, study))
        return std::move(m_interrupted);
    m_interruptedFiles.reset();
    return CheckpointSlot::free();
}

void Trainings::start(std::shared_ptr<const Experiment> experiment, bool paused)
{
    m_holding  = false;
    auto place = m_train ? nullptr : placeFor(experiment->study);
    auto train = m_train ? m_train
                         : [](const Experiment& of, std::stop_token stop, TrainingControl* control,
                              const TrainingEvents& events) {
        return credence::train(of, std::move(stop), control, events).report;
    };
    m_run      = std::make_unique<TrainingRun>(
        std::move(experiment), paused, std::move(place), std::exchange(m_interruptedFiles, nullptr), std::move(train),
        [this, number = ++m_number] { m_mailbox.post([this, number] { receive(number); }); }, m_rate,
        std::exchange(m_pauseNextAt, 0));
    if (paused)
        m_run->stepOnce();
}

void Trainings::letGo(bool keepState)
{
    if (!m_run)
        return;
    m_holding = false;
    if (keepState) {
        m_run->stopAndKeepState();
    } else {
        m_run->forget();
        m_run->requestStop();
    }
    m_ending.emplace_back(m_number, std::move(m_run));
}

void Trainings::leaveBehind()
{
    m_run->leave();
    m_ending.emplace_back(m_number, std::move(m_run));
}

void Trainings::setRate(double stepsPerSecond)
{
    m_rate = stepsPerSecond;
    if (m_run)
        m_run->setRate(m_rate);
}

void Trainings::hold()
{
    m_holding = true;
    m_run->leave();
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
        const auto last = old->second->takeMail();
        if (!last.report)
            return;
        const QString place   = old->second->placeName();
        const auto experiment = old->second->experiment();
        const bool wasLeft    = old->second->wasLeft();
        m_ending.erase(old);   // now its folder is free, unless it is in the mail
        if (wasLeft)
            Q_EMIT leftBehind(experiment, *last.report, last.left);
        else if (last.keepsState)
            Q_EMIT stopped(place);
        return;
    }
    if (!m_run || number != m_number)
        return;
    const auto mail = m_run->takeMail();
    Q_EMIT told(mail);
    if (!mail.report || !m_run || number != m_number)
        return;
    const auto experiment = m_run->experiment();
    m_run.reset();   // the thread only has to return
    m_holding = false;
    if (mail.left)
        Q_EMIT held(*mail.report, mail.left);
    else
        Q_EMIT ended(experiment, mail);
}
