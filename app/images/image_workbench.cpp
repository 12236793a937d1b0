// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_workbench.h"

#include "images/edit_panels.h"
#include "images/image_canvas.h"
#include "images/image_verdict.h"
#include "images/thumbnail_strip.h"
#include "views/image_rows.h"
#include "views/view_support.h"
#include "widgets/chart_view.h"
#include "work/text.h"
#include "work/worker.h"

#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>

#include <cmath>

// Editing of the image and its display. For the layout see image_workbench_layout.cpp.

using namespace credence;

namespace {

/// The part whose rows can be selected.
const Dataset& scored(const Experiment& experiment)
{
    return experiment.data->test.n_rows > 0 ? experiment.data->test : experiment.data->training;
}

NamedImage imageOfRow(const Experiment& experiment, int row)
{
    const bool tests   = experiment.data->test.n_rows > 0;
    const auto& labels = scored(experiment).labels;   // imported predictions may have none
    const auto bytes   = image_bytes(experiment, tests ? ImagePart::test : ImagePart::training,
                                     static_cast<std::size_t>(row));
    const QString part = experiment.outputs                  ? ImageWorkbench::tr("image %1")
                         : !tests                            ? ImageWorkbench::tr("training image %1")
                         : has_validation_images(experiment) ? ImageWorkbench::tr("validation image %1")
                                                             : ImageWorkbench::tr("test image %1");
    return {{bytes.begin(), bytes.end()},
            part.arg(row).toStdString(),
            labels.empty() ? std::nullopt : std::optional(labels[static_cast<std::size_t>(row)]),
            row};
}

}   // namespace

void ImageWorkbench::leave()
{
    m_experiment.reset();
    releaseImage();
}

/// Discards pending work on the previous image.
void ImageWorkbench::releaseImage()
{
    ++m_morphRequest;
    m_morphing = false;
    m_rest.stop();
}

void ImageWorkbench::startAfresh(const std::shared_ptr<const Experiment>& experiment)
{
    leave();
    m_experiment           = experiment;
    const ImageShape shape = *experiment->data->image;
    m_image                = {};
    m_image.shape          = shape;
    m_image.base.pixels.resize(static_cast<std::size_t>(shape.size()));
    m_original         = m_image.base;   // black until an image is selected
    m_takeNextAsTarget = false;
    m_canvas->clearStrokes();
    QStringList classes;
    for (const auto& name : experiment->data->training.class_names)
        classes += toQString(name);
    m_disturb->setKind(classes, std::ceil(std::max(shape.width, shape.height) / 2.0));
    m_nearest->clear();
    fitModes();
}

void ImageWorkbench::setChosen(const std::shared_ptr<const Experiment>& experiment, const ViewOptions& options)
{
    if (!has_images(*experiment))
        return leave();
    const bool otherData = !m_experiment || m_experiment->data != experiment->data;
    if (otherData)
        startAfresh(experiment);
    m_experiment = experiment;
    if (!otherData && m_request.isOf(options))
        return;
    NamedImage chosen;
    if (options.input.values.empty()) {
        if (options.input.row >= scored(*m_experiment).n_rows)
            return;
        chosen = imageOfRow(*m_experiment, static_cast<int>(options.input.row));
    } else {
        std::vector<float> pixels(options.input.values.begin(), options.input.values.end());
        if (m_experiment->outputs)   // identified by the row number
            pixels = view_support::picture_values(*m_experiment, pixels);
        if (pixels.size() != static_cast<std::size_t>(m_image.shape.size()))
            return;
        chosen = {std::move(pixels), options.input.name, options.input.label, {}};
    }
    if (!otherData && std::exchange(m_takeNextAsTarget, false)) {
        morphInto(chosen);
        return announce(false);   // the image being edited stays selected
    }
    m_request    = {.input    = options.input.values,
                    .name     = options.input.name,
                    .label    = options.input.label,
                    .row      = options.input.values.empty() ? std::optional(static_cast<int>(options.input.row))
                                                             : std::nullopt,
                    .base_row = {}};
    m_original   = chosen;
    m_nearestDue = true;
    if (m_mode == Mode::draw)
        setMode(Mode::look);
    setBase(std::move(chosen));
    if (experiment->outputs)
        setMode(Mode::look);
}

void ImageWorkbench::setBase(NamedImage base)
{
    m_image.base        = std::move(base);
    m_image.disturbance = {};
    m_image.morph.reset();
    m_disturb->setDisturbance({});
    releaseImage();
    showImage();
}

void ImageWorkbench::showImage()
{
    if (m_mode == Mode::draw) {
        m_canvas->setImage(drawn_image(m_canvas->strokes(), m_image.shape), m_image.shape);
        m_canvas->setInset(m_draw->centres() ? pictureOf(m_image.base.pixels, m_image.shape) : QImage(),
                           tr("network input"));
    } else {
        m_canvas->setImage(m_image.pixels(), m_image.shape);
        m_canvas->setInset({}, {});
    }
    const bool back = m_image.base.name != m_original.name || !m_image.untouched();
    m_back->setEnabled(back);
    m_back->setToolTip(back ? tr("Back to %1").arg(toQString(m_original.name)) : tr("This is the original image"));
    m_draw->setDrawn(!m_canvas->strokes().empty());
}

void ImageWorkbench::setMode(Mode mode)
{
    if (mode == m_mode)
        return;
    const Mode before = std::exchange(m_mode, mode);
    m_modes[static_cast<int>(mode)]->setChecked(true);
    m_takeNextAsTarget = false;
    m_canvas->setDrawing(mode == Mode::draw);
    m_tools->setVisible(mode != Mode::look);
    if (mode != Mode::look)
        m_tools->setCurrentIndex(mode == Mode::draw ? 0 : 1);
    m_tools->updateGeometry();
    if (!m_experiment)
        return;
    if (mode == Mode::draw)
        drawn();
    else if (before == Mode::draw && m_canvas->strokes().empty())
        takeBack();   // nothing was drawn
    else
        showImage();
}

void ImageWorkbench::drawn()
{
    if (!m_experiment)
        return;
    const auto& strokes = m_canvas->strokes();
    setBase({m_draw->centres() ? centred_drawing(strokes, m_image.shape) : drawn_image(strokes, m_image.shape),
             (strokes.empty() ? tr("empty drawing") : tr("drawn image")).toStdString(),
             {},
             {}});
    announceMoving();
}

void ImageWorkbench::disturbedBy(const Disturbance& disturbance)
{
    if (!m_experiment)
        return;
    const bool needsTarget = disturbance.morph > 0 && !m_image.morph && !m_morphing;
    m_image.disturbance    = disturbance;
    if (needsTarget && m_disturb->targetClass() != DisturbPanel::nextChosen)
        wantTarget(m_disturb->targetClass(), false);
    showImage();
    announceMoving();
}

void ImageWorkbench::wantTarget(int targetClass, bool another)
{
    if (!m_experiment)
        return;
    m_takeNextAsTarget = targetClass == DisturbPanel::nextChosen;
    if (m_takeNextAsTarget)
        return m_disturb->setTargetWords(tr("Select an image in the grid or by its number"));
    const auto& labels = scored(*m_experiment).labels;
    std::vector<int> rows;
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (labels[i] == targetClass && m_image.base.row != static_cast<int>(i))
            rows.push_back(static_cast<int>(i));
    if (rows.empty())
        return m_disturb->setTargetWords(tr("There is no other image of that class"));
    m_targetTurn = another ? m_targetTurn + 1 : m_targetTurn;
    morphInto(imageOfRow(*m_experiment, rows[static_cast<std::size_t>(m_targetTurn) % rows.size()]));
}

/// Computing the morph path takes some milliseconds, so it runs in the background.
void ImageWorkbench::morphInto(const NamedImage& target)
{
    m_disturb->setTargetWords(toQString(target.name));
    m_morphing = true;
    inBackground(
        this,
        [a = m_image.base.pixels, b = target.pixels, shape = m_image.shape] {
        return std::make_shared<const ImageMorph>(a, b, shape, suitable_morph(a, b, shape));
        },
        [this, target, request = ++m_morphRequest](std::optional<std::shared_ptr<const ImageMorph>> morph,
                                                   const QString&) {
        if (request != m_morphRequest)
            return;
        m_morphing = false;
        if (!morph)
            return;
        m_image.target   = target;
        m_image.morph    = *morph;
        auto disturbance = m_disturb->disturbance();
        if (disturbance.morph == 0) {   // starts with a visible effect
            disturbance.morph = 0.5;
            m_disturb->setDisturbance(disturbance);
        }
        m_image.disturbance = disturbance;
        showImage();
        announceMoving();
    });
}

void ImageWorkbench::takeBack()
{
    if (!m_experiment)
        return;
    if (m_mode == Mode::draw)
        setMode(Mode::look);
    setBase(m_original);
    announce(false);
}

/// Requests quick charts now and full ones when the editing pauses.
void ImageWorkbench::announceMoving()
{
    announce(true);
    m_rest.start();
}

void ImageWorkbench::announce(bool draft)
{
    if (!m_experiment)
        return;
    ImageRequest request{.input    = {},
                         .name     = {},
                         .label    = {},
                         .row      = {},
                         .base_row = m_image.base.row,
                         .own      = m_image.base.name != m_original.name,
                         .draft    = draft};
    if (m_image.base.row && m_image.untouched()) {
        request.row = m_image.base.row;
    } else {
        const auto pixels = m_image.pixels();
        request.input.assign(pixels.begin(), pixels.end());
        request.name  = m_image.name();
        request.label = m_image.label();
    }
    m_request    = request;
    m_nearestDue = true;
    Q_EMIT requested(request);
}

void ImageWorkbench::addTo(ViewOptions& options) const
{
    if (!m_experiment)
        return;
    const auto doubles = [](const std::vector<float>& values) {
        return std::vector<double>(values.begin(), values.end());
    };
    options.disturbance.applied      = m_image.effective();
    options.disturbance.morph_target = doubles(m_image.target.pixels);
    if (!m_image.untouched()) {
        options.disturbance.undisturbed      = doubles(m_image.base.pixels);
        options.disturbance.undisturbed_name = m_image.base.name;
    }
}

std::vector<std::string> ImageWorkbench::wantedViews() const
{
    std::vector<std::string> views{m_chartKind->isChecked() ? "intervals" : "boxplots", "verdict"};
    if (m_nearestDue && !m_rest.isActive() && !(m_experiment && m_experiment->outputs))
        views.emplace_back("nearest_images");
    return views;
}

void ImageWorkbench::setPicture(const std::string& view, const Chart& chart)
{
    if (view == "boxplots" || view == "intervals") {
        if (view == (m_chartKind->isChecked() ? "intervals" : "boxplots")) {
            Chart shown = chart;
            if (!shown.panels.empty())
                shown.panels.front().title.clear();   // shown in the headline below, which has space for it
            m_chart->setChart(shown);
        }
    } else if (view == "verdict") {
        m_verdict->setVerdict(chart);
        m_canvas->setAccessibleDescription(m_verdict->headline()->text());
    } else if (view == "nearest_images" && m_experiment
               && m_nearest->setNearest(chart, *m_experiment, m_image.label())) {
        m_nearestDue = false;
    }
}
