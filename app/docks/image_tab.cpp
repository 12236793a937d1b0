// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/image_tab.h"

#include "images/image_workbench.h"
#include "parts/view_binder.h"
#include "session/app_context.h"
#include "work/text.h"

#include "views/image_rows.h"

using namespace credence;

namespace {

const QString imagePlaces = QStringLiteral("image/");   ///< pictures of the workbench: these and their view

}   // namespace

ImageTab::ImageTab(AppContext& context, ViewBinder& binder, QWidget* parent)
    : QObject(parent), m_context(context), m_workbench(new ImageWorkbench(parent))
{
    m_workbench->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    binder.add({.prefix      = imagePlaces,
                .views       = {QStringLiteral("nearest_images")},
                .show        = [this](const QString& view,
                               const Chart& chart) { m_workbench->setPicture(view.toStdString(), chart); },
                .followInput = true,
                .wanted      = [this](int samples) { return wanted(samples); }});
    context.choices.alsoFrom([this](ViewOptions& options) { m_workbench->addTo(options); });
    connect(m_workbench, &ImageWorkbench::requested, this, &ImageTab::take);
    for (const auto signal : {&ImageWorkbench::viewsChanged, &ImageWorkbench::becameVisible})
        connect(m_workbench, signal, &binder, [&binder] { binder.requestOthers(imagePlaces); });
    connect(m_workbench, &ImageWorkbench::exportRequested, &binder, &ViewBinder::exportRequested);
    connect(&binder, &ViewBinder::fitted, this, &ImageTab::followSelection);
    connect(&context.selection, &Selection::changed, this, &ImageTab::followSelection);
}

void ImageTab::followSelection()
{
    if (const auto& experiment = m_context.selection.experiment())
        m_workbench->setChosen(experiment, m_context.requests.chosen());
}

void ImageTab::take(const ImageRequest& request)
{
    m_context.selection.chooseMade({.input  = request.input,
                                    .name   = request.name,
                                    .label  = request.label,
                                    .madeOf = request.base_row,
                                    .drawn  = !request.base_row && request.own},
                                   request.draft);
}

std::vector<ViewScheduler::Request> ImageTab::wanted(int samples)
{
    std::vector<ViewScheduler::Request> requests;
    const auto& experiment = m_context.session.run().experiment;
    if (!m_workbench->isVisible() || !experiment || !has_images(*experiment))
        return requests;
    auto options    = m_context.requests.options();
    options.samples = samples;
    options.picture = false;   // it is next to them
    for (const auto& id : m_workbench->wantedViews())
        requests.push_back(m_context.requests.of(imagePlaces + toQString(id), view(id), options));
    return requests;
}
