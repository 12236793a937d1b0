// SPDX-License-Identifier: GPL-3.0-or-later
#include "imports/import_dialog.h"

#include "cli/progress_line.h"
#include "parts/ask_path.h"
#include "parts/form_controls.h"
#include "parts/tab_order.h"
#include "work/text.h"
#include "work/worker.h"

#include "formats/csv.h"
#include "foundation/error.h"
#include "foundation/progress.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <stop_token>

using namespace credence;

namespace {

enum TaskChoice { findOut, classes, number };

constexpr int mostNotes = 4;

}   // namespace

struct ImportDialog::Reading {
    std::stop_source stop;
    WorkProgress progress;
};

/// Like inBackground, but closing the dialog does not wait for the file: it stops the reading.
template <class Work, class Done>
void ImportDialog::readInBackground(Work work, Done done)
{
    if (m_reading)
        m_reading->stop.request_stop();
    m_reading = std::make_shared<Reading>();
    setBusy(true);
    inBackground(
        QCoreApplication::instance(),
        [reading = m_reading, work = std::move(work)] {
        const StopScope stop(reading->stop.get_token());
        const ProgressScope progress([&](double share) { reading->progress.report(share); });
        try {
            return work();
        } catch (const Stopped&) {
            throw Error("Reading was cancelled.");   // nobody waits for it
        }
        },
        [dialog = QPointer(this), reading = m_reading, done](const auto& result, const QString& mistake) {
        if (!dialog || dialog->m_reading != reading)
            return;
        dialog->setBusy(false);
        done(result, mistake);
    });
}

ImportDialog::ImportDialog(const QString& file, const CsvOptions& options, QWidget* parent)
    : QDialog(parent), m_file(new QLineEdit(file, this)), m_header(new QComboBox(this)),
      m_separator(new QComboBox(this)), m_target(new QComboBox(this)), m_task(new QComboBox(this)),
      m_decimalComma(new QCheckBox(tr("&Decimal comma (1,5)"), this)), m_table(new QTableWidget(this)),
      m_mistake(new MistakeLabel(QStringLiteral("importMistake"), this)), m_summary(new QLabel(this))
{
    setWindowTitle(tr("Import table"));
    setObjectName(QStringLiteral("importDialog"));
    resize(820, 560);
    m_file->setObjectName(QStringLiteral("importFile"));
    m_target->setObjectName(QStringLiteral("importTarget"));
    m_summary->setObjectName(QStringLiteral("importSummary"));
    m_table->setObjectName(QStringLiteral("importTable"));
    m_table->setAccessibleName(tr("First rows of the table; tick the input columns"));
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
    m_summary->setWordWrap(true);
    m_summary->setTextFormat(Qt::PlainText);
    fillChoices(options);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_import      = buttons->addButton(tr("&Import"), QDialogButtonBox::AcceptRole);
    m_import->setObjectName(QStringLiteral("importNow"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, &ImportDialog::importNow);
    auto* all = new QVBoxLayout(this);
    all->addLayout(buildForm());
    all->addWidget(m_mistake);
    all->addWidget(m_summary);
    all->addWidget(m_table, 1);
    all->addWidget(buttons);

    connect(m_file, &QLineEdit::editingFinished, this, &ImportDialog::readAgain);
    for (auto* choice : {m_header, m_separator, m_task})
        connect(choice, &QComboBox::activated, this, &ImportDialog::readAgain);
    connect(m_decimalComma, &QCheckBox::toggled, this, &ImportDialog::readAgain);
    connect(m_target, &QComboBox::activated, this, &ImportDialog::refresh);
    connect(m_table, &QTableWidget::itemChanged, this, [this](QTableWidgetItem* item) {
        if (!m_filling && item->row() == 0)
            refresh();
    });
    auto* progress = new QTimer(this);
    connect(progress, &QTimer::timeout, this, &ImportDialog::showProgress);
    progress->start(200);   // milliseconds
    connect(this, &QDialog::finished, this, [this] {
        if (m_reading)
            m_reading->stop.request_stop();
    });
    readAgain();
    orderTabs({this});
}

void ImportDialog::fillChoices(const CsvOptions& options)
{
    m_header->addItem(tr("Detect"), static_cast<int>(CsvHeader::detect));
    m_header->addItem(tr("First line has names"), static_cast<int>(CsvHeader::yes));
    m_header->addItem(tr("No header"), static_cast<int>(CsvHeader::no));
    m_header->setCurrentIndex(m_header->findData(static_cast<int>(options.header)));
    for (const auto& [title, sign] : {std::pair{tr("Detect"), '\0'},
                                      {tr("Comma"), ','},
                                      {tr("Semicolon"), ';'},
                                      {tr("Tab"), '\t'},
                                      {tr("Space"), ' '},
                                      {tr("Bar |"), '|'}})
        m_separator->addItem(title, static_cast<int>(sign));
    m_separator->setCurrentIndex(std::max(0, m_separator->findData(static_cast<int>(options.separator))));
    m_task->addItem(tr("Detect"), findOut);
    m_task->addItem(tr("Classes"), classes);
    m_task->addItem(tr("A number (regression)"), number);
    m_task->setCurrentIndex(!options.task ? findOut : *options.task == Task::classification ? classes : number);
    m_task->setObjectName(QStringLiteral("importTask"));
    m_decimalComma->setChecked(options.decimal_comma);
}

QLayout* ImportDialog::buildForm()
{
    const auto add = [this](QBoxLayout* row, const QString& text, QWidget* editor, int stretch) {
        auto* label = new QLabel(text, this);
        label->setBuddy(editor);
        row->addWidget(label);
        row->addWidget(editor, stretch);
    };
    auto* browse = new QPushButton(tr("&Browse…"), this);
    connect(browse, &QPushButton::clicked, this, &ImportDialog::chooseFile);
    auto* fileRow = new QHBoxLayout;
    fileRow->addWidget(m_file, 1);
    fileRow->addWidget(browse);
    auto* form      = new QFormLayout;
    auto* fileLabel = new QLabel(tr("&File"), this);
    fileLabel->setBuddy(m_file);
    form->addRow(fileLabel, fileRow);
    auto* how = new QHBoxLayout;
    add(how, tr("&Header"), m_header, 0);
    how->addSpacing(10);
    add(how, tr("&Separator"), m_separator, 0);
    how->addSpacing(10);
    how->addWidget(m_decimalComma);
    how->addStretch(1);
    form->addRow(how);
    auto* what = new QHBoxLayout;
    what->addWidget(m_target, 1);
    add(what, tr("&read as"), m_task, 1);
    auto* targetLabel = new QLabel(tr("&Target"), this);
    targetLabel->setBuddy(m_target);
    form->addRow(targetLabel, what);
    return form;
}

void ImportDialog::ask(const QString& file, const CsvOptions& options, QWidget* parent,
                       std::function<void(const ImportDialog&)> go)
{
    auto* dialog = new ImportDialog(file, options, parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, parent, [dialog, go = std::move(go)] { go(*dialog); });
    dialog->open();
}

QString ImportDialog::file() const { return m_file->text(); }

void ImportDialog::chooseFile()
{
    askForFile(tr("Table to import"), tr("Tables (*.csv *.tsv *.txt *.data);;All files (*)"), this,
               [this](const QString& chosen) {
        m_file->setText(chosen);
        readAgain();
    });
}

CsvOptions ImportDialog::options() const
{
    CsvOptions options;
    options.header        = static_cast<CsvHeader>(m_header->currentData().toInt());
    options.separator     = static_cast<char>(m_separator->currentData().toInt());
    options.decimal_comma = m_decimalComma->isChecked();
    if (m_task->currentIndex() != findOut)
        options.task = m_task->currentIndex() == classes ? Task::classification : Task::regression;
    if (!m_good)
        return options;
    options.target = std::to_string(m_target->currentIndex() + 1);   // by number, since names can repeat
    bool all       = m_preview.resolved.columns.empty();             // otherwise unlisted columns are left out
    for (int column = 0; column < m_table->columnCount(); ++column) {
        if (column == m_target->currentIndex())
            continue;
        if (m_table->item(0, column)->checkState() == Qt::Checked)
            options.columns.push_back(std::to_string(column + 1));
        else
            all = false;
    }
    if (all)
        options.columns.clear();
    return options;
}

void ImportDialog::readAgain()
{
    if (m_file->text().isEmpty()) {
        showMistake({});
        m_summary->setText(tr("Choose a file with one example per line."));
        m_import->setEnabled(false);
        return;
    }
    m_good = false;
    if (!m_readFile.isEmpty() && m_readFile != m_file->text())
        forgetFile();
    m_readFile = m_file->text();
    readInBackground([file = m_file->text().toStdString(), how = options()] { return preview_csv(file, how, 50); },
                     [this](const std::optional<CsvPreview>& preview, const QString& mistake) {
        m_notes.clear();
        if (preview) {
            for (const auto& note : preview->notes)
                m_notes += toQString(note);
            showPreview(*preview);
            return;
        }
        m_table->clear();
        m_table->setRowCount(0);
        m_table->setColumnCount(0);
        m_target->clear();
        m_summary->clear();
        showMistake(mistake);
    });
}

void ImportDialog::forgetFile()
{
    m_target->clear();
    for (QComboBox* choice : {m_header, m_separator, m_task})
        choice->setCurrentIndex(0);
    const QSignalBlocker quiet(m_decimalComma);
    m_decimalComma->setChecked(false);
}

void ImportDialog::importNow()
{
    const auto how = options();
    readInBackground(
        [file = m_file->text().toStdString(), how] {
        const auto data = read_csv(file, how);
        return TableFacts{data.task, data.n_rows, data.n_features, data.n_classes()};
        },
        [this](const std::optional<TableFacts>& facts, const QString& mistake) {
        if (facts) {
            m_facts = *facts;
            accept();
        } else {
            refresh();
            showMistake(mistake);
        }
    });
}

void ImportDialog::setBusy(bool busy)
{
    m_busy = busy;
    for (QWidget* part : std::initializer_list<QWidget*>{m_table, m_target, m_task})
        part->setEnabled(!busy);
    if (busy) {
        showMistake({});
        m_import->setEnabled(false);
        showProgress();
    }
}

/// "Reading sales.csv (1.07 GB): 45 %, 0:20 left"
void ImportDialog::showProgress()
{
    if (!m_busy)
        return;
    const QFileInfo file(m_file->text());
    const auto size = QLocale::c().formattedDataSize(file.size(), 2, QLocale::DataSizeSIFormat);
    const auto now  = m_reading->progress.now();
    if (!now)
        return m_summary->setText(tr("Reading %1 (%2) …").arg(file.fileName(), size));
    auto words = tr("Reading %1 (%2): %3 %").arg(file.fileName(), size).arg(std::lround(100 * now->share));
    if (now->seconds_left)
        words += tr(", %1 left").arg(toQString(clockText(*now->seconds_left)));
    m_summary->setText(words);
}

void ImportDialog::showMistake(const QString& sentence)
{
    m_mistake->setMistake(sentence);
    if (!sentence.isEmpty())
        m_import->setEnabled(false);
}

void ImportDialog::showPreview(const CsvPreview& preview)
{
    m_preview         = preview;
    m_good            = true;
    m_filling         = true;
    const int columns = static_cast<int>(preview.columns.size());
    const int chosen  = m_target->currentIndex();
    m_target->clear();
    int target = columns - 1;
    for (int column = 0; column < columns; ++column) {
        const auto& c = preview.columns[static_cast<std::size_t>(column)];
        m_target->addItem(tr("%1: %2").arg(column + 1).arg(toQString(c.name)));
        if (c.name == preview.resolved.target || std::to_string(column + 1) == preview.resolved.target)
            target = column;
    }
    m_target->setCurrentIndex(chosen >= 0 && chosen < columns ? chosen : target);
    m_table->setColumnCount(columns);
    m_table->setRowCount(static_cast<int>(preview.rows.size()) + 1);
    QStringList names, lines{tr("input")};
    for (const auto& c : preview.columns)
        names += toQString(c.name);
    for (std::size_t row = 0; row < preview.rows.size(); ++row)
        lines += QString::number(row + 1);
    m_table->setHorizontalHeaderLabels(names);
    m_table->setVerticalHeaderLabels(lines);
    for (int column = 0; column < columns; ++column) {
        const auto& c = preview.columns[static_cast<std::size_t>(column)];
        const auto n  = c.values.size();
        auto* item    = new QTableWidgetItem(!c.categorical ? tr("number")
                                             : n == 1       ? tr("1 value")
                                                            : tr("%1 values").arg(n));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable);
        const auto& used = preview.resolved.columns;
        item->setCheckState(used.empty() || std::ranges::find(used, c.name) != used.end() ? Qt::Checked
                                                                                          : Qt::Unchecked);
        m_table->setItem(0, column, item);
        for (std::size_t row = 0; row < preview.rows.size(); ++row) {
            const auto& cells = preview.rows[row];
            auto* cell        = new QTableWidgetItem(static_cast<std::size_t>(column) < cells.size()
                                                         ? toQString(cells[static_cast<std::size_t>(column)])
                                                         : QString());
            cell->setFlags(Qt::ItemIsEnabled);
            m_table->setItem(static_cast<int>(row) + 1, column, cell);
        }
    }
    m_table->resizeColumnsToContents();
    m_filling = false;
    refresh();
}

void ImportDialog::refresh()
{
    if (!m_good)
        return;
    showMistake({});
    int inputs = 0, wide = 0;
    for (int column = 0; column < m_table->columnCount(); ++column) {
        const bool target = column == m_target->currentIndex();
        auto* item        = m_table->item(0, column);
        m_filling         = true;
        item->setFlags(target ? Qt::ItemIsEnabled : Qt::ItemIsEnabled | Qt::ItemIsUserCheckable);
        if (target)
            item->setData(Qt::CheckStateRole, {});   // no check box, since it cannot be an input
        else if (!item->data(Qt::CheckStateRole).isValid())
            item->setCheckState(Qt::Checked);
        QFont font = m_table->font();
        font.setBold(target);
        for (int row = 0; row < m_table->rowCount(); ++row)
            m_table->item(row, column)->setFont(font);
        m_filling = false;
        if (target || item->checkState() != Qt::Checked)
            continue;
        const auto& c = m_preview.columns[static_cast<std::size_t>(column)];
        ++inputs;
        wide += c.categorical ? static_cast<int>(c.values.size()) : 1;
    }
    m_summary->setText(
        tr("%1 rows. %2 input columns become %3 numbers: categories become one-hot columns; “?” is a category of "
           "its own.")
            .arg(m_preview.n_rows)
            .arg(inputs)
            .arg(wide)
        + (m_notes.isEmpty() ? QString() : '\n' + m_notes.mid(0, mostNotes).join('\n'))
        + (m_notes.size() > mostNotes ? '\n' + tr("%1 more notes.").arg(m_notes.size() - mostNotes) : QString()));
    m_import->setEnabled(inputs > 0);
}
