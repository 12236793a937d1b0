// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/data_sets_dialog.h"

#include "fetch/data_fetch.h"
#include "parts/message_bar.h"
#include "tools/data_set_rows.h"
#include "tools/import_images_dialog.h"
#include "work/in_background.h"
#include "work/text.h"

#include "sources/catalogue_files.h"
#include "sources/image_import.h"
#include "sources/image_sources.h"

#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <cmath>

using namespace credence;

namespace {

enum Column { titleColumn, imagesColumn, sizeColumn, licenseColumn, stateColumn, columns };

QString link(const QString& address) { return QStringLiteral("<a href=\"%1\">%1</a>").arg(address.toHtmlEscaped()); }

QString dataSetsDialogHelp()
{
    return DataSetsDialog::tr(
               "<p>A download uses the first mirror that provides the right files, and each file is checked by its "
               "<b>SHA-256</b>. Partial files are removed.</p><p>Downloads and imports are stored in %1, one folder "
               "each. Data sets from distribution packages, and those in the folder CREDENCE_DATA_DIR, are found "
               "automatically.</p><p>On the command line: <tt>credence data list</tt>, <tt>credence data fetch "
               "mnist</tt>, <tt>credence data import NAME PATH</tt>.</p>")
        .arg(toQString(user_data_folder().string()).toHtmlEscaped());
}

}   // namespace

DataSetsDialog::DataSetsDialog(QWidget* parent)
    : ToolPage({.id      = QStringLiteral("data_sets"),
                .title   = tr("Data sets"),
                .help    = dataSetsDialogHelp,
                .size    = {860, 460},
                .cancels = false},
               parent),
      m_table(new QTableWidget(this)), m_about(new QLabel(this))
{
    buildTable();
    m_about->setObjectName(QStringLiteral("dataSetAbout"));
    m_about->setWordWrap(true);
    m_about->setTextFormat(Qt::RichText);
    m_about->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_about->setOpenExternalLinks(true);
    m_about->setMinimumHeight(3 * fontMetrics().height());
    m_about->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* content = new QWidget(this);
    auto* column  = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table, 1);
    column->addWidget(m_about);
    column->addLayout(buildButtons());
    setContent(nullptr, content);
    refresh();
    m_table->setFocus();
}

void DataSetsDialog::buildTable()
{
    m_table->setObjectName(QStringLiteral("dataSets"));
    m_table->setAccessibleName(tr("Image data sets"));
    m_table->setColumnCount(columns);
    m_table->setHorizontalHeaderLabels(
        {tr("Data set"), tr("Training + test images"), tr("Size"), tr("Licence"), tr("State")});
    m_table->horizontalHeaderItem(sizeColumn)->setToolTip(tr("Size of the download, or on disk"));
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
            [this] {   // Enter or a double click: the next useful action
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
                   tr("Download to %1; each file is checked by its "
                       "SHA-256")
                       .arg(toQString(user_data_folder().string())),
                   [this] { fetch(); });
    m_cancel = add(tr("&Cancel"), QStringLiteral("dataSetCancel"), tr("Cancel the download and remove partial files"),
                   [this] { cancelFetch(); });
    m_remove = add(tr("&Remove…"), QStringLiteral("dataSetRemove"),
                   tr("Delete a downloaded or imported data set, after confirmation"), [this] { askToRemove(); });
    m_use    = add(tr("&Use in this study"), QStringLiteral("dataSetUse"),
                   tr("Use this data set in the study; Ctrl+Z in the window undoes it"), [this] {
                    if (const DataSetRow* row = chosen())
                        Q_EMIT useSet(row->id);
                });
    auto* files = add(
        tr("Import &file…"), QStringLiteral("dataSetImportFile"),
        tr("Import an .npz file, CIFAR-10's .tar.gz, or one of MNIST's or CIFAR-10's files; related files in its "
           "folder are included"),
        [this] { importImages(false); });
    auto* folder = add(tr("&Import folder…"), QStringLiteral("dataSetImportFolder"),
                       tr("Import a folder with one subfolder of images per class, or with MNIST's or CIFAR-10's "
                          "files"),
                       [this] { importImages(true); });
    auto* close  = add(tr("Close"), QStringLiteral("dataSetsClose"), tr("Close the window; downloads continue"),
                       [this] { this->close(); });
    auto* row    = new QHBoxLayout;
    for (auto* button : {m_use, m_fetch, m_cancel, m_remove})
        row->addWidget(button);
    row->addWidget(takeHelp());
    row->addStretch(1);
    row->addWidget(files);
    row->addWidget(folder);
    row->addWidget(close);
    return row;
}

const DataSetRow* DataSetsDialog::chosen() const
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
    m_rows               = dataSetRows();
    {
        const QSignalBlocker quiet(m_table);
        m_table->setRowCount(static_cast<int>(m_rows.size()));
        for (int i = 0; i < m_table->rowCount(); ++i) {
            const DataSetRow& row = m_rows[static_cast<std::size_t>(i)];
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

/// During a download, a bar with rate and remaining time covers the state.
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
        bar->setAccessibleName(
            tr("Progress of %1").arg(m_table->item(row, 0) ? m_table->item(row, 0)->text() : QString()));
        m_table->setCellWidget(row, stateColumn, bar);
    }
    const FetchProgress& progress = found->second->progress();
    bar->setRange(0, progress.total > 0 ? 1000 : 0);
    bar->setValue(progress.total > 0 ? static_cast<int>(1000.0 * static_cast<double>(progress.received)
                                                        / static_cast<double>(progress.total))
                                     : 0);
    QString text = toQString(fetchText(progress));
    if (progress.phase == FetchProgress::Phase::downloading)   // the tooltip has the file name
        text = text.section(QStringLiteral(" · "), 1);
    bar->setFormat(text);
    bar->setToolTip(toQString(fetchText(progress)));
}

void DataSetsDialog::showChosen()
{
    const DataSetRow* row = chosen();
    const bool running    = row && m_fetches.contains(row->id);
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
                   ? tr("Name in studies: %1.").arg(row->id)
                   : tr("Name in studies: %1; location: %2.").arg(row->id, row->folder.toHtmlEscaped()));
    m_about->setText(text);
}

QString DataSetsDialog::workSentence() const
{
    QStringList ids;
    for (const auto& [id, fetch] : m_fetches)
        ids += id;
    return ids.isEmpty() ? QString() : tr("Downloading: %1.").arg(ids.join(QStringLiteral(", ")));
}

void DataSetsDialog::fetch()
{
    const DataSetRow* row = chosen();
    if (!row || m_fetches.contains(row->id))
        return;
    const QString id  = row->id;
    const auto& entry = catalogue_entry(id.toStdString());
    auto* fetch       = new DataFetch(entry, usualFetchOptions(entry), this);
    m_fetches[id]     = fetch;
    bar()->clear();
    const auto show = [this, id] {
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            if (m_rows[i].id == id)
                showState(static_cast<int>(i));
        Q_EMIT backgroundChanged();
    };
    connect(fetch, &DataFetch::progressed, this, show);
    connect(fetch, &DataFetch::mirrorFailed, this, [this](const QString& sentence) { bar()->say(sentence); });
    connect(fetch, &DataFetch::finished, this, [this, id](const FetchReport& report) { ended(id, report); });
    fetch->start();
    show();
    showChosen();
    m_cancel->setFocus();
}

void DataSetsDialog::cancelFetch()
{
    if (const DataSetRow* row = chosen())
        if (const auto found = m_fetches.find(row->id); found != m_fetches.end())
            found->second->cancel();
}

/// The downloaded fraction of all current downloads.
QString DataSetsDialog::workWords() const
{
    double received = 0, total = 0;
    for (const auto& [id, fetch] : m_fetches) {
        received += static_cast<double>(fetch->progress().received);
        total += static_cast<double>(fetch->progress().total);
    }
    return total > 0 ? tr("%1 %").arg(std::floor(100 * received / total)) : tr("downloading");
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
        offer(id, toQString(report.message));
        Q_EMIT setArrived(id);
        break;
    case FetchReport::End::failed: bar()->warn(toQString(report.message)); break;
    case FetchReport::End::cancelled:
        bar()->say(tr("The download of %1 was cancelled and partial files were removed.").arg(id));
        break;
    }
    Q_EMIT backgroundChanged();
}

void DataSetsDialog::offer(const QString& id, const QString& sentence)
{
    bar()->say(sentence, {{tr("Use in this study"), [this, id] { Q_EMIT useSet(id); }}});
}

void DataSetsDialog::askToRemove()
{
    const DataSetRow* row = chosen();
    if (!row || !row->own)
        return;
    const QString id = row->id;
    bar()->ask(tr("Remove %1 (%2) from %3?").arg(row->title, row->size, row->folder), {{tr("Remove"),
                                                                                        [this, id] {
        inBackground(
            this,
            [id] {
            remove_image_set(id.toStdString());
            return true;
            },
            [this, id](const std::optional<bool>& done, const QString& mistake) {
            refresh();
            done ? bar()->say(tr("%1 was removed.").arg(id)) : bar()->warn(mistake);
        });
                                                                                        }},
                                                                                       {tr("Keep"), [] {}}});
}

void DataSetsDialog::importImages(bool folder)
{
    ImportImagesDialog::askForPath(folder, this, [this](const QString& path) { importFrom(path); });
}

void DataSetsDialog::importFrom(const QString& path)
{
    auto* dialog = new ImportImagesDialog(path, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        QString sentence = toQString(dialog->report().message);
        if (const auto& left = dialog->report().unreadable; !left.empty())
            sentence += ' '
                        + tr("%1 could not be read and were omitted, for example %2")
                              .arg(left.size())
                              .arg(toQString(left.front()));
        const QString id = dialog->name();
        refresh();
        choose(id);
        offer(id, sentence);
        Q_EMIT setArrived(id);
    });
    dialog->show();   // not modal
}
