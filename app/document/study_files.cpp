// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/study_files.h"

#include "imports/import_dialog.h"
#include "parts/ask_path.h"
#include "parts/notifier.h"
#include "session/app_context.h"
#include "session/settings.h"
#include "work/text.h"
#include "work/worker.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "results/save_outputs.h"
#include "runs/comparison.h"
#include "study/fields.h"
#include "study/names.h"
#include "study/usual_settings.h"
#include "widgets/study_metadata.h"

#include <QFileInfo>
#include <QLocale>
#include <QMenu>

#include <utility>
#include <variant>

using namespace credence;

namespace {

const QString studySuffix = QStringLiteral("json");
const QString linkSuffix  = toQString(picture_link_suffix).mid(1);   // without its dot

QString suffixOf(const QString& file) { return QFileInfo(file).suffix().toLower(); }

/// The origin stored in a figure or table; empty for tables of other programs.
struct Carried {
    std::optional<Study> study;
    const MethodComparison* comparison = nullptr;   // whose reference is the Study
};

bool isOfNumPy(const QString& file)
{
    return QStringList{QStringLiteral("npz"), QStringLiteral("npy")}.contains(suffixOf(file));
}

/// The file of the document; of an untitled one, a name made from the name of its Study.
QString suggestedFile(const StudyDocument& document, const Study& study)
{
    if (!document.file().isEmpty())
        return document.file();
    const std::vector<std::string> name{study.name};
    return QStringLiteral("%1.%2").arg(toQString(distinct_file_names(name)[0]), studySuffix);
}

}   // namespace

StudyFiles::StudyFiles(AppContext& context, Notifier& notifier, QWidget* window)
    : QObject(window), m_context(context), m_notifier(notifier), m_window(window)
{
    connect(&context.document, &StudyDocument::changed, this, &StudyFiles::titleChanged);
    connect(&context.document, &StudyDocument::left, this, &unsavedStudies::add);
    context.unfinished.add(
        this, {[this] {
            return m_writing.isEmpty()
                       ? QString()
                       : tr("Predictions are being written: %1.").arg(m_writing.join(QStringLiteral(", ")));
        }});
    for (const auto signal : {&Session::snapshotChanged, &Session::stateChanged})
        connect(&context.session, signal, this, [this] {
            const auto& session = m_context.session;
            if (std::exchange(m_outputsDisplayed, session.run().ofOutputs() || session.displaysSaved())
                || m_outputsDisplayed)   // from them, to them, or others
                Q_EMIT titleChanged();
        });
}

QString StudyFiles::title() const
{
    const auto& document = m_context.document;
    const QString name   = document.name();
    const QString study  = document.file().isEmpty() ? tr("%1 (untitled)").arg(name) : name;
    const auto& run      = m_context.session.run();
    if (m_context.session.displaysSaved())
        return tr("%1 (saved run)").arg(toQString(run.experiment->study.name));
    return run.ofOutputs() ? tr("%1, Study %2").arg(toQString(run.experiment->study.name), study) : study;
}

void StudyFiles::open()
{
    askForFile(
        tr("Open a Study, saved run, or figure that contains its Study"),
        tr("All supported files (*.json *.credence *.credence-link *.pdf *.svg *.png *.csv *.tex *.html *.npz "
           "*.npy);;Studies (*.json);;Saved runs (*.credence);;Links (*.credence-link);;Figures and reports (*.pdf "
           "*.svg *.png *.csv *.tex *.html);;Imported predictions, logits (*.npz *.npy);;All files (*)"),
        m_window, [this](const QString& file) { open(file); });
}

void StudyFiles::openLogits()
{
    askForFile(tr("Open Gaussians over logits"),
               tr("NumPy archives with mean and variance or covariance (*.npz);;Arrays in one folder (mean.npy);;All "
                  "files (*)"),
               m_window, [this](const QString& file) { Q_EMIT logitsOpened(file); });
}

/// Returns whether the result is still wanted and was read; a newer request cancels an older one.
std::function<bool(const QString&)> StudyFiles::newestOnly()
{
    return [this, request = m_context.opener.request()](const QString& mistake) {
        const bool newest = m_context.opener.isNewest(request);
        if (newest && !mistake.isEmpty()) {
            m_notifier.clearStatus();
            m_notifier.keep(mistake);
        }
        return newest && mistake.isEmpty();
    };
}

void StudyFiles::open(const QString& given)
{
    const QString file   = QFileInfo(given).absoluteFilePath();   // what is remembered is found from every folder
    const QString suffix = suffixOf(file);
    if (suffix == linkSuffix || suffix == studySuffix) {
        openJson(file, suffix);
    } else if (isOfNumPy(file)) {
        Q_EMIT arraysOpened(file);
    } else {
        m_notifier.notify(tr("Reading %1 …").arg(QFileInfo(file).fileName()));
        suffix == QStringLiteral("credence") ? openRun(file) : openCarrier(file, suffix);
    }
}

/// A link may have the file name of a Study: its content decides.
void StudyFiles::openJson(const QString& file, const QString& suffix)
{
    using Found = std::variant<Study, PictureLink>;
    m_notifier.notify(tr("Reading %1 …").arg(QFileInfo(file).fileName()));
    inBackground(
        this,
        [path = file.toStdString(), suffix]() -> Found {
            if (suffix == linkSuffix || is_picture_link(path))
                return load_picture_link(path);
            return load_study(path);
        },
        [this, file, timely = newestOnly()](const std::optional<Found>& found, const QString& mistake) {
        if (!timely(mistake))
            return;
        m_notifier.clearStatus();
        if (const auto* link = std::get_if<PictureLink>(&*found))
            Q_EMIT linkRead(*link, file);
        else
            openStudy(std::get<Study>(*found), file);
        });
}

void StudyFiles::openRun(const QString& file)
{
    inBackground(
        this, [file] { return load_run(file.toStdString()); },
        [this, file, timely = newestOnly()](std::optional<SavedRun> run, const QString& mistake) {
        if (timely(mistake))
            m_context.opener.show(m_context.runs.addLoaded(std::move(*run), file));
        });
}

/// Opens a figure or table that may contain its Study. Tables not written by Credence are imported.
void StudyFiles::openCarrier(const QString& file, const QString& suffix)
{
    const bool csv   = suffix == QStringLiteral("csv");
    const bool table = csv || suffix == QStringLiteral("tsv") || suffix == QStringLiteral("data")
                       || suffix == QStringLiteral("txt");
    inBackground(
        this,
        [file, table, csv] {
        const auto json = table && !csv ? std::nullopt : studyIn(file);
        if (!json && !table)
            throw Error(QFileInfo(file).fileName().toStdString()
                        + ": contains no Study, expected a figure or table exported by Credence.");
        Carried found;
        if (json) {
            found.study      = study_from_text(json->toStdString(), file.toStdString());
            found.comparison = comparison_with_reference(*found.study);
        }
        return found;
        },
        [this, file, timely = newestOnly()](const std::optional<Carried>& found, const QString& mistake) {
        if (!timely(mistake))
            return;
        m_notifier.clearStatus();
        if (!found->study)
            return importTable(file);
        openCarriedStudy(*found->study, file);
        if (found->comparison)
            offerComparison(*found->comparison, file);
    });
}

/// A figure contains one Study; *Against the reference* contains that of the reference.
void StudyFiles::offerComparison(const MethodComparison& comparison, const QString& file)
{
    m_notifier.note(
        tr("The Study of %1 is the reference of the comparison “%2”. Comparing opens the page with all methods and "
           "runs those that are not saved.")
            .arg(QFileInfo(file).fileName(), toQString(comparison.title)),
        {{tr("Compare with reference"), [this, &comparison] { m_context.reference.begin(comparison); }}});
}

void StudyFiles::openStudy(const Study& study, const QString& file)
{
    if (file.startsWith(sweepsFolder() + QLatin1Char('/')))   // belongs to the sweep, which knows it by its content
        return openCarriedStudy(study, file);
    m_context.document.open(file, study);
    m_notifier.hide();
    remember(file);
}

/// The figure or table does not change: its Study becomes an untitled document.
void StudyFiles::openCarriedStudy(const Study& study, const QString& file)
{
    const QString name = QFileInfo(file).fileName();
    m_context.document.startNew(study, tr("Open %1").arg(name));
    m_notifier.hide();
    m_notifier.notify(tr("The Study of %1 is open.").arg(name));
}

void StudyFiles::remember(const QString& given)
{
    const QString file = QFileInfo(given).absoluteFilePath();
    auto recent        = read(settings::recentStudies);
    recent.removeAll(file);
    recent.prepend(file);
    write(settings::recentStudies, QStringList(recent.mid(0, read(settings::recentLimit))));
}

void StudyFiles::fillRecent(QMenu* menu)
{
    menu->clear();
    for (const auto& file : read(settings::recentStudies)) {
        auto* action = menu->addAction(QFileInfo(file).fileName(), this, [this, file] { open(file); });
        action->setToolTip(file);
        action->setEnabled(QFileInfo::exists(file));
    }
    menu->setToolTipsVisible(true);
}

void StudyFiles::fillUnsaved(QMenu* menu)
{
    menu->clear();
    menu->setToolTipsVisible(true);
    for (const auto& entry : unsavedStudies::all()) {
        const QString when = QLocale().toString(entry.when, QLocale::ShortFormat);
        auto* action       = menu->addAction(tr("%1, %2").arg(entry.document.name(), when), this,
                                             [this, document = entry.document] { resume(document); });
        action->setToolTip(entry.document.file.isEmpty() ? tr("Untitled") : entry.document.file);
    }
    if (menu->isEmpty())
        menu->addAction(tr("None"))->setEnabled(false);
}

void StudyFiles::resume(const DocumentState& document)
{
    const auto state = continued(document);
    m_context.document.resume(state, tr("Open unsaved %1").arg(state.name()));
    m_notifier.hide();
}

void StudyFiles::save(bool as)
{
    if (const QString mistake = m_context.document.commit(); !mistake.isEmpty())
        m_notifier.keep(tr("Not saved. %1").arg(mistake));
    else if (as || m_context.document.file().isEmpty())
        askWhereToSave(tr("Save Study"), tr("Studies (*.json)"),
                       suggestedFile(m_context.document, m_context.session.study()), studySuffix, m_window,
                       [this, asked = m_context.document.identity()](const QString& file) {
            if (asked == m_context.document.identity())
                saveAs(file);
            else
                m_notifier.keep(tr("Not saved: another Study was opened while you chose the file."));
        });
    else if (m_context.document.changedOnDisk())
        askToReplace();
    else
        saveAs(m_context.document.file());
}

void StudyFiles::askToReplace()
{
    auto& document = m_context.document;
    m_notifier.keep(
        tr("Not saved: %1 was changed by another program or window after you opened it.").arg(document.name()),
        {{tr("Replace it"),
          [this, &document, asked = document.identity()] {
        if (asked == document.identity())
            saveAs(document.file());
          }},
         {tr("Save as…"), [this] { save(true); }}});
}

void StudyFiles::saveAs(const QString& file)
{
    try {
        m_context.document.saveAs(file);
    } catch (const std::exception& error) {
        m_notifier.keep(toQString(error.what()));
        return;
    }
    remember(file);
    m_notifier.notify((m_context.session.displaysSaved()
                           ? tr("Saved %1: the Study that you are editing, not that of the displayed run.")
                           : tr("Saved %1."))
                          .arg(QFileInfo(file).fileName()));
}

void StudyFiles::exportOutputs()
{
    const auto& experiment = m_context.session.run().experiment;
    if (!experiment)
        return;   // the first Study is being made ready
    try {
        require_saveable_outputs(*experiment);
    } catch (const Error& error) {
        m_notifier.keep(toQString(error.what()));
        return;
    }
    askWhereToSave(tr("Export the sampled predictions"), tr("NumPy archives (*.npz)"), QStringLiteral("outputs.npz"),
                   QStringLiteral("npz"), m_window, [this](const QString& file) { exportOutputs(file); });
}

void StudyFiles::exportOutputs(const QString& file)
{
    const QString name = QFileInfo(file).fileName();
    m_notifier.notify(tr("Writing %1 …").arg(name));
    m_writing += name;
    inBackground(
        this,
        [snapshot = m_context.session.run().current(), file](std::stop_token stop) {
        return save_outputs(snapshot, file.toStdString(), std::move(stop));
        },
        [this, name](const std::optional<bool>&, const QString& mistake) {
        m_writing.removeOne(name);
        m_notifier.clearStatus();
        if (mistake.isEmpty())
            m_notifier.notify(tr("Wrote %1: sampled class probabilities of the test rows.").arg(name));
        else
            m_notifier.keep(mistake);
    });
}

void StudyFiles::importTable(const QString& file)
{
    const Study& now = m_context.session.study();
    const bool csv   = now.data.source == DataSource::csv;
    const bool again = csv
                       && (file.isEmpty()
                           || file == toQString(now.data.file));   // another file is read by its own content
    ImportDialog::ask(
        again ? toQString(now.data.file) : file, again ? now.data.csv : CsvOptions{}, m_window,
        [this](const ImportDialog& dialog) { applyImport(dialog); }, baseOfTable());
}

void StudyFiles::pasteTable()
{
    if (!ImportDialog::askForPasted(
            m_window, [this](const ImportDialog& dialog) { applyImport(dialog); }, baseOfTable()))
        m_notifier.keep(tr("The clipboard has no table. Copy cells with their header in a spreadsheet, and paste "
                           "again."));
}

/// The Study that gets a table. A network for images suits none.
Study StudyFiles::baseOfTable() const { return with_data_source(m_context.session.study(), DataSource::csv); }

void StudyFiles::applyImport(const ImportDialog& dialog)
{
    const Study& now      = m_context.session.study();
    const auto file       = QFileInfo(dialog.file()).absoluteFilePath().toStdString();
    const Study& first    = dialog.facts().first;
    const bool again      = dialog.sameTarget() && stated_task(now.data) == dialog.facts().task;
    Study after           = baseOfTable();
    after.data.file       = file;
    after.data.csv        = dialog.options();
    after.data.csv.task   = dialog.facts().task;
    after.data.csv.target = dialog.targetName();
    after.name            = QFileInfo(dialog.file()).completeBaseName().toStdString();
    after.note.clear();
    const Study before = after;
    if (now.data.source != DataSource::csv) {   // settings made for points rarely suit a table; those made for one stay
        after.network  = first.network;
        after.training = first.training;
    }
    after.split = first.split;
    if (again) {
        after.split.calibration_fraction = now.split.calibration_fraction;
    } else {   // the noise is that of this target
        after.network.own = first.network.own;
        after.prediction  = first.prediction;
    }
    QStringList changes;
    for (const auto& line : differences(before, after))
        changes += toQString(line);
    m_context.document.startNew(after, tr("Import %1").arg(QFileInfo(dialog.file()).fileName()),
                                StudyDocument::Origin::unsaved);
    if (!changes.isEmpty())
        m_notifier.note(tr("Imported %1 rows. Initial settings: %2. Ctrl+Z undoes the import.")
                            .arg(toQString(dialog.facts().rows))
                            .arg(changes.join(QStringLiteral("; "))));
}

void StudyFiles::useImageSet(const QString& id)
{
    switch (m_context.document.chooseImageSet(id.toStdString())) {
    case StudyDocument::SetChosen::already: m_context.session.ready().makeAgain(); break;
    case StudyDocument::SetChosen::alone: m_notifier.notify(tr("The Study uses %1.").arg(id)); break;
    case StudyDocument::SetChosen::with_study:
        m_notifier.note(
            tr("The Study uses %1. Network, posterior, prior and training have been set as in the papers for "
               "images. Ctrl+Z undoes everything.")
                .arg(id));
        break;
    }
}

void StudyFiles::imageSetArrived(const QString& id)
{
    const auto& data = m_context.session.study().data;
    if (data.source == DataSource::images && data.images.set == id.toStdString())
        m_context.session.ready().makeAgain();
}

void StudyFiles::restore(const WindowState& state)
{
    m_context.document.restore(state.document);
    if (state.run.isEmpty() || !QFileInfo::exists(state.run))
        return;
    if (isOfNumPy(state.run))
        return Q_EMIT outputsWanted(state.run);
    const auto& runs = m_context.runs;
    for (int row = 0; row < runs.rowCount(); ++row)
        if (runs.at(row)->file == state.run)
            return m_context.opener.show(row);
    openRun(state.run);
}
