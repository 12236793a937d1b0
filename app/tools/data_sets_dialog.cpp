// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/data_sets_dialog.h"

#include "fetch/data_fetch.h"
#include "parts/help_mark.h"
#include "parts/message_bar.h"
#include "session/settings.h"
#include "tools/import_images_dialog.h"
#include "work/in_background.h"

#include "sources/catalogue_files.h"
#include "sources/image_counts.h"
#include "sources/image_import.h"
#include "sources/image_sources.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

using namespace credence;

namespace {

enum Column { titleColumn, imagesColumn, sizeColumn, licenseColumn, stateColumn, columns };

QString words(const std::string& text) { return QString::fromStdString(text); }

QString countText(const std::optional<ImageCounts>& counts)
{
    if (!counts)
        return {};
    const QLocale english(QLocale::English);   // as everywhere in the program
    return QStringLiteral("%1 + %2").arg(english.toString(static_cast<qulonglong>(counts->training)),
                                         english.toString(static_cast<qulonglong>(counts->test)));
}

QString sizeOnDisk(const std::filesystem::path& folder)
{
    std::error_code ignored;
    std::uint64_t bytes = std::filesystem::is_regular_file(folder, ignored)
                              ? std::filesystem::file_size(folder, ignored)
                              : 0;
    for (std::filesystem::recursive_directory_iterator at(folder, ignored), end; at != end; at.increment(ignored))
        if (at->is_regular_file(ignored))
            bytes += at->file_size(ignored);
    return words(bytesText(bytes));
}

bool inUserFolder(const std::filesystem::path& folder) { return folder.parent_path() == user_data_folder(); }

QString link(const QString& address) { return QStringLiteral("<a href=\"%1\">%1</a>").arg(address.toHtmlEscaped()); }

}   // namespace

DataSetsDialog::DataSetsDialog(QWidget* parent)
    : QDialog(parent), m_table(new QTableWidget(this)), m_about(new QLabel(this)), m_message(new MessageBar(this))
{
    setWindowTitle(tr("Data sets"));
    setObjectName(QStringLiteral("dataSetsDialog"));
    resize(860, 460);
    if (const auto geometry = read(settings::dataSetsGeometry); !geometry.isEmpty())
        restoreGeometry(geometry);
    buildTable();
    m_about->setObjectName(QStringLiteral("dataSetAbout"));
    m_about->setWordWrap(true);
    m_about->setTextFormat(Qt::RichText);
    m_about->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_about->setOpenExternalLinks(true);
    m_about->setMinimumHeight(3 * fontMetrics().height());
    m_about->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* all = new QVBoxLayout(this);
    all->addWidget(m_message);
    all->addWidget(m_table, 1);
    all->addWidget(m_about);
    all->addLayout(buildButtons());
    refresh();
    m_table->setFocus();
}

DataSetsDialog::~DataSetsDialog() = default;

QString DataSetsDialog::message() const { return m_message->text(); }

void DataSetsDialog::buildTable()
{
    m_table->setObjectName(QStringLiteral("dataSets"));
    m_table->setAccessibleName(tr("Data sets of images"));
    m_table->setColumnCount(columns);
    m_table->setHorizontalHeaderLabels(
        {tr("Data set"), tr("Training + test images"), tr("Size"), tr("Licence"), tr("State")});
    m_table->horizontalHeaderItem(sizeColumn)->setToolTip(tr("Of the download, or on the disk"));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setShowGrid(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &DataSetsDialog::showChosen);
    connect(m_table, &QTableWidget::cellActivated, this,
            [this] {   // Enter or a double click: what is the next thing to do
        if (m_use->isEnabled())
            m_use->click();
        else if (m_fetch->isEnabled())
            m_fetch->click();
    });
}

QLayout* DataSetsDialog::buildButtons()
{
    const auto add = [this](const QString& text, const QString& name, const QString& tip, auto slot) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(name);
        button->setToolTip(tip);
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, slot);
        return button;
    };
    m_fetch  = add(tr("&Download"), QStringLiteral("dataSetFetch"),
                   tr("Into %1; each file is checked by its SHA-256").arg(words(user_data_folder().string())),
                   [this] { fetch(); });
    m_cancel = add(tr("&Cancel"), QStringLiteral("dataSetCancel"), tr("Ends the download; nothing half-written stays"),
                   [this] { cancel(); });
    m_remove = add(tr("&Remove…"), QStringLiteral("dataSetRemove"),
                   tr("Takes a set that was downloaded or imported off the disk, after asking"),
                   [this] { askToRemove(); });
    m_use    = add(tr("&Use in this study"), QStringLiteral("dataSetUse"),
                   tr("Makes it the data of the study; Ctrl+Z in the window takes it back"), [this] {
                    if (const Row* row = chosen())
                        Q_EMIT useSet(row->id);
                });
    auto* files = add(
        tr("Import &file…"), QStringLiteral("dataSetImportFile"),
        tr("An .npz file, CIFAR-10's .tar.gz, or one of MNIST's or CIFAR-10's files: those beside it come along"),
        [this] { importImages(false); });
    auto* folder = add(tr("&Import folder…"), QStringLiteral("dataSetImportFolder"),
                       tr("A folder of pictures with one subfolder a class, or of MNIST's or CIFAR-10's files"),
                       [this] { importImages(true); });
    auto* close  = add(tr("Close"), QStringLiteral("dataSetsClose"), tr("Downloads go on"), [this] { this->close(); });
    auto* row    = new QHBoxLayout;
    for (auto* button : {m_use, m_fetch, m_cancel, m_remove})
        row->addWidget(button);
    row->addWidget(new HelpMark(
        tr("data sets"),
        [] {
        return tr("<p>A download is taken from the first mirror that gives the right files, and each file is checked by its <b>SHA-256</b>. A file is there whole or not at all.</p>"
                  "<p>Downloads and imports lie in %1, a folder each. Sets that a package of the distribution installs, and those in the folder that CREDENCE_DATA_DIR names, "
                  "are simply there.</p><p>On the command line: <tt>credence data list</tt>, <tt>credence data fetch mnist</tt>, <tt>credence data import NAME PATH</tt>.</p>")
            .arg(words(user_data_folder().string()).toHtmlEscaped());
        },
        this));
    row->addStretch(1);
    row->addWidget(files);
    row->addWidget(folder);
    row->addWidget(close);
    return row;
}

std::vector<DataSetsDialog::Row> DataSetsDialog::rows()
{
    std::vector<Row> rows;
    const auto add = [&rows](const ImageSource* source, const CatalogueEntry* entry) {
        Row row;
        row.id         = words(entry ? entry->id : source->id);
        row.title      = words(entry ? entry->title : source->title);
        row.about      = words(entry ? entry->about : source->about);
        row.catalogued = entry;
        row.atHand     = source;
        if (entry) {
            row.license = words(entry->license);
            row.home    = words(entry->home);
            row.images  = countText(image_counts(*entry));
            row.size    = words(bytesText(entry->download_bytes()));
        }
        if (!source) {
            row.state = tr("not here");
        } else if (source->folder.empty()) {
            row.drawn  = true;
            row.images = tr("any number");
            row.state  = tr("drawn by the program");
        } else {
            row.folder = words(source->folder.string());
            row.own    = inUserFolder(source->folder);
            row.state  = row.own ? tr("at hand") : tr("at hand in %1").arg(row.folder);
            row.size   = sizeOnDisk(source->folder);
            for (const auto& folder : entry ? entry->installed : std::vector<std::string>())
                if (source->folder == folder)
                    row.state = tr("installed by the distribution");
            if (!entry)
                row.images = countText(image_counts(source->folder));
        }
        rows.push_back(row);
    };
    const auto sources = image_sources_at_hand();
    for (const auto& source : sources)
        if (source.folder.empty())
            add(&source, nullptr);
    for (const auto& entry : catalogue()) {
        const auto found = std::find_if(sources.begin(), sources.end(),
                                        [&](const ImageSource& source) { return source.id == entry.id; });
        add(found != sources.end() && looks_complete(entry, found->folder) ? &*found : nullptr, &entry);
    }
    for (const auto& source : sources)
        if (!source.folder.empty() && !source.catalogued)
            add(&source, nullptr);
    return rows;
}

const DataSetsDialog::Row* DataSetsDialog::chosen() const
{
    const int row = m_table->currentRow();
    return row >= 0 && row < static_cast<int>(m_rows.size()) ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

void DataSetsDialog::choose(const QString& id)
{
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i].id == id)
            m_table->selectRow(static_cast<int>(i));
}

void DataSetsDialog::refresh()
{
    const QString before = chosen() ? chosen()->id : QString();
    m_rows               = rows();
    {
        const QSignalBlocker quiet(m_table);
        m_table->setRowCount(static_cast<int>(m_rows.size()));
        for (int i = 0; i < m_table->rowCount(); ++i) {
            const Row& row        = m_rows[static_cast<std::size_t>(i)];
            const QString texts[] = {row.title, row.images, row.size, row.license, row.state};
            for (int column = 0; column < columns; ++column) {
                auto* item = new QTableWidgetItem(texts[column]);
                item->setToolTip(texts[column]);
                if (column == imagesColumn || column == sizeColumn)
                    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
                m_table->setItem(i, column, item);
            }
            showState(i);
        }
        m_table->resizeColumnsToContents();
        m_table->setColumnWidth(licenseColumn, std::min(m_table->columnWidth(licenseColumn), 190));
        m_table->setColumnWidth(titleColumn, m_table->columnWidth(titleColumn) + 16);
    }
    choose(before.isEmpty() ? m_rows.front().id : before);
    showChosen();
}

/// While a set is coming, a bar with rate and remaining time stands over its state.
void DataSetsDialog::showState(int row)
{
    const auto found = m_fetches.find(m_rows[static_cast<std::size_t>(row)].id);
    if (found == m_fetches.end()) {
        m_table->removeCellWidget(row, stateColumn);
        return;
    }
    auto* bar = qobject_cast<QProgressBar*>(m_table->cellWidget(row, stateColumn));
    if (!bar) {
        bar = new QProgressBar(m_table);
        bar->setObjectName(QStringLiteral("dataSetProgress"));
        m_table->setCellWidget(row, stateColumn, bar);
    }
    const FetchProgress& progress = found->second->progress();
    bar->setRange(0, progress.total > 0 ? 1000 : 0);
    bar->setValue(progress.total > 0 ? static_cast<int>(1000.0 * static_cast<double>(progress.received)
                                                        / static_cast<double>(progress.total))
                                     : 0);
    QString text = words(fetchText(progress));
    if (progress.phase == FetchProgress::Phase::downloading)   // the name of the file is in the tool tip
        text = text.section(QStringLiteral(" · "), 1);
    bar->setFormat(text);
    bar->setToolTip(words(fetchText(progress)));
}

void DataSetsDialog::showChosen()
{
    const Row* row     = chosen();
    const bool running = row && m_fetches.contains(row->id);
    m_fetch->setEnabled(row && row->catalogued && !row->atHand && !running);
    m_cancel->setEnabled(running);
    m_remove->setEnabled(row && row->own && !running);
    m_use->setEnabled(row && row->atHand && !running);
    if (!row) {
        m_about->clear();
        return;
    }
    QString text = row->about.toHtmlEscaped();
    if (!row->home.isEmpty())
        text += QStringLiteral("<br>") + tr("Licence: %1. %2").arg(row->license.toHtmlEscaped(), link(row->home));
    text += QStringLiteral("<br>")
            + (row->folder.isEmpty()
                   ? tr("Known to studies as %1.").arg(row->id)
                   : tr("Known to studies as %1; it lies in %2.").arg(row->id, row->folder.toHtmlEscaped()));
    m_about->setText(text);
}

void DataSetsDialog::fetch()
{
    const Row* row = chosen();
    if (!row || m_fetches.contains(row->id))
        return;
    const QString id  = row->id;
    const auto& entry = catalogue_entry(id.toStdString());
    auto* fetch       = new DataFetch(entry, usualFetchOptions(entry), this);
    m_fetches[id]     = fetch;
    m_message->hide();
    const auto show = [this, id] {
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            if (m_rows[i].id == id)
                showState(static_cast<int>(i));
    };
    connect(fetch, &DataFetch::progressed, this, show);
    connect(fetch, &DataFetch::mirrorFailed, this, [this](const QString& sentence) { m_message->say(sentence); });
    connect(fetch, &DataFetch::finished, this, [this, id](const FetchReport& report) { ended(id, report); });
    fetch->start();
    show();
    showChosen();
    m_cancel->setFocus();
}

void DataSetsDialog::cancel()
{
    if (const Row* row = chosen())
        if (const auto found = m_fetches.find(row->id); found != m_fetches.end())
            found->second->cancel();
}

void DataSetsDialog::ended(const QString& id, const FetchReport& report)
{
    if (const auto found = m_fetches.find(id); found != m_fetches.end()) {
        found->second->deleteLater();
        m_fetches.erase(found);
    }
    refresh();
    switch (report.end) {
    case FetchReport::End::fetched:
    case FetchReport::End::wasThere:
        offer(id, words(report.message));
        Q_EMIT setArrived(id);
        break;
    case FetchReport::End::failed: m_message->say(words(report.message)); break;
    case FetchReport::End::cancelled:
        m_message->say(tr("The download of %1 was cancelled; nothing half-written stays.").arg(id));
        break;
    }
}

void DataSetsDialog::offer(const QString& id, const QString& sentence)
{
    m_message->say(sentence, {{tr("Use in this study"), [this, id] { Q_EMIT useSet(id); }}});
}

void DataSetsDialog::askToRemove()
{
    const Row* row = chosen();
    if (!row || !row->own)
        return;
    const QString id = row->id;
    m_message->say(tr("Remove %1 (%2) from %3?").arg(row->title, row->size, row->folder), {{tr("Remove"),
                                                                                            [this, id] {
        inBackground(
            this,
            [id] {
            remove_image_set(id.toStdString());
            return true;
            },
            [this, id](const std::optional<bool>& done, const QString& mistake) {
            refresh();
            m_message->say(done ? tr("%1 was removed.").arg(id) : mistake);
        });
                                                                                            }},
                                                                                           {tr("Keep"), [] {}}});
}

void DataSetsDialog::importImages(bool folder)
{
    const QString path = ImportImagesDialog::askForPath(folder, this);
    if (path.isEmpty())
        return;
    auto* dialog = new ImportImagesDialog(path, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        QString sentence = words(dialog->report().message);
        if (const auto& left = dialog->report().unreadable; !left.empty())
            sentence += ' '
                        + tr("%1 could not be read and were left out, for example %2")
                              .arg(left.size())
                              .arg(words(left.front()));
        const QString id = dialog->name();
        refresh();
        choose(id);
        offer(id, sentence);
        Q_EMIT setArrived(id);
    });
    dialog->show();   // not modal: the window goes on
}

void DataSetsDialog::hideEvent(QHideEvent* event)
{
    write(settings::dataSetsGeometry, saveGeometry());
    QDialog::hideEvent(event);
}
