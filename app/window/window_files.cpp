// SPDX-License-Identifier: GPL-3.0-or-later
// Opening, saving, importing, exporting.
#include "window/main_window.h"

#include "docks/prediction_area.h"
#include "docks/view_panel.h"
#include "parts/ask_export.h"
#include "parts/message_bar.h"
#include "session/settings.h"
#include "tools/bridge_sampling_panel.h"
#include "tools/data_sets_dialog.h"
#include "tools/import_dialog.h"
#include "tools/open_logits.h"
#include "work/in_background.h"
#include "work/text.h"

#include "foundation/error.h"
#include "study/fields.h"
#include "study/image_settings.h"
#include "study/names.h"
#include "study/settings_table.h"
#include "study/table_settings.h"
#include "widgets/export_figure.h"
#include "widgets/report.h"
#include "widgets/study_metadata.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QPushButton>
#include <QStatusBar>

using namespace credence;

void MainWindow::say(const QString& sentence) { statusBar()->showMessage(sentence, 15000); }

void MainWindow::refreshTitle()
{
    const QString name = m_file.isEmpty() ? QString::fromStdString(m_session.study().name)
                                          : QFileInfo(m_file).fileName();
    setWindowTitle(tr("%1[*] — Credence").arg(name));
    setWindowModified(!(m_session.study() == m_saved));
}

void MainWindow::openDialog()
{
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Open a study, a kept run, or a figure that carries its study"), read(settings::lastFolder),
        tr("Everything that can be opened (*.json *.credence *.pdf *.svg *.png *.csv *.tex *.html *.npz);;Studies (*.json);;Kept runs (*.credence);;"
           "Figures and reports (*.pdf *.svg *.png *.csv *.tex *.html);;Gaussians over logits (*.npz);;All files (*)"));
    if (file.isEmpty())
        return;
    write(settings::lastFolder, QFileInfo(file).path());
    openFile(file);
}

void MainWindow::openFile(const QString& file)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    const QString name   = QFileInfo(file).fileName();
    const int wish       = ++m_opening;
    const auto timely    = [this, wish](const QString& mistake) {
        if (wish == m_opening && !mistake.isEmpty()) {
            statusBar()->clearMessage();   // nothing is being read any more
            m_message->say(mistake);       // what was open stays
        }
        return wish == m_opening && mistake.isEmpty();
    };
    if (suffix == QStringLiteral("json")) {
        try {
            openStudy(load_study(file.toStdString()), file);
        } catch (const std::exception& error) {
            m_message->say(QString::fromUtf8(error.what()));
        }
        return;
    }
    if (suffix == QStringLiteral("npz")) {
        openLogits(file);
        return;
    }
    say(tr("Reading %1 …").arg(name));
    if (suffix == QStringLiteral("credence")) {
        inBackground(
            this, [file] { return load_run(file.toStdString()); },
            [this, file, timely](std::optional<KeptRun> run, const QString& mistake) {
            if (!timely(mistake))
                return;
            showRun(m_runs.addLoaded(std::move(*run), file));
            });
        return;
    }
    const bool csv   = suffix == QStringLiteral("csv");
    const bool table = csv || suffix == QStringLiteral("tsv") || suffix == QStringLiteral("data")
                       || suffix == QStringLiteral("txt");
    inBackground(
        this,
        [file, name, table, csv] {
        const auto json = table && !csv ? std::nullopt
                                        : studyIn(file);   // of the tables, only those that Credence writes carry one
        if (!json && !table)
            throw Error(name.toStdString() + ": carries no Study, expected a figure or table that Credence exported.");
        return json ? std::optional(study_from_text(json->toStdString(), file.toStdString())) : std::nullopt;
        },
        [this, file, timely](const std::optional<std::optional<Study>>& study, const QString& mistake) {
        if (!timely(mistake))
            return;
        statusBar()->clearMessage();
        if (*study)
            openStudy(**study, file);
        else
            importTable(file);
    });
}

void MainWindow::openStudy(const Study& study, const QString& file)
{
    m_editor.edit(study, tr("Open %1").arg(QFileInfo(file).fileName()));
    m_message->hide();
    if (QFileInfo(file).suffix().toLower() == QStringLiteral("json") && file != lastStudyFile()) {
        m_file  = file;
        m_saved = study;
        rememberFile(file);
    } else {
        m_file.clear();
        say(tr("The Study of %1 is open.").arg(QFileInfo(file).fileName()));
    }
    refreshTitle();
}

void MainWindow::rememberFile(const QString& file)
{
    auto recent = read(settings::recentStudies);
    recent.removeAll(file);
    recent.prepend(file);
    write(settings::recentStudies, QStringList(recent.mid(0, read(settings::recentLimit))));
}

bool MainWindow::save(bool as)
{
    if (const QString mistake = m_editor.commit(); !mistake.isEmpty()) {
        m_message->say(tr("Not saved. %1").arg(mistake));
        return false;
    }
    QString file = m_file;
    if (as || file.isEmpty()) {
        const QString folder = read(settings::lastFolder);
        file                 = QFileDialog::getSaveFileName(
                            this, tr("Save study"), (folder.isEmpty() ? QString() : folder + '/') + QStringLiteral("study.json"),
                            tr("Studies (*.json)"));
        if (file.isEmpty())
            return false;
        if (QFileInfo(file).suffix().isEmpty())
            file += QStringLiteral(".json");
        write(settings::lastFolder, QFileInfo(file).path());
    }
    try {
        save_study(m_session.study(), file.toStdString());
    } catch (const std::exception& error) {
        m_message->say(QString::fromUtf8(error.what()));
        return false;
    }
    m_file  = file;
    m_saved = m_session.study();
    rememberFile(file);
    refreshTitle();
    say(tr("Saved %1.").arg(QFileInfo(file).fileName()));
    return true;
}

void MainWindow::importTable(const QString& file)
{
    const Study& now = m_session.study();
    const bool csv   = now.data.source == DataSource::csv;
    ImportDialog::ask(file.isEmpty() && csv ? toQString(now.data.file) : file, csv ? now.data.csv : CsvOptions{}, this,
                      [this](const ImportDialog& dialog) { takeTable(dialog); });
}

void MainWindow::takeTable(const ImportDialog& dialog)
{
    const Study& now    = m_session.study();
    Study after         = with_data_source(now, DataSource::csv);   // a net for images suits no table
    after.data.file     = QFileInfo(dialog.file()).absoluteFilePath().toStdString();
    after.data.csv      = dialog.options();
    after.data.csv.task = dialog.facts().task;
    after.name          = QFileInfo(dialog.file()).completeBaseName().toStdString();
    after.note.clear();
    QStringList changes;
    if (now.data.source != DataSource::csv) {   // settings made for points rarely suit a table; those made for one stay
        const Study suited = with_table_settings(after, dialog.facts().rows);
        for (const auto& line : differences(after, suited))
            changes += toQString(line);
        after = suited;
    }
    m_editor.edit(after, tr("Import %1").arg(QFileInfo(dialog.file()).fileName()));
    if (!changes.isEmpty())
        m_message->say(tr("Imported %1 rows. To begin with: %2. Ctrl+Z takes all back.")
                           .arg(dialog.facts().rows)
                           .arg(changes.join(QStringLiteral("; "))));
}

void MainWindow::openLogitsDialog()
{
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Open Gaussians over logits"), read(settings::lastFolder),
        tr("NumPy archives with mean and variance or covariance (*.npz);;Arrays in one folder (mean.npy);;All files (*)"));
    if (file.isEmpty())
        return;
    write(settings::lastFolder, QFileInfo(file).path());
    openLogits(file);
}

void MainWindow::openLogits(const QString& file)
{
    if (!m_logits)
        shareKeys(m_logits = new OpenLogits(this));
    m_logits->open(file);
    m_logits->present();
}

void MainWindow::showBridgeSampling()
{
    if (!m_sampling)
        shareKeys(m_sampling = new BridgeSamplingPanel(this));
    m_sampling->present();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const auto urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const auto urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile()) {
        event->acceptProposedAction();
        openFile(urls.front().toLocalFile());
    }
}

void MainWindow::showDataSets()
{
    if (!m_dataSets) {
        shareKeys(m_dataSets = new DataSetsDialog(this));
        connect(m_dataSets, &DataSetsDialog::useSet, this, &MainWindow::useImageSet);
        connect(m_dataSets, &DataSetsDialog::setArrived, this, [this](const QString& id) {
            if (m_session.study().data.source == DataSource::images
                && QString::fromStdString(m_session.study().data.images.set) == id)
                m_session.prepareAgain();
        });
    }
    m_dataSets->refresh();
    m_dataSets->present();
}

/// Stroke digits and letters are a source of their own; all others are images of a set.
void MainWindow::useImageSet(const QString& id)
{
    const Study& now   = m_session.study();
    const bool strokes = id.startsWith(QStringLiteral("stroke-"));
    Study after        = with_data_source(now, strokes ? DataSource::strokes : DataSource::images);
    const bool same    = is_images(now.data.source);
    if (strokes)
        after.data.images.alphabet = id == QStringLiteral("stroke-letters") ? StrokeAlphabet::letters
                                                                            : StrokeAlphabet::digits;
    else
        after.data.images.set = id.toStdString();
    after.data.images.only_classes.clear();   // classes of another set
    if (after == now) {
        m_session.prepareAgain();
        return;
    }
    after.name = named_for_source(after);
    after.note.clear();
    m_editor.edit(after, tr("Use data set %1").arg(id));
    if (!same)
        m_message->say(
            tr("The study uses %1. Changed with it: network, posterior, prior and training as in the papers for images. Ctrl+Z takes all back.")
                .arg(id));
    else
        say(tr("The study uses %1.").arg(id));
}

bool MainWindow::exportIsFree()
{
    if (!m_export.busy())
        return true;
    m_message->say(
        tr("An export is being written: %1 of %2 figures are made. The next one can begin when it has ended.")
            .arg(m_export.made())
            .arg(m_export.wanted()),
        {{tr("Cancel that export"), [this] { m_export.cancel(); }}});
    return false;
}

void MainWindow::exportDialog(const QString& chosen)
{
    if (!m_fitted || !exportIsFree())
        return;
    ExportChoices choices{{}, chosen};
    if (m_predictions->comparing())
        choices.figures.emplace_back(QStringLiteral("compare_decision_maps"), tr("Decision maps compared"));
    for (const auto& view : views())
        if (view.applies(*m_fitted))
            choices.figures.emplace_back(QString::fromStdString(view.id), QString::fromStdString(view.title));
    for (const auto& figure : ownFigures())
        choices.figures.push_back(figure);
    askExport(choices, this, [this](const ExportOrder& order) { exportFigures(order); });
}

void MainWindow::reportDialog()
{
    if (!m_fitted || !exportIsFree())
        return;
    ExportChoices choices{{}, {}, true};
    for (const auto& view : views())
        if (view.applies(*m_fitted))
            choices.figures.emplace_back(QString::fromStdString(view.id), QString::fromStdString(view.title));
    askExport(choices, this, [this](const ExportOrder& order) { exportFigures(order); });
}

/// Figures are made anew in full quality in the background, of the moment on show now and with its Study, whatever is changed meanwhile.
void MainWindow::exportFigures(const ExportOrder& order)
{
    if (!m_session.shownExperiment() || !exportIsFree())
        return;
    std::vector<ExportJob::Figure> figures;
    for (const auto& id : order.views) {
        if (id == QStringLiteral("compare_decision_maps")) {
            figures.push_back({id, tr("Decision maps compared"),
                               [chart = m_predictions->comparison()->chart()](std::stop_token) { return chart; }});
        } else if (auto own = makerOfOwnFigure(id)) {
            figures.push_back({id, id, std::move(*own)});
        } else {
            const auto& view = credence::view(id.toStdString());
            figures.push_back({id, QString::fromStdString(view.title), printMakerFor(view)});
        }
    }
    const Study& study    = m_session.shownExperiment()->study;
    const QByteArray json = QByteArray::fromStdString(*shownStudy());
    m_exportFolder        = order.folder;
    m_export.start(order, std::move(figures),
                   {[json, options = order.options](const Chart& chart, const QString& file) {
        exportChart(chart, file, options, json);
                    },
                    [json, study, setting = QString::fromStdString(shared_setting(m_session.moment()))](
                        const std::vector<Chart>& charts, const QString& file) {
        writeReport({QString::fromStdString(study.name), QString::fromStdString(study.note), json, charts,
                     settings_table(study), setting},
                    file);
                   }});
}

void MainWindow::refreshExport()
{
    m_exportWords->setVisible(m_export.busy());
    m_exportWords->setText(tr("Exporting: %1 of %2 · Cancel").arg(m_export.made()).arg(m_export.wanted()));
}
