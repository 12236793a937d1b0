// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_area.h"

#include "images/image_grid.h"
#include "parts/view_panel.h"
#include "session/view_requests.h"
#include "work/worker.h"

#include "views/views.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"

#include <QDragEnterEvent>
#include <QFileInfo>
#include <QImageReader>
#include <QMimeData>
#include <QVBoxLayout>

#include <cmath>

using namespace credence;

namespace {

/// Dragged local files and folders; empty: none that can be an image.
QStringList picturesIn(const QDropEvent& event)
{
    static const auto suffixes = QImageReader::supportedImageFormats();
    QStringList files;
    for (const auto& url : event.mimeData()->urls()) {
        const QFileInfo file(url.toLocalFile());
        if (!url.isLocalFile() || (!file.isDir() && !suffixes.contains(file.suffix().toLower().toLatin1())))
            return {};
        files += file.filePath();
    }
    return files;
}

}   // namespace

ImageArea::ImageArea(QWidget* parent)
    : QWidget(parent), m_grid(new ImageGrid(this)), m_confusion(new ViewPanel(credence::view("confusion"), this))
{
    m_confusion->setObjectName(QStringLiteral("centreConfusion"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_grid);

    connect(m_grid, &ImageGrid::imageChosen, this, &ImageArea::imageChosen);
    connect(m_grid, &ImageGrid::sightChanged, this,
            [this](const std::vector<std::uint32_t>& images) { m_predictor.setSight(images); });
    connect(m_grid, &ImageGrid::partChanged, this, [this] {
        m_newest.reset();
        if (m_snapshot.experiment)
            predict();
    });
    connect(m_grid, &ImageGrid::oodWanted, this, &ImageArea::readOod);
    setAcceptDrops(true);
    connect(&m_confusion->chartView()->hand(), &ChartHand::pointClicked, this,
            [this](int, double x, double y) { showCell(x, y); });
    connect(&m_predictor, &ImagePredictor::arrived, this, &ImageArea::receive);
    connect(&m_predictor, &ImagePredictor::failed, this, &ImageArea::predictionFailed);
}

void ImageArea::predict() { m_predictor.ask(m_snapshot, m_grid->part(), m_live, m_prune, m_grid->ood()); }

/// The OOD image set may be read from files.
void ImageArea::readOod()
{
    m_readingOod = true;
    inBackground(
        this, [experiment = m_snapshot.experiment] { return ood_images(experiment); },
        [this, request = ++m_oodRequest](std::optional<std::shared_ptr<const OodImages>> ood, const QString& mistake) {
        if (request != m_oodRequest)
            return;
        m_readingOod = false;
        m_grid->setOod(ood ? *ood : nullptr);
        if (!mistake.isEmpty())
            Q_EMIT predictionFailed(mistake);
        });
}

/// Other data or another OOD set: discards the set that was read.
void ImageArea::followOod()
{
    const auto& experiment = *m_snapshot.experiment;
    if (m_oodOf == std::pair(experiment.data, experiment.study.prediction.other_data))
        return;
    m_oodOf               = {experiment.data, experiment.study.prediction.other_data};
    m_readingOod          = false;
    const bool currentRun = m_grid->part() == ImagePart::ood;
    ++m_oodRequest;
    m_grid->setOod(nullptr);
    if (currentRun)
        m_grid->setPart(ImagePart::ood);
}

void ImageArea::setSnapshot(const RunSnapshot& run, bool live, const PruneRule& prune)
{
    if (!run.experiment || !has_images(*run.experiment)) {
        m_snapshot = {};
        m_newest.reset();
        m_predictor.forget();
        return;
    }
    const bool same = m_snapshot.snapshot == run.snapshot && m_snapshot.experiment == run.experiment && m_live == live
                      && m_prune == prune;
    m_snapshot = run;
    m_live     = live;
    m_prune    = prune;
    m_grid->setExperiment(run.experiment);
    followOod();
    if (!same)
        predict();
}

void ImageArea::setReading(const QString& sentence)
{
    if (!sentence.isEmpty())
        m_predictor.forget();
    else if (m_snapshot.experiment)
        predict();
    m_grid->setReading(sentence);
}

void ImageArea::receive(const std::shared_ptr<const PredictedImages>& images)
{
    if (images->part != m_grid->part() || images->ood != m_grid->ood() || !m_snapshot.experiment
        || images->run.experiment->data != m_snapshot.experiment->data)
        return;
    m_newest = images;
    m_grid->setPredictions(images);
    drawConfusion();
}

void ImageArea::drawConfusion()
{
    if (!m_confusion->view().applies(*m_newest->run.experiment))
        return;   // imported predictions without true classes: the page is hidden
    if (m_newest->part == ImagePart::ood) {
        Chart chart{
            .id    = "confusion",
            .title = m_confusion->view().title,
            .message =
                tr("OOD images have classes unknown to the network, so there is no true class to count. Choose the "
                   "test or training images above.")
                    .toStdString()};
        m_confusion->setChart(chart);
        Q_EMIT confusionMade(chart);
        return;
    }
    auto chart = image_confusion(m_newest->run, m_newest->part, m_newest->rows, m_newest->draws);
    m_confusion->chartView()->setStudyJson(QByteArray::fromStdString(studyCarriedBy(*m_newest->run.experiment)));
    if (m_newest->live && !m_newest->whole())
        chart.caption += tr(" Training is in progress: some rows are from earlier steps.").toStdString();
    chart.table.reset();   // the chart uses all the space; Show data has its numbers
    m_confusion->setChart(chart);
    Q_EMIT confusionMade(chart);
}

void ImageArea::dragEnterEvent(QDragEnterEvent* event)
{
    if (m_snapshot.experiment && !picturesIn(*event).isEmpty())
        event->acceptProposedAction();
}

void ImageArea::dropEvent(QDropEvent* event)
{
    const auto files = picturesIn(*event);
    if (files.isEmpty())
        return;
    event->acceptProposedAction();
    Q_EMIT filesDropped(files);
}

void ImageArea::showCell(double predicted, double truth)
{
    if (!m_snapshot.experiment)
        return;
    const int k = static_cast<int>(std::lround(truth)), j = static_cast<int>(std::lround(predicted));
    const int classes = static_cast<int>(m_snapshot.experiment->data->training.n_classes());
    if (k < 0 || j < 0 || k >= classes || j >= classes)
        return;
    m_grid->setFilter(ImageFilter::all);
    m_grid->filterClasses(k, j);
    Q_EMIT gridWanted();
}
