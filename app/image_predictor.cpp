// SPDX-License-Identifier: GPL-3.0-or-later
#include "image_predictor.h"

#include "low_priority.h"
#include "settings.h"

#include "foundation/parallel.h"

#include <algorithm>
#include <chrono>
#include <limits>

using namespace credence;

namespace {

using Clock = std::chrono::steady_clock;

constexpr double liveSeconds    = 0.1;    ///< for a look while training goes on: about one a second
constexpr double restPerWork    = 9;      ///< training gets nine tenths
constexpr double patience       = 0.5;    ///< seconds: if all draws of all images take longer, fewer draws come first
constexpr double tellingPeriod  = 0.25;   ///< seconds between two deliveries of one look
constexpr int    fewDraws       = 10;     ///< enough for intervals that mean something
constexpr int    mostLiveDraws  = 40;
constexpr std::size_t block     = 250;    ///< images at once

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

}  // namespace

ImagePredictor::ImagePredictor(QObject* parent) : QObject(parent), m_thread([this](std::stop_token stop) { work(stop); }) {}

ImagePredictor::~ImagePredictor()
{
    forget();
    m_thread.request_stop();
    m_thread.join();
}

void ImagePredictor::ask(const RunMoment& moment, ImagePart part, bool live)
{
    const std::lock_guard lock(m_mutex);
    m_wish = Wish{moment, part, live, ++m_stamp};
    const bool same = m_making && m_making->live && live && m_making->part == part && m_making->moment.experiment == moment.experiment;
    if (!same) {
        m_oldestWanted = m_stamp;
        m_stopMaking.request_stop();
    }
    m_wake.notify_one();
}

void ImagePredictor::setSight(std::vector<std::uint32_t> images)
{
    const std::lock_guard lock(m_mutex);
    m_sight = std::move(images);
}

void ImagePredictor::forget()
{
    const std::lock_guard lock(m_mutex);
    m_wish.reset();
    m_oldestWanted = ++m_stamp;
    m_stopMaking.request_stop();
}

bool ImagePredictor::busy() const
{
    const std::lock_guard lock(m_mutex);
    return m_wish || m_making;
}

void ImagePredictor::work(std::stop_token stop)
{
    lowerThisThread(viewNiceness);
    Threads threads;
    auto rested = Clock::now();   // when the next look at a training may begin
    while (true) {
        Wish wish;
        std::stop_token stopped;
        {
            std::unique_lock lock(m_mutex);
            m_making.reset();
            if (!m_wake.wait(lock, stop, [this] { return m_wish.has_value(); }))
                return;
            // A training is given its time; a wish that is not live ends the rest.
            while (m_wish && m_wish->live && Clock::now() < rested && !stop.stop_requested())
                m_wake.wait_until(lock, stop, rested, [this] { return !m_wish || !m_wish->live; });
            if (stop.stop_requested())
                return;
            if (!m_wish)
                continue;
            wish     = std::move(*m_wish);
            m_making = wish;
            m_wish.reset();
            m_stopMaking = {};
            stopped      = m_stopMaking.get_token();
        }
        const double begin = threadSeconds();
        threads.run([&] {
            const LowerHelpers lower(viewNiceness);
            look(wish, stopped);
        });
        if (wish.live)
            rested = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(restPerWork * (threadSeconds() - begin)));
    }
}

/// Measures what a draw costs. @return false: stopped
bool ImagePredictor::predict(const Wish& wish, const std::vector<std::uint32_t>& images, int draws, std::stop_token stop)
{
    const double begin = threadSeconds();
    const auto   rows  = image_row_predictions(wish.moment, wish.part, images, draws, stop);
    if (stop.stop_requested() || rows.size() != images.size())
        return false;
    for (std::size_t i = 0; i < images.size(); ++i) {
        m_known.rows[images[i]]     = rows[i];
        m_known.draws_of[images[i]] = m_currentDraws[images[i]] = static_cast<std::uint16_t>(draws);
    }
    if (!images.empty())
        m_cost = (threadSeconds() - begin) / (static_cast<double>(images.size()) * draws);
    return true;
}

/// Images in sight that have fewer draws of this moment.
std::vector<std::uint32_t> ImagePredictor::sightBelow(int draws) const
{
    const std::lock_guard lock(m_mutex);
    std::vector<std::uint32_t> images;
    for (const auto image : m_sight)
        if (image < m_currentDraws.size() && m_currentDraws[image] < draws)
            images.push_back(image);
    return images;
}

/// The next images in turn that have fewer draws of this moment.
std::vector<std::uint32_t> ImagePredictor::nextBelow(int draws, std::size_t most)
{
    std::vector<std::uint32_t> images;
    const std::size_t n = m_currentDraws.size();
    for (std::size_t looked = 0; looked < n && images.size() < most; ++looked, m_turn = (m_turn + 1) % n)
        if (m_currentDraws[m_turn] < draws)
            images.push_back(static_cast<std::uint32_t>(m_turn));
    return images;
}

void ImagePredictor::look(const Wish& wish, std::stop_token stop)
{
    const auto& experiment = *wish.moment.experiment;
    const auto  n          = images_of(experiment, wish.part).data->n_rows;
    if (n == 0)
        return;
    const int all = std::min(PosteriorPredictive(experiment.model, wish.moment.snapshot->posterior, experiment.study.prediction.samples, experiment.study.seed).n_samples(),
                             static_cast<int>(std::numeric_limits<std::uint16_t>::max()));
    if (!m_known.moment.experiment || m_known.moment.experiment->data != experiment.data || m_known.part != wish.part) {
        m_known      = {.moment = {}, .part = wish.part};
        m_known.rows.resize(n);
        m_known.draws_of.resize(n);
        m_turn = 0;
    }
    if (!m_known.moment.experiment || m_known.moment.experiment->model.architecture != experiment.model.architecture)
        m_cost = 0;
    m_known.moment = wish.moment;
    m_known.live   = wish.live;
    m_currentDraws.assign(n, 0);
    const auto allAtOnce = [&](double seconds) { return m_cost > 0 ? static_cast<int>(std::min(1e6, seconds / (m_cost * static_cast<double>(n)))) : 0; };
    if (wish.live) {
        const int draws = std::min(all, std::clamp(allAtOnce(liveSeconds), fewDraws, mostLiveDraws));
        m_known.draws   = draws;
        const double begin = threadSeconds();
        if (!predict(wish, sightBelow(draws), draws, stop))
            return;
        deliver(wish.stamp);
        while (threadSeconds() - begin < liveSeconds) {
            const auto images = nextBelow(draws, block);
            if (images.empty())
                break;
            if (!predict(wish, images, draws, stop))
                return;
        }
        deliver(wish.stamp);
        return;
    }
    m_known.draws = all;
    auto told = Clock::now() - std::chrono::hours(1);
    while (true) {
        auto images = sightBelow(all);   // it may have changed since
        int  draws  = all;
        if (images.empty() && all > fewDraws && allAtOnce(patience) < all) {
            images = nextBelow(1, 2 * block);
            draws  = fewDraws;
        }
        if (images.empty()) {
            images = nextBelow(all, block);
            draws  = all;
        }
        if (images.empty())
            break;
        if (!predict(wish, images, draws, stop))
            return;
        if (secondsSince(told) > tellingPeriod) {
            told = Clock::now();
            deliver(wish.stamp);
        }
    }
    deliver(wish.stamp);
}

void ImagePredictor::deliver(long stamp)
{
    m_known.current  = static_cast<std::size_t>(std::count_if(m_currentDraws.begin(), m_currentDraws.end(), [](auto draws) { return draws > 0; }));
    m_known.finished = static_cast<std::size_t>(std::count_if(m_currentDraws.begin(), m_currentDraws.end(), [this](auto draws) { return draws >= m_known.draws; }));
    QMetaObject::invokeMethod(this, [this, stamp, told = std::make_shared<const PredictedImages>(m_known)] {
        {
            const std::lock_guard lock(m_mutex);
            if (stamp < m_oldestWanted)
                return;   // a late answer to an old question
        }
        Q_EMIT arrived(told);
    }, Qt::QueuedConnection);
}
