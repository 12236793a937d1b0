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
    credence::RunSnapshot run;   ///< snapshot of the newest predictions
    credence::ImagePart part = credence::ImagePart::test;
    /// [n]; some may belong to an earlier snapshot while newer ones are computed
    std::vector<credence::RowPrediction> rows{};
    std::vector<std::uint16_t> draws_of{};   ///< weight samples per row [n]
    std::size_t current  = 0;                ///< rows of this snapshot
    std::size_t wrong    = 0;                ///< of those, misclassified
    std::size_t finished = 0;                ///< rows of this snapshot with all samples of the Study
    int draws            = 0;                ///< all samples of the Study, or fewer during training
    bool live            = false;
    std::shared_ptr<const credence::OodImages> ood{};   ///< the OOD images, for part `ood`
    bool whole() const { return finished == rows.size(); }
};

/// Predicts every image of the displayed run on a low-priority thread.
///
/// Without training: first the visible images with all samples of the Study; then, if all samples
/// would be slow, a quick pass over the other images; finally these with all samples too. Results
/// are published at most four times a second; a newer request cancels an older one.
/// During training: the visible images first, then the others in turn, with few samples. About 0.1
/// s of CPU time is followed by a pause nine times as long, so that training loses about 10 %.
class ImagePredictor : public QObject {
    Q_OBJECT
public:
    explicit ImagePredictor(QObject* parent = nullptr);

    /// @param prune    weights removed before predicting
    /// @param ood  the OOD images, for part `ood`
    void ask(const credence::RunSnapshot& run, credence::ImagePart part, bool live,
             const credence::PruneRule& prune = {}, std::shared_ptr<const credence::OodImages> ood = {});
    void setSight(std::vector<std::uint32_t> images);   ///< the visible images, which are predicted first
    void forget();                                      ///< Cancels the request and the computation in progress.
    bool busy() const { return m_worker.busy(); }       ///< Is a request waiting or in progress?

signals:
    void arrived(std::shared_ptr<const PredictedImages> images);
    void failed(const QString& sentence);

private:
    struct Request {
        credence::RunSnapshot run;
        credence::ImagePart part;
        bool live;
        credence::PruneRule prune;
        std::shared_ptr<const credence::OodImages> ood;
    };
    std::size_t begin(const Request& request);
    void look(const Request& request, std::stop_token stop, Worker::Progress& progress);
    void lookWhileTraining(const Request& request, const std::stop_token& stop, Worker::Progress& progress);
    bool predict(const Request& request, const std::vector<std::uint32_t>& images, int draws, std::stop_token stop);
    std::vector<std::uint32_t> sightBelow(int draws) const;
    std::vector<std::uint32_t> nextBelow(int draws, std::size_t most);
    void deliver(Worker::Progress& progress);

    std::optional<Request> m_newest;   // window thread only
    mutable std::mutex m_mutex;
    std::vector<std::uint32_t> m_sight;   // guarded by the mutex

    // Used only by the thread.
    PredictedImages m_known;
    // Samples of the current snapshot per image; 0: the row is of an earlier one.
    std::vector<std::uint16_t> m_currentDraws;
    std::size_t m_turn = 0;   // next position of the pass through all images
    double m_cost      = 0;   // last measured seconds per sample and image; 0: unknown

    Worker m_worker;   // last: its thread ends first
};
