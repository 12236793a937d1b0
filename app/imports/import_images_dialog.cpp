// SPDX-License-Identifier: GPL-3.0-or-later
#include "imports/import_dialog.h"

#include "fetch/data_fetch.h"
#include "fetch/picture_reader.h"
#include "images/image_list.h"
#include "parts/appearance.h"
#include "parts/ask_path.h"
#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "parts/keyboard.h"
#include "work/text.h"
#include "work/worker.h"

#include "foundation/error.h"
#include "sources/image_sources.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFormLayout>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTimer>

using namespace credence;

namespace {

constexpr int sampleSide     = 56;
constexpr size_t mostSamples = 100;

QImage sampleOf(const std::filesystem::path& picture)
{
    try {
        return readPictureFile(picture);
    } catch (const Error&) {   // reported once all are read
        return {};
    }
}

/// Makes a name from a path: "GTSRB Final" becomes "gtsrb-final".
QString nameFrom(const QString& path)
{
    QString name = QFileInfo(QDir::cleanPath(path)).fileName().toLower();
    for (const char* suffix : {".npz", ".tar.gz", ".tgz", ".tar"})
        if (name.endsWith(QLatin1String(suffix)))
            name.chop(static_cast<int>(qstrlen(suffix)));
    name.replace(QRegularExpression(QStringLiteral("[^a-z0-9._-]+")), QStringLiteral("-"));
    name.remove(QRegularExpression(QStringLiteral("^[^a-z0-9]+|-+$")));
    return name;
}

}   // namespace

ImportImagesDialog::ImportImagesDialog(const QString& path, QWidget* parent)
    : QDialog(parent), m_path(new QLineEdit(path, this)), m_name(new QLineEdit(this)), m_title(new QLineEdit(this)),
      m_pictures(new QGroupBox(tr("Images"), this)), m_size(new QSpinBox(this)), m_share(new QSpinBox(this)),
      m_seed(new QSpinBox(this)), m_channels(new QComboBox(this)),
      m_mistake(new MistakeLabel(QStringLiteral("importImagesMistake"), this)), m_summary(new QLabel(this)),
      m_samples(new QListWidget(this)), m_progress(new QProgressBar(this)), m_clock(new QTimer(this))
{
    setWindowTitle(tr("Import images"));
    setObjectName(QStringLiteral("importImagesDialog"));
    resizeWithText(*this, 760, 560);
    m_path->setObjectName(QStringLiteral("importImagesPath"));
    m_path->setPlaceholderText(tr("A folder of images, of MNIST's or CIFAR-10's files, or an .npz or .tar.gz file"));
    m_name->setObjectName(QStringLiteral("importImagesName"));
    m_name->setToolTip(tr("Enter the name for Studies: letters, digits, dots, hyphens and underscores"));
    m_title->setObjectName(QStringLiteral("importImagesTitle"));
    m_title->setPlaceholderText(tr("the name"));
    m_summary->setObjectName(QStringLiteral("importImagesSummary"));
    m_summary->setWordWrap(true);
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_samples->setObjectName(QStringLiteral("importImagesSamples"));
    m_samples->setAccessibleName(tr("One image of each class"));
    m_samples->setViewMode(QListView::IconMode);
    m_samples->setResizeMode(QListView::Adjust);
    m_samples->setMovement(QListView::Static);
    m_samples->setSelectionMode(QAbstractItemView::NoSelection);
    m_samples->setIconSize({sampleSide, sampleSide});
    m_samples->setGridSize({sampleSide + 40, sampleSide + 26});
    m_samples->setUniformItemSizes(true);
    m_progress->setObjectName(QStringLiteral("importImagesProgress"));
    m_progress->setAccessibleName(tr("Progress of the import"));
    m_progress->hide();

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_import      = buttons->addButton(tr("&Import"), QDialogButtonBox::AcceptRole);
    m_import->setObjectName(QStringLiteral("importImagesNow"));
    connect(buttons, &QDialogButtonBox::rejected, this, &ImportImagesDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, &ImportImagesDialog::importNow);
    auto* all = new QVBoxLayout(this);
    all->addWidget(buildFields());
    all->addWidget(m_mistake);
    all->addWidget(m_summary);
    all->addWidget(m_samples, 1);
    all->addWidget(m_progress);
    all->addWidget(buttons);

    connect(m_path, &QLineEdit::editingFinished, this, [this] {
        if (m_path->isModified())
            lookAgain();
        m_path->setModified(false);
    });
    connect(m_name, &QLineEdit::textChanged, this, &ImportImagesDialog::refresh);
    m_clock->setInterval(100);
    connect(m_clock, &QTimer::timeout, this, [this] {
        m_progress->setMaximum(static_cast<int>(m_count->all));
        m_progress->setValue(static_cast<int>(m_count->done));
    });
    lookAgain();
    orderTabs({this});
}

ImportImagesDialog::~ImportImagesDialog() { m_stop->request_stop(); }

QString ImportImagesDialog::name() const { return m_name->text(); }

QWidget* ImportImagesDialog::buildFields()
{
    auto* fields = new QWidget(this);
    auto* form   = new QFormLayout(fields);
    form->setContentsMargins(0, 0, 0, 0);
    auto* file   = new QPushButton(tr("&File…"), this);
    auto* folder = new QPushButton(tr("F&older…"), this);
    connect(file, &QPushButton::clicked, this, [this] { choose(false); });
    connect(folder, &QPushButton::clicked, this, [this] { choose(true); });
    auto* row = new QHBoxLayout;
    row->addWidget(m_path, 1);
    row->addWidget(file);
    row->addWidget(folder);
    row->addWidget(new HelpMark(
        tr("supported files"),
        [] {
        return tr(
            "<p>A folder with <b>one subfolder of images for each class</b>, named by the class. Subfolders "
            "<i>train</i> and <i>test</i> with class folders in them become the training and test sets; without them a "
            "fraction of each class is used for testing. All image formats of Qt are supported, also .ppm.</p><p>The "
            "unpacked folder <b>GTSRB</b> of the German Traffic Sign Recognition Benchmark: Final_Training and "
            "Final_Test with their images, and GT-final_test.csv (in GTSRB_Final_Test_GT.zip) next to the test images. "
            "Each sign is cut to its region of interest and scaled to 32 × 32.</p><p>A folder with <b>MNIST's four "
            "files</b>, with any usual names, compressed or not; one with <b>CIFAR-10's</b> binary files, or their "
            ".tar.gz; an <b>.npz</b> file with x_train, y_train, x_test and y_test.</p><p>The data are copied, so you "
            "can delete the original files.</p>");
        },
        {m_path, file, folder}, this));
    const auto add = [this, form](const QString& text, QWidget* field, QLayout* layout) {
        auto* label = new QLabel(text, this);
        label->setBuddy(field);
        form->addRow(label, layout);
    };
    add(tr("&Path"), m_path, row);
    auto* names = new QHBoxLayout;
    names->addWidget(m_name, 1);
    auto* titleLabel = new QLabel(tr("&Title"), this);
    titleLabel->setBuddy(m_title);
    names->addWidget(titleLabel);
    names->addWidget(m_title, 2);
    add(tr("&Name"), m_name, names);
    buildPictureOptions();
    form->addRow(m_pictures);
    return fields;
}

void ImportImagesDialog::buildPictureOptions()
{
    m_size->setObjectName(QStringLiteral("importImagesSize"));
    m_size->setRange(0, 512);
    m_size->setSpecialValueText(tr("original"));
    m_size->setSuffix(tr(" × the same"));
    m_size->setToolTip(
        tr("Set rows and columns of the images. Original: if all images have the same size of at most 64 × 64, else "
           "32 × 32"));
    m_channels->setObjectName(QStringLiteral("importImagesChannels"));
    m_channels->addItem(tr("original"), static_cast<int>(PictureOptions::Colour::detect));
    m_channels->addItem(tr("grey"), static_cast<int>(PictureOptions::Colour::grey));
    m_channels->addItem(tr("colour"), static_cast<int>(PictureOptions::Colour::colour));
    m_channels->setToolTip(tr("Select the colours. Original: grey if all images are grey"));
    m_share->setObjectName(QStringLiteral("importImagesShare"));
    m_share->setRange(1, 90);
    m_share->setValue(20);
    m_share->setSuffix(tr(" %"));
    m_share->setToolTip(tr("Set the fraction of each class used for testing, if the folder has no subfolders train "
                           "and test"));
    m_seed->setRange(0, 1000000);
    m_seed->setValue(1);
    m_seed->setToolTip(tr("Set the seed of the test selection: the same seed selects the same images"));
    auto* options          = new QHBoxLayout(m_pictures);
    const auto addLabelled = [this, options](const QString& text, QWidget* field) {
        auto* label = new QLabel(text, this);
        label->setBuddy(field);
        options->addWidget(label);
        options->addWidget(field);
        options->addSpacing(8);
    };
    addLabelled(tr("&Size"), m_size);
    addLabelled(tr("&Colours"), m_channels);
    addLabelled(tr("For t&esting"), m_share);
    addLabelled(tr("See&d"), m_seed);
    options->addStretch(1);
    m_pictures->hide();
}

void ImportImagesDialog::askForPath(bool folder, QWidget* parent, const std::function<void(const QString&)>& go)
{
    if (folder)
        return askForFolder(tr("Folder to import"), {}, parent, go);
    askForFile(tr("File to import"),
               tr("Image data sets (*.npz *.tar.gz *.tgz *.tar *ubyte *ubyte.gz *_batch*.bin);;All files (*)"), parent,
               [go](const QString& file) {
        static const QRegularExpression oneOfSeveral(QStringLiteral("(ubyte(\\.gz)?|_batch.*\\.bin)$"));
        go(oneOfSeveral.match(file).hasMatch() ? QFileInfo(file).path() : file);
    });
}

void ImportImagesDialog::choose(bool folder)
{
    askForPath(folder, this, [this](const QString& chosen) {
        m_path->setText(chosen);
        lookAgain();
    });
}

ImportImagesDialog::Found ImportImagesDialog::look(const std::filesystem::path& path)
{
    Found found;
    found.format = &importable_format(path);
    if (found.format->unpack) {
        found.summary = tr("An archive of CIFAR-10's binary files.");
        return found;
    }
    if (found.format->pictures) {
        const PictureReader reader = qtPictureReader();
        const PictureFolder folder = look_through_folder(path, reader.suffixes);
        const auto counts          = folder.per_class();
        for (std::size_t k = 0; k < std::min(mostSamples, folder.classes.size()); ++k) {
            const auto& files    = folder.training;
            const auto isOfClass = [&](const PictureFile& file) { return file.label == static_cast<int>(k); };
            const auto first     = std::find_if(files.begin(), files.end(), isOfClass);
            const QImage image   = first != files.end() ? sampleOf(first->path) : QImage();
            found.samples.push_back({tr("%1 (%2)").arg(toQString(folder.classes[k])).arg(counts[k]), image});
        }
        const auto n  = folder.training.size() + folder.test.size();
        found.summary = folder.own_parts ? tr("%1 images in %2 classes: %3 for training, %4 for testing.")
                                               .arg(n)
                                               .arg(folder.classes.size())
                                               .arg(folder.training.size())
                                               .arg(folder.test.size())
                                         : tr("%1 images in %2 classes.").arg(n).arg(folder.classes.size());
        if (!folder.left_out.empty()) {
            QStringList names;
            for (const auto& name : folder.left_out)
                names += toQString(name);
            found.summary += ' ' + tr("Not read: %1.").arg(names.join(QStringLiteral(", ")));
        }
        if (folder.n_others > 0)
            found.summary += ' ' + tr("%1 other files are ignored.").arg(folder.n_others);
        return found;
    }
    const ImageData data = load_image_data(std::filesystem::absolute(path).string());
    const ImageSet& any  = data.training.n > 0 ? data.training : data.test;
    for (std::size_t k = 0; k < std::min(mostSamples, any.n_classes()); ++k) {
        const auto first = std::find(any.labels.begin(), any.labels.end(), static_cast<int>(k));
        if (first != any.labels.end())
            found.samples.push_back(
                {toQString(any.class_names[k]), pictureOf(any, static_cast<std::size_t>(first - any.labels.begin()))});
    }
    found.summary = tr("%1 training and %2 test images of %3 × %4, %5 classes (%6).")
                        .arg(data.training.n)
                        .arg(data.test.n)
                        .arg(any.height)
                        .arg(any.width)
                        .arg(any.n_classes())
                        .arg(toQString(found.format->words));
    return found;
}

void ImportImagesDialog::lookAgain()
{
    m_found.reset();
    m_samples->clear();
    m_pictures->hide();
    if (m_path->text().isEmpty()) {
        m_summary->setText(tr("Choose a file or folder. A preview appears here before anything is copied."));
        refresh();
        return;
    }
    m_name->setText(nameFrom(m_path->text()));
    setBusy(true, tr("Reading %1 …").arg(QFileInfo(QDir::cleanPath(m_path->text())).fileName()));
    inBackground(
        this, [path = std::filesystem::path(QDir::cleanPath(m_path->text()).toStdString())] { return look(path); },
        [this, request = ++m_request](std::optional<Found> found, const QString& mistake) {
        if (request != m_request)
            return;
        setBusy(false, {});
        if (found)
            showFound(*found);
        else
            showMistake(mistake);
        });
}

void ImportImagesDialog::showFound(const Found& found)
{
    m_found = found;
    m_summary->setText(found.summary);
    m_pictures->setVisible(found.format->pictures);
    for (const Sample& sample : found.samples) {
        const int side = qRound(sampleSide * devicePixelRatioF());   // at the resolution of the screen
        QPixmap icon(side, side);
        icon.fill(Qt::transparent);
        if (!sample.image.isNull())
            icon = QPixmap::fromImage(
                sample.image.scaled(side, side, Qt::KeepAspectRatio,
                                    sample.image.width() > side ? Qt::SmoothTransformation : Qt::FastTransformation));
        icon.setDevicePixelRatio(devicePixelRatioF());
        auto* item = new QListWidgetItem(QIcon(icon), sample.name, m_samples);
        item->setToolTip(sample.name);
        item->setFlags(Qt::ItemIsEnabled);
    }
    refresh();
}

void ImportImagesDialog::refresh()
{
    const std::string name = m_name->text().toStdString();
    if (m_busy)
        return;
    const QString mistake = m_found ? toQString(mistake_in_set_name(name)) : QString();
    showMistake(mistake);
    m_import->setEnabled(m_found && mistake.isEmpty());
}

void ImportImagesDialog::showMistake(const QString& sentence)
{
    m_mistake->setMistake(sentence);
    if (!sentence.isEmpty())
        m_import->setEnabled(false);
}

void ImportImagesDialog::setBusy(bool busy, const QString& words)
{
    m_busy = busy;
    for (QWidget* part : std::initializer_list<QWidget*>{m_path, m_name, m_title, m_pictures})
        part->setEnabled(!busy || !m_importing);
    m_summary->setText(busy ? words : m_found ? m_found->summary : QString());
    if (busy) {
        showMistake({});
        m_import->setEnabled(false);
    }
    m_progress->setVisible(busy);
    m_progress->setRange(0, 0);
    busy ? m_clock->start() : m_clock->stop();
}

void ImportImagesDialog::importNow()
{
    ImportOrder order;
    order.name                = m_name->text().toStdString();
    order.title               = m_title->text().toStdString();
    order.path                = QDir::cleanPath(m_path->text()).toStdString();
    order.pictures.size       = m_size->value() < 4 ? 0 : m_size->value();
    order.pictures.colour     = static_cast<PictureOptions::Colour>(m_channels->currentData().toInt());
    order.pictures.test_share = m_share->value() / 100.0;
    order.pictures.seed       = static_cast<std::uint64_t>(m_seed->value());
    m_importing               = true;
    m_count                   = std::make_shared<Count>();
    setBusy(true, tr("Importing %1 …").arg(m_name->text()));
    inBackground(
        this,
        [order, count = m_count, stop = m_stop] {
        const auto progress = [count](std::size_t done, std::size_t all) {
            count->done = done;
            count->all  = all;
        };
        return import_image_set(order,
                                {[](ByteSource& source) { return sha256Of(source); }, qtPictureReader(), progress},
                                stop->get_token());
        },
        [this](std::optional<ImportReport> report, const QString& mistake) {
        m_importing = false;
        setBusy(false, {});
        if (!report) {
            refresh();
            showMistake(mistake);
            m_import->setEnabled(true);   // the user can free disk space and try again
            return;
        }
        m_report = std::move(*report);
        accept();
    });
}

void ImportImagesDialog::reject()
{
    m_stop->request_stop();
    ++m_request;
    QDialog::reject();
}
