// SPDX-License-Identifier: GPL-3.0-or-later
#include "imports/import_dialog.h"

#include "cli/progress_line.h"
#include "imports/column_lines.h"
#include "parts/appearance.h"
#include "parts/ask_path.h"
#include "parts/buttons.h"
#include "parts/form_controls.h"
#include "parts/keyboard.h"
#include "parts/remembered_sizes.h"
#include "widgets/column_widths.h"
#include "work/text.h"
#include "work/worker.h"

#include "formats/csv.h"
#include "formats/csv_columns.h"
#include "formats/csv_inputs.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/progress.h"
#include "study/usual_settings.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <stop_token>
#include <tuple>
#include <utility>

using namespace credence;

namespace {

enum TaskChoice { findOut, classes, number };

constexpr int mostNotes = 4;

/// The items of the box of decimal marks.
enum DecimalMark { detectMark, pointMark, commaMark };

/// Reads the table with decimal commas if that makes all numbers readable that are not otherwise.
CsvPreview previewWithProposedComma(const std::string& file, CsvOptions how, std::size_t rows)
{
    const auto problems = [](const CsvPreview& preview) {
        return std::ranges::count_if(preview.columns, [](const CsvColumn& column) { return !column.problem.empty(); });
    };
    CsvPreview asGiven = preview_csv(file, how, rows);
    const auto commas  = std::ranges::count(asGiven.columns, ColumnFault::decimal_commas, &CsvColumn::fault);
    if (how.decimal_comma || how.decimal_point || commas == 0)
        return asGiven;
    how.decimal_comma = true;
    try {
        CsvPreview withCommas = preview_csv(file, how, rows);
        if (problems(withCommas) <= problems(asGiven) - commas)
            return withCommas;
    } catch (const Error&) {   // the first reading is shown, with its problems
    }
    return asGiven;
}

/// Do its values divide the rows into training and test part?
bool marksParts(const CsvColumn& column)
{
    const auto is = [&](const char* word) {
        return std::ranges::any_of(column.values, [&](const std::string& value) {
            return toQString(value).startsWith(QLatin1String(word), Qt::CaseInsensitive);
        });
    };
    return column.categorical && column.values.size() <= 3 && is("train") && is("test");
}

enum ColumnOfLine { lineName, lineKind, lineReason, lineUnit, lineMissing, lineColumns };

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
            throw Error("Reading was cancelled.");   // nothing waits for it
        }
        },
        [dialog = QPointer(this), reading = m_reading, done](const auto& result, const QString& mistake) {
        if (!dialog || dialog->m_reading != reading)
            return;
        dialog->setBusy(false);
        done(result, mistake);
    });
}

ImportDialog::ImportDialog(const QString& file, const CsvOptions& options, QWidget* parent, const Study& base)
    : QDialog(parent), m_file(new QLineEdit(file, this)), m_header(new QComboBox(this)),
      m_separator(new QComboBox(this)), m_target(new QComboBox(this)), m_task(new QComboBox(this)),
      m_missing(new QComboBox(this)), m_split(new QComboBox(this)), m_splitColumn(new QComboBox(this)),
      m_decimalMark(new QComboBox(this)), m_others(new MenuButton(tr("More targets"), new QMenu(this), this)),
      m_standardise(new QCheckBox(tr("Sta&ndardise inputs and target"), this)), m_columns(new QTableWidget(this)),
      m_table(new QTableWidget(this)), m_picture(new ColumnPicture(this)),
      m_mistake(new MistakeLabel(QStringLiteral("importMistake"), this)), m_asPoint(new QPushButton(this)),
      m_asComma(new QPushButton(this)), m_summary(new QLabel(this)), m_base(base), m_given(options)
{
    setWindowTitle(tr("Import table"));
    setObjectName(QStringLiteral("importDialog"));
    resizeWithText(*this, 860, 680);
    m_file->setObjectName(QStringLiteral("importFile"));
    m_target->setObjectName(QStringLiteral("importTarget"));
    describeControl(m_others, QStringLiteral("importOtherTargets"), tr("More targets"),
                    tr("Select more numeric columns that the same network predicts"));
    m_summary->setObjectName(QStringLiteral("importSummary"));
    m_table->setObjectName(QStringLiteral("importTable"));
    m_table->setAccessibleName(tr("First rows of the table"));
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setTabKeyNavigation(false);
    m_rowWidths = rememberColumns(m_table->horizontalHeader(), QStringLiteral("import/rows"));
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
    m_summary->setWordWrap(true);
    m_summary->setTextFormat(Qt::PlainText);
    fillChoices(options);
    buildColumns();
    layOut();
    followChoices();
    auto* progress = new QTimer(this);
    connect(progress, &QTimer::timeout, this, &ImportDialog::showProgress);
    progress->start(200);   // milliseconds
    connect(this, &QDialog::finished, this, [this](int result) {
        if (m_reading)
            m_reading->stop.request_stop();
        forgetPasted(result == Accepted ? m_file->text() : QString());
    });
    read();
    orderTabs({this});
}

void ImportDialog::layOut()
{
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_import      = buttons->addButton(tr("&Import"), QDialogButtonBox::AcceptRole);
    m_import->setObjectName(QStringLiteral("importNow"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, &ImportDialog::importNow);
    auto* all = new QVBoxLayout(this);
    all->addLayout(buildForm());
    all->addWidget(m_mistake);
    auto* readings = new FlowLayout;   // answers to the question of ask()
    for (auto* reading : {m_asPoint, m_asComma})
        readings->addWidget(reading);
    all->addLayout(readings);
    all->addWidget(m_summary);
    auto* tables = new QSplitter(Qt::Vertical, this);
    tables->addWidget(m_columns);
    tables->addWidget(m_table);
    tables->setChildrenCollapsible(false);
    tables->setSizes({300, 160});
    for (auto* table : {m_columns, m_table})
        table->setMinimumHeight(3 * fontMetrics().height());   // on small screens with large text
    all->addWidget(tables, 1);
    all->addWidget(buttons);
    rememberSplitters(*this, QStringLiteral("import"));
}

void ImportDialog::followChoices()
{
    connect(m_file, &QLineEdit::editingFinished, this, [this] {   // also sent when the field loses the focus
        if (m_file->text() != m_readFile || !(m_good || m_busy))
            readAgain();
    });
    for (auto* choice : {m_header, m_separator, m_decimalMark})
        connect(choice, &QComboBox::activated, this, &ImportDialog::readAgain);
    for (const auto& [reading, mark] : {std::pair{m_asPoint, pointMark}, {m_asComma, commaMark}})
        connect(reading, &QPushButton::clicked, this, [this, mark] {
            m_decimalMark->setCurrentIndex(mark);
            m_decimalMark->setFocus();   // the button is hidden
            readAgain();
        });
    for (auto* choice : {m_task, m_missing})
        connect(choice, &QComboBox::activated, this, &ImportDialog::readWithColumns);
    connect(m_split, &QComboBox::activated, this, &ImportDialog::chooseSplit);
    connect(m_splitColumn, &QComboBox::activated, this, &ImportDialog::refresh);
    connect(m_target, &QComboBox::activated, this, &ImportDialog::refresh);
    connect(m_columns, &QTableWidget::itemChanged, this, [this](QTableWidgetItem* item) {
        if (!m_filling && item->column() == lineName)
            refresh();
    });
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
    m_decimalMark->addItems({tr("Detect"), tr("Point (1.5)"), tr("Comma (1,5)")});
    m_decimalMark->setCurrentIndex(options.decimal_comma ? commaMark : options.decimal_point ? pointMark : detectMark);
    m_decimalMark->setObjectName(QStringLiteral("importDecimalMark"));
    m_asPoint->setObjectName(QStringLiteral("importAsPoint"));
    m_asComma->setObjectName(QStringLiteral("importAsComma"));
    m_asPoint->setAccessibleName(tr("Read with a decimal point"));
    m_asComma->setAccessibleName(tr("Read with a decimal comma"));
    for (auto* reading : {m_asPoint, m_asComma})
        reading->hide();
    for (const auto& [title, way, tip] :
         {std::tuple{tr("Refuse"), MissingValues::refuse, tr("A missing number is an error.")},
          {tr("Drop rows"), MissingValues::drop, tr("Rows with a missing value are left out.")},
          {tr("Impute"), MissingValues::impute,
           tr("The median of the training rows replaces a missing number, and an extra input marks these rows. A "
              "missing category is a category of its own.")}}) {
        m_missing->addItem(title, static_cast<int>(way));
        m_missing->setItemData(m_missing->count() - 1, tip, Qt::ToolTipRole);
    }
    m_missing->setCurrentIndex(m_missing->findData(static_cast<int>(options.missing)));
    m_missing->setObjectName(QStringLiteral("importMissing"));
    m_missing->setToolTip(tr("Choose what happens to rows with a missing value"));
    m_again = m_base.data.source == DataSource::csv && !m_file->text().isEmpty()
              && toQString(m_base.data.file) == m_file->text();
    fillSplits();
    m_proposes = options.columns.empty() && !m_again;
    m_standardise->setChecked(!m_again || m_base.split.standardise_inputs);
    m_standardise->setObjectName(QStringLiteral("importStandardise"));
    m_standardise->setToolTip(
        tr("The network receives (x − mean)/sd of each input and of a numeric target, computed on "
           "the training rows. Predictions keep the units of the target."));
}

/// How the Study splits its rows, if it is of this table already.
void ImportDialog::fillSplits()
{
    const auto& base = m_base.split;
    for (const auto& [title, kind, tip] :
         {std::tuple{tr("At random"), SplitKind::random, tr("The usual choice for independent rows.")},
          {tr("By a column"), SplitKind::column, tr("A column marks each row as train, test or validation.")},
          {tr("Groups stay together"), SplitKind::groups,
           tr("Rows with the same value of a column are never divided between training and test set.")},
          {tr("In time order"), SplitKind::time, tr("The last rows are the test set.")},
          {tr("Cross-validation fold"), SplitKind::folds,
           tr("One of five parts of equal size is the test set; a sweep over the folds tests on each row once. Choose "
              "a column to keep its groups together.")},
          {tr("Test rows from a file…"), SplitKind::file,
           tr("A file lists the row numbers, from 0, as the published splits of benchmark tables do.")}}) {
        m_split->addItem(title, static_cast<int>(kind));
        m_split->setItemData(m_split->count() - 1, tip, Qt::ToolTipRole);
    }
    m_split->setObjectName(QStringLiteral("importSplit"));
    m_split->setToolTip(tr("Choose which rows are the test set"));
    m_splitColumn->setObjectName(QStringLiteral("importSplitColumn"));
    m_splitColumn->setAccessibleName(tr("Split column"));
    m_splitColumn->hide();
    if (!m_again)
        return;
    m_split->setCurrentIndex(std::max(0, m_split->findData(static_cast<int>(base.kind))));
    m_testRows = toQString(base.test_rows);
}

void ImportDialog::buildColumns()
{
    m_columns->setObjectName(QStringLiteral("importColumns"));
    m_columns->setAccessibleName(tr("Columns of the table; tick the inputs"));
    m_columns->setColumnCount(lineColumns);
    m_columns->setHorizontalHeaderLabels({tr("Input"), tr("Read as"), tr("Reason"), tr("Unit"), tr("Missing")});
    m_columns->setSelectionMode(QAbstractItemView::NoSelection);
    m_columns->setTabKeyNavigation(false);
    m_columns->verticalHeader()->setDefaultSectionSize(m_columns->fontMetrics().height() + 8);
    m_columns->horizontalHeader()->setSectionResizeMode(lineReason, QHeaderView::Stretch);
    m_widths = rememberColumns(m_columns->horizontalHeader(), QStringLiteral("import"));
}

QLayout* ImportDialog::buildForm()
{
    auto* browse = new QPushButton(tr("&Browse…"), this);
    connect(browse, &QPushButton::clicked, this, &ImportDialog::chooseFile);
    auto* fileRow = new QHBoxLayout;
    fileRow->addWidget(m_file, 1);
    fileRow->addWidget(browse);
    auto* pasted = new QPushButton(tr("&Paste"), this);
    pasted->setObjectName(QStringLiteral("importPaste"));
    pasted->setToolTip(tr("Import the table in the clipboard, for example cells copied from a spreadsheet"));
    connect(pasted, &QPushButton::clicked, this, &ImportDialog::paste);
    fileRow->addWidget(pasted);
    auto* fileLabel   = new QLabel(tr("&File"), this);
    auto* targetLabel = new QLabel(tr("&Target"), this);
    fileLabel->setBuddy(m_file);
    targetLabel->setBuddy(m_target);
    fileRow->insertWidget(0, fileLabel);
    auto* what = new QHBoxLayout;
    what->addWidget(targetLabel);
    what->addWidget(m_target, 1);
    what->addWidget(m_others);
    what->addWidget(labelled(tr("&read as"), m_task, this));
    const int widest = std::max(fileLabel->sizeHint().width(), targetLabel->sizeHint().width());
    for (auto* label : {fileLabel, targetLabel})
        label->setMinimumWidth(widest);
    for (auto* box : {m_target, m_task, m_splitColumn}) {   // as wide as there is room
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(12);
    }
    auto* how = new FlowLayout;   // in several lines in large type
    how->addWidget(labelled(tr("&Header"), m_header, this));
    how->addWidget(labelled(tr("&Separator"), m_separator, this));
    how->addWidget(labelled(tr("&Decimal mark"), m_decimalMark, this));
    how->addWidget(labelled(tr("&Missing values"), m_missing, this));
    auto* kept = new FlowLayout;
    kept->addWidget(m_picture);
    kept->addWidget(m_standardise);
    kept->addWidget(labelled(tr("Sp&lit"), m_split, this));
    kept->addWidget(m_splitColumn);
    for (auto* flow : {how, kept})
        flow->setSpacing(withText(8));
    auto* form = new QVBoxLayout;
    form->addLayout(fileRow);
    form->addLayout(how);
    form->addLayout(what);
    form->addLayout(kept);
    return form;
}

void ImportDialog::ask(const QString& file, const CsvOptions& options, QWidget* parent,
                       std::function<void(const ImportDialog&)> go, const Study& base)
{
    auto* dialog = new ImportDialog(file, options, parent, base);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, parent, [dialog, go = std::move(go)] { go(*dialog); });
    dialog->open();
}

bool ImportDialog::askForPasted(QWidget* parent, std::function<void(const ImportDialog&)> go, const Study& base)
{
    auto* dialog = new ImportDialog({}, {}, parent, base);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (!dialog->useClipboard()) {
        dialog->deleteLater();
        return false;
    }
    connect(dialog, &QDialog::accepted, parent, [dialog, go = std::move(go)] { go(*dialog); });
    dialog->open();
    return true;
}

/// Stores the table in the clipboard and reads it.
bool ImportDialog::useClipboard()
{
    const QString text = QGuiApplication::clipboard()->text();
    const QString path = isTableText(text) ? storePastedTable(text) : QString();
    if (path.isEmpty())
        return false;
    m_pasted += path;
    m_file->setText(path);
    readAgain();
    return true;
}

void ImportDialog::paste()
{
    if (!useClipboard())
        showMistake(tr("The clipboard has no table. Copy cells with their header in a spreadsheet, and paste again."));
}

void ImportDialog::forgetPasted(const QString& except)
{
    for (const auto& file : std::as_const(m_pasted))
        if (file != except)
            QFile::remove(file);
    m_pasted.clear();
}

QString ImportDialog::file() const { return m_file->text(); }

std::string ImportDialog::targetName() const
{
    std::vector<std::string> names;
    for (const int column : targets())
        names.push_back(m_preview.columns.at(static_cast<std::size_t>(column)).name);
    return names.size() == 1 ? names.front() : list_of_columns(names);
}

bool ImportDialog::sameTarget() const { return m_again && targets() == m_before; }

std::vector<int> ImportDialog::targets() const
{
    std::vector<int> all{m_target->currentIndex()};
    const auto actions = m_others->menu()->actions();
    for (int column = 0; column < actions.size() && m_task->currentIndex() != classes; ++column)
        if (actions[column]->isChecked() && column != all.front())
            all.push_back(column);
    return all;
}

/// Without a list of all, since it is asked for each of many columns.
bool ImportDialog::isTarget(int column) const
{
    const auto others = m_others->menu()->actions();
    return column == m_target->currentIndex()
           || (m_task->currentIndex() != classes && column >= 0 && column < others.size()
               && others[column]->isChecked());
}

/// Fills the menu of other targets, unless it has these columns.
void ImportDialog::offerTargets(const CsvPreview& preview)
{
    auto* menu      = m_others->menu();
    const auto text = [](const CsvColumn& c) { return toQString(c.name).replace('&', QStringLiteral("&&")); };
    if (const auto actions = menu->actions(); actions.size() == static_cast<qsizetype>(preview.columns.size())) {
        for (qsizetype column = 0; column < actions.size(); ++column)
            actions[column]->setText(text(preview.columns[static_cast<std::size_t>(column)]));
        return;
    }
    menu->clear();
    const auto& targets = preview.targets;
    for (std::size_t column = 0; column < preview.columns.size(); ++column) {
        auto* action = menu->addAction(text(preview.columns[column]));
        action->setCheckable(true);
        action->setChecked(targets.size() > 1 && std::ranges::find(targets, column) != targets.end());
        connect(action, &QAction::toggled, this, &ImportDialog::refresh);
    }
}

/// Categories and columns that cannot be read are no numeric targets.
void ImportDialog::showOtherTargets()
{
    const auto actions = m_others->menu()->actions();
    for (int column = 0; column < actions.size(); ++column) {
        const auto& c = m_preview.columns[static_cast<std::size_t>(column)];
        actions[column]->setVisible(column != m_target->currentIndex());
        actions[column]->setEnabled(actions[column]->isChecked()
                                    || (column != splitColumn() && !c.categorical && c.problem.empty()));
    }
    QStringList more;
    for (const int column : targets() | std::views::drop(1))
        more += toQString(m_preview.columns[static_cast<std::size_t>(column)].name);
    m_others->setLabel(more.isEmpty() ? tr("More targets") : tr("and %1 more").arg(more.size()));
    m_others->setAccessibleName(more.isEmpty() ? tr("More targets")
                                               : tr("More targets: %1").arg(more.join(QStringLiteral(", "))));
    m_others->setEnabled(m_task->currentIndex() != classes && !m_busy);
}

bool ImportDialog::standardises() const { return m_standardise->isChecked(); }

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
    CsvOptions options    = m_given;
    options.header        = static_cast<CsvHeader>(m_header->currentData().toInt());
    options.separator     = static_cast<char>(m_separator->currentData().toInt());
    const int mark        = m_decimalMark->currentIndex();
    options.decimal_comma = mark == commaMark || (mark == detectMark && m_good && m_preview.resolved.decimal_comma);
    options.decimal_point = mark == pointMark;
    options.missing       = static_cast<MissingValues>(m_missing->currentData().toInt());
    options.task.reset();
    if (m_task->currentIndex() != findOut)
        options.task = m_task->currentIndex() == classes ? Task::classification : Task::regression;
    if (!m_good)
        return options;
    options.columns.clear();
    options.target.clear();   // by number, since names can repeat
    for (const int column : targets())
        options.target += (options.target.empty() ? "" : ", ") + std::to_string(column + 1);
    bool all = m_preview.resolved.columns.empty();   // otherwise unlisted columns are left out
    options.categories.clear();
    for (int column = 0; column < m_columns->rowCount(); ++column) {
        if (isTarget(column) || column == splitColumn())
            continue;
        if (isInput(column))
            options.columns.push_back(std::to_string(column + 1));
        else
            all = false;
        if (const auto* kind = qobject_cast<QComboBox*>(m_columns->cellWidget(column, lineKind));
            kind && kind->currentIndex() == 1)
            options.categories.push_back(std::to_string(column + 1));
    }
    if (all)
        options.columns.clear();
    return options;
}

bool ImportDialog::isInput(int column) const
{
    return !isTarget(column) && column != splitColumn()
           && m_columns->item(column, lineName)->checkState() == Qt::Checked;
}

SplitKind ImportDialog::splitKind() const { return static_cast<SplitKind>(m_split->currentData().toInt()); }

int ImportDialog::splitColumn() const
{
    return can_use_column(splitKind()) && m_splitColumn->count() > 0 ? m_splitColumn->currentData().toInt() : -1;
}

SplitOptions ImportDialog::chosenSplit() const
{
    SplitOptions split = m_base.split;
    split.kind         = splitKind();
    const int column   = splitColumn();
    split.column       = column < 0 ? std::string() : m_preview.columns[static_cast<std::size_t>(column)].name;
    split.test_rows    = split.kind == SplitKind::file ? m_testRows.toStdString() : std::string();
    return split;
}

/// A split by a file needs the file first.
void ImportDialog::chooseSplit()
{
    if (splitKind() == SplitKind::file) {
        m_split->setCurrentIndex(0);   // until a file is chosen
        askForFile(tr("Numbers of the test rows"), tr("Text (*.txt *.csv);;All files (*)"), this,
                   [this](const QString& chosen) {
            m_testRows = chosen;
            m_split->setCurrentIndex(m_split->findData(static_cast<int>(SplitKind::file)));
            refresh();
        });
    }
    refresh();
}

/// Offers the columns, and proposes one that marks training and test rows.
void ImportDialog::showSplit(const CsvPreview& preview)
{
    const bool again   = m_splitColumn->count() > 0;
    const auto& before = again ? m_splitColumn->currentText() : toQString(m_base.split.column);
    m_splitColumn->clear();
    m_splitColumn->addItem(tr("order of the rows"), -1);
    for (std::size_t column = 0; column < preview.columns.size(); ++column)
        m_splitColumn->addItem(toQString(preview.columns[column].name), static_cast<int>(column));
    m_splitColumn->setCurrentIndex(std::max(0, m_splitColumn->findText(before)));
    for (std::size_t column = 0; m_proposes && column < preview.columns.size(); ++column)
        if (marksParts(preview.columns[column])) {
            m_split->setCurrentIndex(m_split->findData(static_cast<int>(SplitKind::column)));
            m_splitColumn->setCurrentIndex(static_cast<int>(column) + 1);
            return;
        }
}

void ImportDialog::readAgain()
{
    m_given = {};
    read();
}

void ImportDialog::readWithColumns()
{
    if (m_good) {
        m_given    = options();
        m_proposes = false;
    }
    read();
}

void ImportDialog::read()
{
    if (m_file->text().isEmpty()) {
        showMistake({});
        m_summary->setText(tr("Choose a file with one example per line, or paste a table."));
        m_import->setEnabled(false);
        return;
    }
    m_good = false;
    if (!m_readFile.isEmpty() && m_readFile != m_file->text())
        forgetFile();
    m_readFile = m_file->text();
    readInBackground(
        [file = m_file->text().toStdString(), how = options()] {
        constexpr std::size_t rows = 50;
        try {
            return previewWithProposedComma(file, how, rows);
        } catch (const Error&) {   // the table may have other columns than when it was imported
            if (how.target.empty() && how.columns.empty())
                throw;
            return preview_csv(file,
                               {.header        = how.header,
                                .separator     = how.separator,
                                .decimal_comma = how.decimal_comma,
                                .decimal_point = how.decimal_point,
                                .task          = how.task,
                                .missing       = how.missing},
                               rows);
        }
        },
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
        m_columns->setRowCount(0);
        m_picture->clear();
        m_target->clear();
        m_others->menu()->clear();
        showOtherTargets();
        m_summary->clear();
        ask({});
        showMistake(mistake);
    });
}

void ImportDialog::forgetFile()
{
    m_target->clear();
    m_others->menu()->clear();
    m_again    = false;
    m_given    = {};
    m_proposes = true;
    for (QComboBox* choice : {m_header, m_separator, m_decimalMark, m_task, m_missing, m_split})
        choice->setCurrentIndex(0);
}

void ImportDialog::importNow()
{
    if (m_file->text() != m_readFile)   // typed, and imported by its key
        return readAgain();
    const auto how = options();
    Study base     = m_base;
    base.split     = chosenSplit();
    readInBackground(
        [file = m_file->text().toStdString(), how, base, standardises = standardises()] {
        auto reading         = how;
        reading.split_column = base.split.column;
        const auto data      = read_csv(file, reading);
        TableFacts facts{data.task, data.n_rows, data.n_features, data.n_classes(),
                         with_first_table_settings(base, data)};
        facts.first.split.standardise_inputs = standardises;
        facts.first.split.standardise_targets &= standardises;
        return facts;
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

void ImportDialog::resizeEvent(QResizeEvent* event)
{
    QDialog::resizeEvent(event);
    shareHeight();
}

/// On small screens with large text the list of columns needs the room of the first rows.
void ImportDialog::shareHeight()
{
    const int rows  = m_table->isHidden() ? m_table->minimumHeight() : 0;
    const int least = layout()->minimumHeightForWidth(width()) + rows;
    m_table->setVisible(least <= height());
}

void ImportDialog::setBusy(bool busy)
{
    m_busy = busy;
    // The others read the table again: they stay enabled, since a disabled one would lose the focus.
    for (QWidget* part :
         std::initializer_list<QWidget*>{m_columns, m_table, m_target, m_others, m_standardise, m_split, m_splitColumn})
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
    m_preview = preview;
    m_good    = true;
    m_decimalMark->setItemText(detectMark, preview.resolved.decimal_comma ? tr("Detect: comma") : tr("Detect"));
    m_filling         = true;
    const int columns = static_cast<int>(preview.columns.size());
    const int chosen  = m_target->currentIndex();
    m_target->clear();
    offerTargets(preview);
    for (int column = 0; column < columns; ++column) {
        const auto& c = preview.columns[static_cast<std::size_t>(column)];
        m_target->addItem(tr("%1: %2").arg(column + 1).arg(toQString(c.name)));
    }
    const int target = preview.targets.empty() ? columns - 1 : static_cast<int>(preview.targets.front());
    m_target->setCurrentIndex(chosen >= 0 && chosen < columns ? chosen : target);
    if (m_before.empty())
        m_before = targets();
    m_table->setColumnCount(columns);
    m_table->setRowCount(static_cast<int>(preview.rows.size()));
    QStringList names;
    for (const auto& c : preview.columns)
        names += toQString(c.name);
    m_table->setHorizontalHeaderLabels(names);
    for (int row = 0; row < m_table->rowCount(); ++row)
        for (int column = 0; column < columns; ++column) {
            const auto& cells = preview.rows[static_cast<std::size_t>(row)];
            auto* cell        = new QTableWidgetItem(static_cast<std::size_t>(column) < cells.size()
                                                         ? toQString(cells[static_cast<std::size_t>(column)])
                                                         : QString());
            cell->setFlags(Qt::ItemIsEnabled);
            m_table->setItem(row, column, cell);
        }
    m_table->resizeColumnsToContents();
    m_rowWidths->apply();
    m_lines = columnLines(preview);
    m_columns->setRowCount(0);   // with the boxes of the columns before
    m_columns->setRowCount(columns);
    const auto& used = preview.resolved.columns;
    for (int column = 0; column < columns; ++column) {
        const auto at    = static_cast<std::size_t>(column);
        const bool among = used.empty() || std::ranges::find(used, preview.columns[at].name) != used.end();
        showColumn(column, among && (m_lines[at].useful || !m_proposes));
    }
    showSplit(preview);
    m_filling = false;
    refresh();
    for (const int narrow : {lineName, lineKind, lineUnit, lineMissing})
        m_columns->resizeColumnToContents(narrow);
    m_widths->apply();
}

/// One line of the list of columns.
void ImportDialog::showColumn(int column, bool input)
{
    const auto& line = m_lines[static_cast<std::size_t>(column)];
    const auto& c    = m_preview.columns[static_cast<std::size_t>(column)];
    const auto cell  = [&](int at, const QString& text) {
        auto* item = new QTableWidgetItem(text);
        item->setFlags(Qt::ItemIsEnabled);
        item->setToolTip(text);
        m_columns->setItem(column, at, item);
        return item;
    };
    auto* name = cell(lineName, toQString(c.name));
    name->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable);
    name->setCheckState(input ? Qt::Checked : Qt::Unchecked);
    cell(lineKind, line.kind);
    cell(lineReason, line.reason);
    cell(lineUnit, line.unit);
    cell(lineMissing, c.summary.missing == 0 ? QString() : QString::number(c.summary.missing));
    const auto& given = m_given.categories;
    const bool listed = std::ranges::find(given, c.name) != given.end()
                        || std::ranges::find(given, std::to_string(column + 1)) != given.end();
    if (!line.mayBeClasses && !listed)
        return;
    auto* kind = new QComboBox(m_columns);
    kind->setObjectName(QStringLiteral("importKind/%1").arg(column + 1));
    kind->setAccessibleName(tr("How %1 is read").arg(toQString(c.name)));
    kind->addItems({tr("number"), tr("category")});
    kind->setCurrentIndex(listed);
    connect(kind, &QComboBox::activated, this, &ImportDialog::refresh);
    m_columns->setCellWidget(column, lineKind, kind);
}

/// The distribution of the target.
void ImportDialog::showTarget()
{
    const auto column = static_cast<std::size_t>(m_target->currentIndex());
    const auto& c     = m_preview.columns[column];
    const bool codes  = m_lines[column].mayBeClasses && c.summary.distinct <= max_numbers_as_codes
                       && m_task->currentIndex() != number;
    m_picture->setColumn(c, c.categorical || codes || m_task->currentIndex() == classes);
}

/// Marks the target and the split column, which cannot be inputs.
void ImportDialog::markColumn(int column)
{
    const QString name = toQString(m_preview.columns[static_cast<std::size_t>(column)].name);
    const bool target = isTarget(column), splits = column == splitColumn();
    auto* item = m_columns->item(column, lineName);
    m_filling  = true;
    item->setFlags(target || splits ? Qt::ItemIsEnabled : Qt::ItemIsEnabled | Qt::ItemIsUserCheckable);
    if (target || splits)
        item->setData(Qt::CheckStateRole, {});   // no check box
    else if (!item->data(Qt::CheckStateRole).isValid())
        item->setCheckState(Qt::Checked);
    item->setText(target ? tr("%1 (target)").arg(name) : splits ? tr("%1 (split)").arg(name) : name);
    QFont font = m_columns->font();
    font.setBold(target);
    for (int at = 0; at < lineColumns; ++at)
        m_columns->item(column, at)->setFont(font);
    for (int row = 0; row < m_table->rowCount(); ++row)
        m_table->item(row, column)->setFont(font);
    if (target && m_rowWidths->of(column) == 0)
        m_table->resizeColumnToContents(column);   // bold text is wider
    m_filling = false;
}

/// Counts a column if it is an input or the target; otherwise notes on it are of no interest.
void ImportDialog::countColumn(int column, ColumnsInUse& used) const
{
    const auto& c     = m_preview.columns[static_cast<std::size_t>(column)];
    const bool target = isTarget(column);
    if (!target && !isInput(column)) {
        used.notes.removeIf([quoted = tr("column “%1”").arg(toQString(c.name))](const QString& note) {
            return note.contains(quoted) && !note.endsWith(QLatin1String("it is not used."));
        });
        return;
    }
    used.missing += c.summary.missing;
    if (!used.asks && c.readings && m_decimalMark->currentIndex() == detectMark)
        used.asks = &c;
    if (used.problem.isEmpty() && c.fault != ColumnFault::ambiguous_comma)
        used.problem = toQString(c.problem);
    if (target)
        return;
    const auto* box = qobject_cast<QComboBox*>(m_columns->cellWidget(column, lineKind));
    ++used.inputs;
    used.wide += c.categorical                     ? static_cast<int>(c.values.size())
                 : box && box->currentIndex() == 1 ? static_cast<int>(c.summary.distinct)
                                                   : 1;
}

/// Asks which mark is meant in a column such as “1,234”. @param column  null: there is nothing to ask
void ImportDialog::ask(const CsvColumn* column)
{
    for (auto* reading : {m_asPoint, m_asComma})
        reading->setVisible(column);
    if (!column)
        return;
    const auto& [cell, withPoint, withComma] = *column->readings;
    const QString point = toQString(plain_text(withPoint)), comma = toQString(plain_text(withComma));
    m_asPoint->setText(tr("%1 (decimal point)").arg(point));
    m_asComma->setText(tr("%1 (decimal comma)").arg(comma));
    showMistake(tr("Column “%1”: is “%2” the number %3 or %4? Choose the decimal mark.")
                    .arg(toQString(column->name), toQString(cell), point, comma));
}

void ImportDialog::refresh()
{
    if (!m_good)
        return;
    showMistake({});
    const auto kind = splitKind();
    m_splitColumn->setVisible(can_use_column(kind));
    m_splitColumn->setItemText(0, kind == SplitKind::folds ? tr("independent rows") : tr("order of the rows"));
    ColumnsInUse used{.notes = m_notes};
    for (int column = 0; column < m_columns->rowCount(); ++column) {
        markColumn(column);
        countColumn(column, used);
    }
    showTarget();
    showOtherTargets();
    auto& [inputs, wide, missing, asks, problem, notes] = used;
    if ((kind == SplitKind::column || kind == SplitKind::groups) && splitColumn() < 0 && problem.isEmpty())
        problem = tr("Choose the split column.");
    if (splitColumn() >= 0 && isTarget(splitColumn()))
        problem = tr("The target cannot be the split column. Choose another column.");
    const bool refuses = m_missing->currentData().toInt() == static_cast<int>(MissingValues::refuse);
    if (missing > 0 && refuses)
        notes.prepend(tr("%1 values are missing in these columns: choose above what to do with them.").arg(missing));
    const QString columns = inputs == 1 ? tr("1 input column") : tr("%1 input columns").arg(inputs);
    QString found         = tr("%1 rows, %2.").arg(toQString(m_preview.n_rows), columns);
    if (wide != inputs)
        found += ' ' + tr("Categories become one-hot columns, so the network has %1 inputs.").arg(wide);
    m_summary->setText(
        found + (notes.isEmpty() ? QString() : '\n' + notes.mid(0, mostNotes).join('\n'))
        + (notes.size() > mostNotes ? '\n' + tr("%1 more notes.").arg(notes.size() - mostNotes) : QString()));
    if (m_widths->of(lineName) == 0)
        m_columns->resizeColumnToContents(lineName);   // “(target)” may have been added
    m_import->setEnabled(inputs > 0 && !m_busy);
    showMistake(problem);
    ask(problem.isEmpty() ? asks : nullptr);
    shareHeight();
}
