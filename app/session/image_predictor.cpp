// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/image_predictor.h"

#include "runs/derived_runs.h"

#include <algorithm>
#include <chrono>
#include <limits>

using namespace credence;

namespace {

using Clock = std::chrono::steady_clock;

constexpr double liveSeconds = 0.1;   ///< CPU seconds per pass during training; about one pass per second
constexpr double restPerWork = 9;     ///< ratio of pause to work: training gets nine tenths of the time
/// seconds; if all samples of all images take longer, a quick pass with fewer comes first
constexpr double wholeLook      = 0.5;
constexpr double deliveryPeriod = 0.25;   ///< seconds between two updates of one pass
constexpr int fewDraws          = 10;     ///< enough for meaningful intervals
constexpr int mostLiveDraws     = 40;
constexpr std::size_t block     = 250;   ///< images per batch

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

}   // namespace

ImagePredictor::ImagePredictor(QObject* parent) : QObject(parent), m_worker({.rest = restPerWork})
{
    connect(&m_worker, &Worker::failed, this,
            [this](const QString&, const QString& sentence) { Q_EMIT failed(sentence); });
}

void ImagePredictor::ask(const RunSnapshot& run, ImagePart part, bool live, const PruneRule& prune,
                         std::shared_ptr<const OodImages> ood)
{
    const bool same = m_newest && m_newest->live && live && m_newest->part == part && m_newest->ood == ood
                      && m_newest->run.experiment == run.experiment;
    m_newest = Request{run, part, live, prune, std::move(ood)};
    m_worker.submit(
        [this, request = *m_newest](std::stop_token stop, Worker::Progress& progress) mutable -> Worker::Show {
            request.run = pruned(request.run, request.prune);
            look(request, std::move(stop), progress);
            return {};
        },
        same ? Worker::Newer::waits_for_old : Worker::Newer::stops_old,
        live ? Worker::Pace::rested : Worker::Pace::at_once);
}

void ImagePredictor::setSight(std::vector<std::uint32_t> images)
{
    const std::lock_guard lock(m_mutex);
    m_sight = std::move(images);
}

void ImagePredictor::forget()
{
    m_newest.reset();
    m_worker.cancel();
}

/// Measures the cost of a sample. @return false: stopped
bool ImagePredictor::predict(const Request& request, const std::vector<std::uint32_t>& images, int draws,
                             std::stop_token stop)
{
    const double begin = threadSeconds();
    const auto rows    = image_row_predictions(request.run, request.part, images, draws, stop, request.ood.get());
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

/// Returns the visible images with fewer samples of this snapshot.
std::vector<std::uint32_t> ImagePredictor::sightBelow(int draws) const
{
    const std::lock_guard lock(m_mutex);
    std::vector<std::uint32_t> images;
    for (const auto image : m_sight)
        if (image < m_currentDraws.size() && m_currentDraws[image] < draws)
            images.push_back(image);
    return images;
}

/// Returns the next images in turn with fewer samples of this snapshot.
std::vector<std::uint32_t> ImagePredictor::nextBelow(int draws, std::size_t most)
{
    std::vector<std::uint32_t> images;
    const std::size_t n = m_currentDraws.size();
    for (std::size_t looked = 0; looked < n && images.size() < most; ++looked, m_turn = (m_turn + 1) % n)
        if (m_currentDraws[m_turn] < draws)
            images.push_back(static_cast<std::uint32_t>(m_turn));
    return images;
}

/// Starts a request. Rows of an earlier step of the same run stay until newer ones arrive. @return
/// number of images
std::size_t ImagePredictor::begin(const Request& request)
{
    const auto& experiment = *request.run.experiment;
    const auto n           = images_of(experiment, request.part, request.ood.get()).data->n_rows;
    const auto& known      = m_known.run;
    if (n == 0)
        return 0;
    if (!known.experiment || known.experiment->start != experiment.start
        || known.snapshot->point.step > request.run.snapshot->point.step || m_known.part != request.part
        || m_known.ood != request.ood) {
        m_known = {.run = {}, .part = request.part, .ood = request.ood};
        m_known.rows.resize(n);
        m_known.draws_of.resize(n);
        m_turn = 0;
    }
    if (!m_known.run.experiment || m_known.run.experiment->model.architecture != experiment.model.architecture)
        m_cost = 0;
    m_known.run  = request.run;
    m_known.live = request.live;
    m_currentDraws.assign(n, 0);
    return n;
}

void ImagePredictor::look(const Request& request, std::stop_token stop, Worker::Progress& progress)
{
    const auto n = begin(request);
    if (n == 0)
        return;
    const auto& experiment = *request.run.experiment;
    const int all          = std::min(PosteriorPredictive(experiment.model, request.run.snapshot->posterior,
                                                          experiment.study.prediction.samples, experiment.study.seed)
                                          .n_samples(),
                                      static_cast<int>(std::numeric_limits<std::uint16_t>::max()));
    const auto allAtOnce   = [&](double seconds) {
        return m_cost > 0 ? static_cast<int>(std::min(1e6, seconds / (m_cost * static_cast<double>(n)))) : 0;
    };
    if (request.live) {
        m_known.draws = std::min(all, std::clamp(allAtOnce(liveSeconds), fewDraws, mostLiveDraws));
        return lookWhileTraining(request, stop, progress);
    }
    m_known.draws = all;
    auto reported = Clock::now() - std::chrono::hours(1);
    while (true) {
        auto images = sightBelow(all);   // the visible images may have changed since
        int draws   = all;
        if (images.empty() && all > fewDraws && allAtOnce(wholeLook) < all) {
            images = nextBelow(1, 2 * block);
            draws  = fewDraws;
        }
        if (images.empty()) {
            images = nextBelow(all, block);
            draws  = all;
        }
        if (images.empty())
            break;
        if (!predict(request, images, draws, stop))
            return;
        if (secondsSince(reported) > deliveryPeriod) {
            reported = Clock::now();
            deliver(progress);
        }
    }
    deliver(progress);
}

void ImagePredictor::lookWhileTraining(const Request& request, const std::stop_token& stop, Worker::Progress& progress)
{
    const double begin = threadSeconds();
    if (!predict(request, sightBelow(m_known.draws), m_known.draws, stop))
        return;
    deliver(progress);
    while (threadSeconds() - begin < liveSeconds) {
        const auto images = nextBelow(m_known.draws, block);
        if (images.empty())
            break;
        if (!predict(request, images, m_known.draws, stop))
            return;
    }
    deliver(progress);
}

void ImagePredictor::deliver(Worker::Progress& progress)
{
    m_known.current = static_cast<std::size_t>(
        std::count_if(m_currentDraws.begin(), m_currentDraws.end(), [](auto draws) { return draws > 0; }));
    const auto& labels = images_of(*m_known.run.experiment, m_known.part, m_known.ood.get()).data->labels;
    m_known.wrong      = 0;
    for (std::size_t i = 0; i < m_currentDraws.size() && m_known.part != ImagePart::ood; ++i)
        m_known.wrong += m_currentDraws[i] > 0 && !labels.empty() && m_known.rows[i].predicted != labels[i];
    m_known.finished = static_cast<std::size_t>(std::count_if(m_currentDraws.begin(), m_currentDraws.end(),
                                                              [this](auto draws) { return draws >= m_known.draws; }));
    progress.show([this, reported = std::make_shared<const PredictedImages>(m_known)] { Q_EMIT arrived(reported); });
}
