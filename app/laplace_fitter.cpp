// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace_fitter.h"

#include "low_priority.h"

#include "foundation/error.h"
#include "study/laplace_fit.h"

using namespace credence;

LaplaceFitter::LaplaceFitter(std::function<void(Answer)> deliver, std::function<void(Progress)> tell)
    : m_deliver(std::move(deliver)), m_tell(std::move(tell)), m_thread([this](std::stop_token stop) { work(stop); })
{
}

LaplaceFitter::~LaplaceFitter() { cancel(); }   // the jthread asks for a stop and joins

int LaplaceFitter::submit(Wish wish)
{
    const std::lock_guard lock(m_mutex);
    m_waiting = std::move(wish);
    if (!m_quick)
        m_current.request_stop();
    m_wake.notify_one();
    return ++m_latest;
}

void LaplaceFitter::cancel()
{
    const std::lock_guard lock(m_mutex);
    m_waiting.reset();
    m_current.request_stop();
}

void LaplaceFitter::work(std::stop_token stop)
{
    lowerThisThread(viewNiceness);
    while (true) {
        std::optional<Wish> wish;
        std::stop_token     newer;
        Answer              answer;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return m_waiting.has_value(); }))
                return;
            wish.swap(m_waiting);
            m_current      = {};
            const auto has = laplace_of(*wish->at);
            m_quick        = has && has->curvature()->options() == wish->options.curvature && wish->options.precision_from == PrecisionFrom::hand;
            newer          = m_current.get_token();
            answer.request = m_latest;
        }
        const auto tell = [&](double share, std::optional<double> seconds_left) { m_tell({answer.request, share, seconds_left}); };
        try {
            Threads threads;
            threads.run([&] {
                const LowerHelpers lower(viewNiceness);
                auto fit        = fit_laplace(*wish->experiment, *wish->at, wish->options, newer, tell);
                answer.snapshot = std::move(fit.snapshot);
                answer.sentence = std::move(fit.note);
            });
            if (!answer.snapshot)
                continue;   // stopped
        } catch (const Error& error) {
            answer.field    = error.field();
            answer.sentence = error.what();
        } catch (const std::exception& error) {
            answer.sentence = error.what();
        }
        if (!newer.stop_requested())
            m_deliver(std::move(answer));
    }
}
