// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/own_pictures.h"

#include "fetch/picture_reader.h"
#include "images/image_area.h"
#include "images/image_grid.h"
#include "images/image_list.h"
#include "images/thumbnail_strip.h"
#include "parts/ask_path.h"
#include "parts/buttons.h"
#include "parts/form_controls.h"
#include "parts/icons.h"
#include "parts/notifier.h"
#include "parts/view_binder.h"
#include "session/app_context.h"
#include "work/text.h"
#include "work/worker.h"

#include "foundation/error.h"
#include "widgets/export_figure.h"
#include "widgets/study_metadata.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QMimeData>

using namespace credence;

namespace {

constexpr std::size_t mostPictures = 200;   ///< in the strip

/// Images read in the background, and errors for the others.
struct ReadPictures {
    std::vector<PictureInput> pictures;
    QStringList mistakes;
    std::size_t leftOut = 0;
};

/// Returns the files, replacing each folder by its images in order of name.
QStringList filesAmong(const QStringList& paths, const std::vector<std::string>& suffixes, ReadPictures& read)
{
    QStringList filters, files;
    for (const auto& suffix : suffixes)
        filters += QStringLiteral("*.") + toQString(suffix);
    for (const QString& path : paths) {
        if (!QFileInfo(path).isDir()) {
            files += path;
            continue;
        }
        const QDir folder(path);
        const auto names = folder.entryList(filters, QDir::Files, QDir::Name | QDir::LocaleAware);
        if (names.isEmpty())
            read.mistakes += OwnPictures::tr("%1: found no images in this folder, expected files such as 1.png.")
                                 .arg(folder.dirName());
        for (const QString& name : names)
            files += folder.filePath(name);
    }
    return files;
}

ReadPictures readAll(const Experiment& experiment, const QStringList& paths, const std::stop_token& stop)
{
    ReadPictures read;
    const auto reader = qtPictureReader();
    const auto ground = training_ground(experiment);
    for (const QString& file : filesAmong(paths, reader.suffixes, read)) {
        if (stop.stop_requested())
            break;
        if (read.pictures.size() == mostPictures) {
            ++read.leftOut;
            continue;
        }
        const std::string name = QFileInfo(file).fileName().toStdString();
        try {
            read.pictures.push_back(picture_input(experiment, reader.read(file.toStdString()), name, ground));
        } catch (const Error& error) {
            read.mistakes += toQString(name + ": " + error.what());
        }
    }
    return read;
}

ReadPictures readImage(const Experiment& experiment, const QImage& image)
{
    return {.pictures = {picture_input(experiment, decodedPicture(image), "from the clipboard",
                                       training_ground(experiment))},
            .mistakes = {}};
}

/// A figure of Credence dropped on the images is opened instead. Reads the file.
bool carriesStudy(const QString& file)
{
    try {
        return !QFileInfo(file).isDir() && studyIn(file).has_value();
    } catch (const std::exception&) {
        return false;   // then an image, or unreadable, which is reported on reading
    }
}

}   // namespace

OwnPictures::OwnPictures(AppContext& context, ViewBinder& binder, Notifier& notifier, ImageArea* images)
    : QObject(images), m_context(context), m_notifier(notifier), m_images(*images), m_strip(new PictureStrip(images))
{
    images->addBelow(m_strip);
    auto* menu = new QMenu(images);
    menu->addAction(tr("Choose an &image…"), this, &OwnPictures::askForPicture);
    menu->addAction(tr("Choose a &folder of images…"), this, &OwnPictures::askForFolder);
    menu->addAction(tr("P&aste image"), this, &OwnPictures::paste);
    auto* tools  = images->grid()->tools();
    auto* button = new MenuButton({}, menu, tools);
    describeControl(button, QStringLiteral("ownPicture"), tr("Image as the selected input"),
                    tr("Use your own image as the selected input: a file, a folder or the clipboard (Ctrl+V)"));
    button->setIcon(icon(QStringLiteral("picture")));
    button->setAutoRaise(true);
    static_cast<QHBoxLayout*>(tools->layout())->insertWidget(0, button);

    connect(images, &ImageArea::filesDropped, this, &OwnPictures::openDropped);
    connect(m_strip, &PictureStrip::activated, this, &OwnPictures::choose);
    connect(m_strip, &PictureStrip::inversionChanged, this, &OwnPictures::invert);
    connect(m_strip, &PictureStrip::closed, this, [this] {
        const auto& selection = m_context.selection;
        putAway();
        if (selection.by() == Selection::By::picture)
            m_context.selection.chooseRow(static_cast<int>(selection.chosen().row), Selection::By::picture);
    });
    connect(&context.selection, &Selection::changed, this, &OwnPictures::followSelection);
    connect(&binder, &ViewBinder::fitted, this,
            [this, button](const std::shared_ptr<const Experiment>& experiment, bool otherData) {
        button->setEnabled(!why_no_picture(*experiment));
        if (otherData)
            putAway();
    });
}

void OwnPictures::askForPicture()
{
    const QString filters = pictureFileFilters().join(QLatin1Char(' '));
    askForFile(tr("Choose an image as input"), tr("Images (%1);;All files (*)").arg(filters), m_images.window(),
               [this](const QString& file) { take({file}); });
}

void OwnPictures::askForFolder()
{
    ::askForFolder(tr("Choose a folder of images"), {}, m_images.window(),
                   [this](const QString& folder) { take({folder}); });
}

void OwnPictures::paste()
{
    const auto* clipboard = QGuiApplication::clipboard();
    const auto* content   = clipboard->mimeData();
    QStringList files;
    if (content)
        for (const auto& url : content->urls())
            if (url.isLocalFile())
                files += url.toLocalFile();
    if (!files.isEmpty())
        return take(files);
    const QImage image = clipboard->image();
    if (image.isNull())
        return m_notifier.notify(tr("The clipboard contains no image."));
    prepare([image](const Experiment& experiment, const std::stop_token&) { return readImage(experiment, image); });
}

void OwnPictures::take(const QStringList& files)
{
    prepare([files](const Experiment& experiment, const std::stop_token& stop) {
        return readAll(experiment, files, stop);
    });
}

/// If the name does not decide, the file is read in the background: a large file or a slow disk
/// must not block the window.
void OwnPictures::openDropped(const QStringList& files)
{
    const QString suffix = QFileInfo(files.value(0)).suffix().toLower();
    const bool mayCarry  = exportSuffixes().contains(suffix) || suffix == QLatin1String("html");
    if (files.size() != 1 || !mayCarry)
        return take(files);
    ++m_reading;
    inBackground(
        this, [file = files.front()] { return carriesStudy(file); },
        [this, files](const std::optional<bool>& carries, const QString&) {
        --m_reading;
        if (carries.value_or(false))
            Q_EMIT studyDropped(files.front());
        else
            take(files);
        });
}

/// Decodes in the background, since large images are slow. Results for data that are no longer
/// displayed are discarded.
template <class Read>
void OwnPictures::prepare(Read read)
{
    const auto experiment = m_context.session.run().experiment;
    if (!experiment)
        return m_notifier.notify(tr("The data are still being read."));
    if (const auto mistake = why_no_picture(*experiment))
        return m_notifier.keep(toQString(*mistake));
    ++m_reading;
    inBackground(
        this, [experiment, read](std::stop_token stop) { return read(*experiment, stop); },
        [this, experiment](std::optional<ReadPictures> found, const QString& mistake) {
        --m_reading;
        const auto& now = m_context.session.run().experiment;
        if (!now || now->data != experiment->data)
            return;
        if (!found)
            return m_notifier.keep(mistake);
        const auto more = found->mistakes.size() - 1;
        if (more == 0)
            m_notifier.keep(found->mistakes.front());
        else if (more > 0)
            m_notifier.keep(tr("%1 (%2 more could not be read.)").arg(found->mistakes.front()).arg(more));
        else if (found->leftOut > 0)
            m_notifier.notify(tr("The first %1 images are shown; %2 more are omitted.")
                                  .arg(found->pictures.size())
                                  .arg(found->leftOut));
        if (!found->pictures.empty())
            add(std::move(found->pictures));
        });
}

/// Appends images up to the maximum and selects the first new one.
void OwnPictures::add(std::vector<PictureInput> pictures)
{
    const auto n    = m_pictures.size() + pictures.size();
    const auto away = static_cast<std::ptrdiff_t>(std::min(m_pictures.size(), n - std::min(n, mostPictures)));
    m_pictures.erase(m_pictures.begin(), m_pictures.begin() + away);
    const int first = static_cast<int>(m_pictures.size());
    std::move(pictures.begin(), pictures.end(), std::back_inserter(m_pictures));
    showPictures();
    choose(first);
}

void OwnPictures::choose(int index)
{
    const auto& picture = m_pictures[static_cast<std::size_t>(index)];
    m_strip->setCurrent(index);
    m_context.selection.chooseOutside({.input = picture.input.input, .name = picture.input.name, .drawn = true},
                                      Selection::By::picture);
}

void OwnPictures::invert(bool wanted)
{
    const int index = m_strip->current();
    auto& picture   = m_pictures[static_cast<std::size_t>(index)];
    if (picture.inverted != wanted)
        picture = inverted(std::move(picture));
    showPictures();
    choose(index);
}

void OwnPictures::putAway()
{
    m_pictures.clear();
    showPictures();
}

void OwnPictures::showPictures()
{
    std::vector<PictureStrip::Entry> entries;
    for (const auto& picture : m_pictures) {
        const std::vector<std::uint8_t> bytes(picture.input.input.begin(), picture.input.input.end());
        entries.push_back({.prepared = pictureOf(bytes, *m_context.session.run().experiment->data->image),
                           .name     = toQString(picture.file),
                           .note     = toQString(picture.note()),
                           .inverted = picture.inverted});
    }
    m_strip->setEntries(std::move(entries));
    followSelection();
}

/// A perturbed or attacked image still counts as the selected one.
void OwnPictures::followSelection()
{
    const auto current = static_cast<std::size_t>(m_strip->current());
    m_strip->setChosen(current < m_pictures.size()
                       && m_context.selection.chosen().name.starts_with(m_pictures[current].input.name));
}
