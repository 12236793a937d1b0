// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_area.h"

#include "docks/view_panel.h"
#include "images/image_grid.h"
#include "session/view_requests.h"

#include "views/views.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"

#include <QTabWidget>
#include <QVBoxLayout>

#include <cmath>

using namespace credence;

ImageArea::ImageArea(QWidget* parent)
    : QWidget(parent), m_tabs(new QTabWidget(this)), m_grid(new ImageGrid(this)),
      m_confusion(new ViewPanel(credence::view("confusion"), this))
{
    m_tabs->setObjectName(QStringLiteral("imagePages"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_grid, tr("Images"));
    m_tabs->addTab(m_confusion, tr("Confusion"));
    m_tabs->setCornerWidget(m_grid->tools());
    connect(m_tabs, &QTabWidget::currentChanged, this,
            [this] { m_grid->tools()->setVisible(m_tabs->currentWidget() == m_grid); });   // other pages have their own
    m_tabs->setTabToolTip(0, tr("Every image with what the run says of it"));
    m_tabs->setTabToolTip(1, tr("True against predicted class; a click on a cell shows its images"));
    m_confusion->setObjectName(QStringLiteral("centreConfusion"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_tabs);

    connect(m_grid, &ImageGrid::imageChosen, this, &ImageArea::imageChosen);
    connect(m_grid, &ImageGrid::sightChanged, this,
            [this](const std::vector<std::uint32_t>& images) { m_predictor.setSight(images); });
    connect(m_grid, &ImageGrid::partChanged, this, [this] {
        m_newest.reset();
        if (m_moment.experiment)
            predict();
    });
    connect(&m_confusion->chartView()->hand(), &ChartHand::pointClicked, this,
            [this](int, double x, double y) { showCell(x, y); });
    connect(&m_predictor, &ImagePredictor::arrived, this, &ImageArea::receive);
    connect(&m_predictor, &ImagePredictor::failed, this, &ImageArea::predictionFailed);
}

void ImageArea::predict() { m_predictor.ask(m_moment, m_grid->part(), m_live, m_prune); }

void ImageArea::setMoment(const RunMoment& moment, bool live, const PruneRule& prune)
{
    if (!moment.experiment || !has_images(*moment.experiment)) {
        m_moment = {};
        m_newest.reset();
        m_predictor.forget();
        return;
    }
    const bool same = m_moment.snapshot == moment.snapshot && m_moment.experiment == moment.experiment && m_live == live
                      && m_prune == prune;
    m_moment = moment;
    m_live   = live;
    m_prune  = prune;
    m_grid->setExperiment(moment.experiment);
    if (!same)
        predict();
}

void ImageArea::setReading(const QString& sentence)
{
    if (!sentence.isEmpty())
        m_predictor.forget();
    else if (m_moment.experiment)
        predict();
    m_grid->setReading(sentence);
}

void ImageArea::receive(const std::shared_ptr<const PredictedImages>& images)
{
    if (images->part != m_grid->part() || !m_moment.experiment
        || images->moment.experiment->data != m_moment.experiment->data)
        return;
    m_newest = images;
    m_grid->setPredictions(images);
    drawConfusion();
}

void ImageArea::drawConfusion()
{
    if (!m_confusion->view().applies(*m_newest->moment.experiment))
        return;   // outputs from elsewhere without true classes: its page is hidden
    auto chart = image_confusion(m_newest->moment, m_newest->part, m_newest->rows, m_newest->draws);
    m_confusion->chartView()->setStudyJson(QByteArray::fromStdString(studyCarriedBy(*m_newest->moment.experiment)));
    if (m_newest->live && !m_newest->whole())
        chart.caption += tr(" Training goes on: some rows are of earlier steps.").toStdString();
    chart.table.reset();   // the picture has all the room; Show data has its numbers
    m_confusion->setChart(chart);
    Q_EMIT confusionMade(chart);
}

void ImageArea::showCell(double predicted, double truth)
{
    if (!m_moment.experiment)
        return;
    const int k = static_cast<int>(std::lround(truth)), j = static_cast<int>(std::lround(predicted));
    const int classes = static_cast<int>(m_moment.experiment->data->training.n_classes());
    if (k < 0 || j < 0 || k >= classes || j >= classes)
        return;
    m_grid->setFilter(ImageFilter::all);
    m_grid->filterClasses(k, j);
    m_tabs->setCurrentWidget(m_grid);
}
