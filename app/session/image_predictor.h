// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "work/worker.h"

#include "posterior/pruning.h"
#include "views/image_rows.h"

#include <QObject>

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

/// Current predictions for all images of a part.
struct PredictedImages {
    credence::RunMoment moment;   ///< of the newest predictions
    credence::ImagePart part = credence::ImagePart::test;
    std::vector<credence::RowPrediction>
        rows{};                              ///< [n]; some may be of an earlier moment while newer ones are being made
    std::vector<std::uint16_t> draws_of{};   ///< weight draws behind each row [n]
    std::size_t current  = 0;                ///< rows of this moment
    std::size_t wrong    = 0;                ///< of those: predicted as another class than their own
    std::size_t finished = 0;                ///< rows of this moment by all draws of the Study
    int draws            = 0;                ///< all draws of the Study, or fewer while training goes on
    bool live            = false;
    std::shared_ptr<const credence::ForeignImages> foreign{};   ///< of part `foreign`: whose images these are
    bool whole() const { return finished == rows.size(); }
};

/// Predicts every image of the displayed run on a low-priority thread.
///
/// Without training: first the visible images with all samples of the Study, then a quick pass over
/// the others if all samples would be slow, then those with all samples too. Results are published
/// at most four times a second; a newer request cancels an older one. During training: visible
/// images first, then the others in turn, with few samples, for about 0.1 s of CPU time followed by
/// nine times as long a pause, so that training loses about 10 %.
class ImagePredictor : public QObject {
    Q_OBJECT
public:
    explicit ImagePredictor(QObject* parent = nullptr);

    /// @param prune    weights removed before predicting
    /// @param foreign  the images of part `foreign`
    void ask(const credence::RunMoment& moment, credence::ImagePart part, bool live,
             const credence::PruneRule& prune = {}, std::shared_ptr<const credence::ForeignImages> foreign = {});
    void setSight(std::vector<std::uint32_t> images);   ///< those that come first
    void forget();                                      ///< no request any more: what is being made is dropped
    bool busy() const { return m_worker.busy(); }       ///< is something asked for or being made?

signals:
    void arrived(std::shared_ptr<const PredictedImages> images);
    void failed(const QString& sentence);

private:
    struct Request {
        credence::RunMoment moment;
        credence::ImagePart part;
        bool live;
        credence::PruneRule prune;
        std::shared_ptr<const credence::ForeignImages> foreign;
    };
    void look(const Request& request, std::stop_token stop, Worker::Progress& progress);
    bool predict(const Request& request, const std::vector<std::uint32_t>& images, int draws, std::stop_token stop);
    std::vector<std::uint32_t> sightBelow(int draws) const;
    std::vector<std::uint32_t> nextBelow(int draws, std::size_t most);
    void deliver(Worker::Progress& progress);

    std::optional<Request> m_newest;   // of the window's thread only
    mutable std::mutex m_mutex;
    std::vector<std::uint32_t> m_sight;   // behind the mutex

    // Used only by the thread.
    PredictedImages m_known;
    std::vector<std::uint16_t> m_currentDraws;   // of the moment at work; 0: of an earlier one
    std::size_t m_turn = 0;                      // where the turn through all images goes on
    double m_cost      = 0;                      // seconds for one draw of one image, as measured last; 0: unknown

    Worker m_worker;   // last: its thread ends first
};
