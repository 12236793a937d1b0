// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure_export.h"

#include "parts/export_dialog.h"
#include "runs/archive.h"
#include "runs/film_frames.h"
#include "session/app_context.h"
#include "views/view_navigator.h"
#include "widgets/film.h"
#include "work/text.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

using namespace credence;

namespace {

/// The recorded steps of a run, also while it trains.
SavedRun recordedRun(const DisplayedRun& run)
{
    return {.name      = run.experiment->study.name,
            .started   = {},
            .study     = run.experiment->study,
            .report    = {},
            .history   = run.history,
            .snapshots = run.recorded()};
}

std::optional<std::string> typedTitle(const QString& title)
{
    return title.isEmpty() ? std::nullopt : std::optional(title.toStdString());
}

}   // namespace

QString FigureExport::whyNoFilm() const
{
    const auto& run = m_context.session.run();
    if (!run.experiment)
        return tr("No run is displayed.");
    if (run.ofOutputs())
        return tr("Imported predictions have no training steps to film.");
    return run.recorded().size() < 2
               ? tr("The displayed run has fewer than two recorded steps. Press Train, or display a saved run.")
               : QString();
}

void FigureExport::askFilm(const QString& chosen)
{
    if (!whyNoFilm().isEmpty() || !isFree())
        return;
    const auto experiment = m_context.session.run().experiment;
    const auto run        = std::make_shared<const SavedRun>(recordedRun(m_context.session.run()));
    FilmChoices choices{.chosen = chosen, .recorded = static_cast<int>(run->snapshots.size())};
    for (const auto& view : views())
        if (view.applies(*experiment)) {
            choices.views.push_back({toQString(view.id), toQString(view.title)});
            choices.names[choices.views.back().id] = fileNameOf(choices.views.back().id);
        }
    choices.frames = [run](int frames, const QString& title) {
        return film_frames(run->study, run->snapshots, static_cast<std::size_t>(frames), typedTitle(title));
    };
    choices.preview = [this, run, experiment](const QString& id) {
        return m_context.requests.printAt(snapshot_of(*run, run->snapshots.size() - 1, experiment),
                                          view(id.toStdString()));
    };
    auto* dialog = new FilmDialog(std::move(choices), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this,
            [this, dialog, run, experiment] { film(dialog->order(), *run, experiment); });
    dialog->open();
}

/// Computes the charts in the same way as those of a report: all of them are needed before the
/// common scales are known.
void FigureExport::film(const FilmOrder& order, const SavedRun& run, std::shared_ptr<const Experiment> experiment)
{
    if (!isFree())
        return;
    const auto frames  = film_frames(run.study, run.snapshots, static_cast<std::size_t>(order.frames),
                                     typedTitle(order.title));
    const View& filmed = view(order.view.toStdString());
    std::vector<ExportJob::Figure> figures;
    for (std::size_t k = 0; k < frames.size(); ++k) {
        const auto snapshot = snapshot_of(run, frames[k].snapshot, experiment);
        figures.push_back({QString::number(k), tr("Step %1").arg(toQString(snapshot.snapshot->point.step)),
                           [k, make = m_context.requests.printAt(snapshot, filmed)](std::stop_token stop) {
            auto chart = make(std::move(stop));
            if (chart)
                chart->id = std::to_string(k);   // the writer identifies the frame by this id
            return chart;
                           }});
    }
    ExportJob::Writers writers;
    writers.report = [frames, style = order.style, study = QByteArray::fromStdString(to_text(run.study))](
                         const std::vector<Chart>& charts, const QString& file) -> ExportJob::Step {
        std::vector<FilmFrame> drawn;
        for (const auto& chart : charts)
            drawn.push_back(frames.at(std::stoul(chart.id)));
        return [writer = std::make_shared<FilmWriter>(charts, std::move(drawn), style, file, study)] {
            return writer->step();
        };
    };
    m_exporter->start(order.target, std::move(figures), std::move(writers));
}
