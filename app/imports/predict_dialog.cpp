// SPDX-License-Identifier: GPL-3.0-or-later
#include "imports/predict_dialog.h"

#include "parts/appearance.h"
#include "parts/ask_path.h"
#include "parts/form_controls.h"
#include "parts/keyboard.h"
#include "parts/remembered_sizes.h"
#include "session/current_run.h"
#include "views/view_support.h"
#include "work/text.h"

#include "foundation/number_text.h"
#include "foundation/progress.h"
#include "widgets/column_widths.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>

#include <cmath>
#include <utility>

using namespace credence;

namespace {

constexpr std::size_t rowsOfPreview = 10;

QString cellText(const Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return toQString(*text);
    if (const auto* whole = std::get_if<long>(&cell))
        return QString::number(*whole);
    return toQString(display_text(std::get<double>(cell), 4));
}

/// The scores with the table's observed values in one line. Their names may contain commas.
QString scoresInWords(const Table& scores)
{
    QStringList words;
    for (const auto& row : scores.rows)
        if (!std::get<std::string>(row[0]).starts_with("Rows"))
            words += toQString(std::get<std::string>(row[0])) + QLatin1Char(' ') + cellText(row[1]);
    return words.join(QStringLiteral("; "));
}

/// A level in percent. Fractions are accepted: 0.9 is 90 %, as in the Study.
class LevelBox : public QDoubleSpinBox {
public:
    explicit LevelBox(QWidget* parent) : QDoubleSpinBox(parent)
    {
        setRange(1, 99.99);
        setDecimals(2);
        setSuffix(QStringLiteral(" %"));
    }

    double valueFromText(const QString& text) const override
    {
        const double typed = digitsOf(text).toDouble();
        return typed < 1 ? 100 * typed : typed;
    }
    QValidator::State validate(QString& text, int&) const override
    {
        const QString digits = digitsOf(text);
        bool isNumber        = false;
        digits.toDouble(&isNumber);
        if (!isNumber)
            return digits.isEmpty() || digits == QLatin1String(".") ? QValidator::Intermediate : QValidator::Invalid;
        const double percent = valueFromText(text);
        return percent > maximum()   ? QValidator::Invalid
               : percent < minimum() ? QValidator::Intermediate
                                     : QValidator::Acceptable;
    }

private:
    /// With a decimal point: a comma can be pasted.
    static QString digitsOf(QString text)
    {
        return text.remove(QLatin1Char('%')).trimmed().replace(QLatin1Char(','), QLatin1Char('.'));
    }
};

/// "new.csv" → "new-predictions.csv", or with a number if that exists.
QString suggestedOutput(const QString& table)
{
    const QFileInfo file(table);
    const QString stem = file.path() + QLatin1Char('/') + file.completeBaseName() + QStringLiteral("-predictions");
    QString name       = stem + QStringLiteral(".csv");
    for (int i = 2; QFileInfo::exists(name); ++i)
        name = stem + QStringLiteral("-%1.csv").arg(i);
    return name;
}

}   // namespace

QString PredictDialog::whyNot(const DisplayedRun& run)
{
    if (!run.experiment || !run.trained())
        return tr("Train a run, or open a saved one, to predict new rows.");
    if (run.ofOutputs())
        return tr("Imported predictions have no weights, so they cannot predict new rows.");
    if (run.experiment->data->image)
        return tr("The displayed run is about images. Draw or open an image to predict it.");
    return {};
}

void PredictDialog::ask(RunSnapshot run, QWidget* parent)
{
    auto* dialog = new PredictDialog(std::move(run), parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

PredictDialog::PredictDialog(RunSnapshot run, QWidget* parent)
    : QDialog(parent), m_run(std::move(run)), m_table(new QLineEdit(this)), m_output(new QLineEdit(this)),
      m_level(new LevelBox(this)), m_conformal(new QCheckBox(this)),
      m_mistake(new MistakeLabel(QStringLiteral("predictMistake"), this)), m_summary(new QLabel(this)),
      m_preview(new QTableWidget(this)), m_progress(new QProgressBar(this))
{
    setWindowTitle(tr("Predict a table"));
    setObjectName(QStringLiteral("predictDialog"));
    resizeWithText(*this, 820, 560);
    m_summary->setObjectName(QStringLiteral("predictSummary"));
    m_summary->setWordWrap(true);
    m_summary->setTextFormat(Qt::PlainText);
    m_preview->setObjectName(QStringLiteral("predictPreview"));
    m_preview->setAccessibleName(tr("First rows with their predictions"));
    m_preview->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_preview->setTabKeyNavigation(false);
    m_preview->verticalHeader()->hide();
    m_preview->verticalHeader()->setDefaultSectionSize(m_preview->fontMetrics().height() + 6);
    m_preview->horizontalHeader()->setStretchLastSection(true);   // notes
    m_widths = rememberColumns(m_preview->horizontalHeader(), QStringLiteral("predict"));
    m_progress->setRange(0, 1000);
    m_progress->hide();

    auto* buttons = new QDialogButtonBox(this);
    m_predict     = buttons->addButton(tr("&Predict"), QDialogButtonBox::AcceptRole);
    m_predict->setObjectName(QStringLiteral("predictNow"));
    m_close = buttons->addButton(QDialogButtonBox::Cancel);
    m_close->setObjectName(QStringLiteral("predictCancel"));
    connect(buttons, &QDialogButtonBox::accepted, this, &PredictDialog::predictNow);
    connect(buttons, &QDialogButtonBox::rejected, this, &PredictDialog::cancelOrClose);
    auto* all = new QVBoxLayout(this);
    all->addLayout(buildForm());
    all->addWidget(m_mistake);
    all->addWidget(m_summary);
    all->addWidget(m_preview, 1);
    all->addWidget(m_progress);
    all->addWidget(buttons);

    connect(m_table, &QLineEdit::editingFinished, this, &PredictDialog::readTable);
    connect(m_output, &QLineEdit::textChanged, this, &PredictDialog::refresh);
    connect(m_level, &QDoubleSpinBox::valueChanged, this, &PredictDialog::showAgain);
    connect(m_conformal, &QCheckBox::toggled, this, &PredictDialog::refresh);
    connect(m_conformal, &QCheckBox::toggled, this, &PredictDialog::showAgain);
    connect(&m_worker, &Worker::busyChanged, this, &PredictDialog::refresh);
    connect(&m_worker, &Worker::progressed, this,
            [this](double share) { m_progress->setValue(static_cast<int>(std::lround(1000 * share))); });
    connect(&m_worker, &Worker::failed, this, [this](const QString&, const QString& sentence) {
        m_writing = false;
        m_mistake->setMistake(sentence);
        refresh();
    });
    refresh();
    orderTabs({this});
}

PredictDialog::~PredictDialog() = default;

QLayout* PredictDialog::fileRow(QLineEdit* field, void (PredictDialog::*browse)())
{
    auto* button = new QPushButton(field == m_table ? tr("&Browse…") : tr("B&rowse…"), this);
    connect(button, &QPushButton::clicked, this, browse);
    auto* row = new QHBoxLayout;
    row->addWidget(field, 1);
    row->addWidget(button);
    return row;
}

QLayout* PredictDialog::buildForm()
{
    const auto& study = m_run.experiment->study;
    describeControl(m_table, QStringLiteral("predictTable"), tr("Table"),
                    tr("The table with the new rows; its columns are matched by name"));
    describeControl(m_output, QStringLiteral("predictOutput"), tr("Write to"),
                    tr("A .csv file with one line per row, or an .npz file with the posterior samples"));
    describeBox(m_level, QStringLiteral("predictLevel"), tr("Level"), tr("Level of the intervals and sets"));
    m_level->setValue(100 * study.prediction.level);
    const bool calibrated = view_support::calibration_set(*m_run.experiment).has_value();
    m_conformal->setText(tr("&Conformal intervals"));
    if (m_run.experiment->task() == Task::classification)
        m_conformal->setText(tr("&Conformal sets"));
    describeControl(m_conformal, QStringLiteral("predictConformal"), m_conformal->text().remove(QLatin1Char('&')),
                    calibrated
                        ? tr("Calibrate the intervals or sets on the calibration rows, so that they contain the true "
                             "value of similar rows with the chosen probability")
                        : tr("Needs calibration rows: set split.calibration_fraction and train again"));
    m_conformal->setEnabled(calibrated);
    m_conformal->setChecked(calibrated && study.prediction.conformal.score != ConformalScore::none);

    auto* form     = new QFormLayout;
    const auto row = [&](const QString& text, QWidget* field, QLayout* line) {
        auto* label = new QLabel(text, this);
        label->setBuddy(field);
        form->addRow(label, line);
    };
    form->addRow(tr("Run"), new QLabel(toQString(study.name), this));
    row(tr("Tabl&e"), m_table, fileRow(m_table, &PredictDialog::chooseTable));
    row(tr("&Write to"), m_output, fileRow(m_output, &PredictDialog::chooseOutput));
    auto* how = new QHBoxLayout;
    how->addWidget(m_level);
    how->addSpacing(10);
    how->addWidget(m_conformal);
    how->addStretch(1);
    row(tr("&Level"), m_level, how);
    return form;
}

void PredictDialog::chooseTable()
{
    askForFile(tr("Table with new rows"), tr("Tables (*.csv *.tsv *.txt *.data);;All files (*)"), this,
               [this](const QString& chosen) {
        m_table->setText(chosen);
        readTable();
    });
}

void PredictDialog::chooseOutput()
{
    askWhereToSave(tr("Write predictions"), tr("Tables (*.csv);;Samples for NumPy (*.npz)"),
                   QFileInfo(m_output->text()).fileName(), QStringLiteral("csv"), this, [this](const QString& chosen) {
                       m_replaceable = chosen;   // the file dialog has asked
                       m_output->setText(chosen);
                   });
}

PredictOptions PredictDialog::options() const
{
    PredictOptions options;
    if (const double level = m_level->value() / 100; std::fabs(level - m_run.experiment->study.prediction.level) > 1e-6)
        options.level = level;
    options.conformal = m_conformal->isChecked();
    return options;
}

void PredictDialog::readTable()
{
    const QString file = m_table->text();
    if (file == m_readTable || m_writing)
        return;
    m_readTable = file;
    m_rows.reset();
    m_preview->setRowCount(0);
    m_mistake->setMistake({});
    if (m_output->text().isEmpty() || m_output->text() == m_suggested) {
        m_suggested = file.isEmpty() ? QString() : suggestedOutput(file);
        m_output->setText(m_suggested);
    }
    m_worker.cancel();
    if (!file.isEmpty())
        makePreview(nullptr, file);
    refresh();
}

void PredictDialog::showAgain()
{
    if (m_readTable.isEmpty() || m_writing)
        return;
    m_mistake->setMistake({});
    makePreview(m_rows, m_readTable);   // the rows may still be being read
}

/// @param rows  null: reads them from the file
void PredictDialog::makePreview(std::shared_ptr<const NewRows> rows, const QString& file)
{
    m_worker.submit([this, run = m_run, rows = std::move(rows), file = file.toStdString(),
                     how = options()](const std::stop_token& stop, Worker::Progress& progress) -> Worker::Show {
        const ProgressScope scope([&progress](double share) { progress.report(share); });
        Preview preview{.rows  = rows ? rows : std::make_shared<const NewRows>(read_new_rows(*run.experiment, file)),
                        .table = {}};
        const auto first = preview.rows->first(rowsOfPreview);
        const bool done  = predict_rows(run, first, how, stop, [&](const PredictedRows& block) {
                              preview.table = block.table;
                          }).has_value();
        if (!done)
            return {};
        return [this, preview = std::move(preview)] { showPreview(preview); };
    });
}

void PredictDialog::showPreview(const Preview& preview)
{
    m_rows = preview.rows;
    QStringList names;
    for (const auto& column : preview.table.columns)
        names += toQString(column.name);
    m_preview->setColumnCount(static_cast<int>(names.size()));
    m_preview->setHorizontalHeaderLabels(names);
    m_preview->setRowCount(static_cast<int>(preview.table.rows.size()));
    for (std::size_t i = 0; i < preview.table.rows.size(); ++i)
        for (std::size_t j = 0; j < preview.table.rows[i].size(); ++j) {
            auto* item = new QTableWidgetItem(cellText(preview.table.rows[i][j]));
            item->setToolTip(item->text());   // notes are long
            if (!std::holds_alternative<std::string>(preview.table.rows[i][j]))
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_preview->setItem(static_cast<int>(i), static_cast<int>(j), item);
        }
    m_preview->resizeColumnsToContents();
    for (int column = 0; column < m_preview->columnCount(); ++column)   // neighbouring headings do not touch
        m_preview->setColumnWidth(column, m_preview->columnWidth(column) + m_preview->fontMetrics().averageCharWidth());
    m_widths->apply();
    m_summary->setText(rowsInWords());
    refresh();
}

/// "1,030 rows, 12 of them with a note. Not used: “id”."
QString PredictDialog::rowsInWords() const
{
    const auto noted = m_rows->n_notes();
    QString words    = m_rows->n == 1 ? tr("1 row") : tr("%1 rows").arg(toQString(m_rows->n));
    if (noted > 0)
        words += tr(", %1 of them with a note").arg(toQString(noted));
    words += QLatin1Char('.');
    if (!m_rows->decimal_mark.empty())
        words += QLatin1Char(' ') + toQString(m_rows->decimal_mark);
    if (!m_rows->ignored.empty()) {
        QStringList names;
        for (const auto& name : m_rows->ignored)
            names += toQString(name);
        words += tr(" Columns that the run does not use: %1.")
                     .arg(names.mid(0, 5).join(QStringLiteral(", "))
                          + (names.size() > 5 ? QStringLiteral(", …") : QString()));
    }
    return words;
}

void PredictDialog::predictNow()
{
    if (m_table->text() != m_readTable)   // typed, and predicted by its key
        return readTable();
    const QString file   = m_output->text();
    const QString suffix = QFileInfo(file).suffix();
    if (suffix != QLatin1String("csv") && suffix != QLatin1String("npz"))
        return m_mistake->setMistake(tr("The name of the file to write must end in .csv or .npz."));
    if (QFileInfo::exists(file) && file != m_replaceable)
        return m_mistake->setMistake(tr("%1 exists. Choose another name, or choose it with Browse to replace it.")
                                         .arg(QFileInfo(file).fileName()));
    m_mistake->setMistake({});
    m_writing = true;
    m_progress->setValue(0);
    m_worker.submit([this, run = m_run, rows = m_rows, file,
                     how = options()](const std::stop_token& stop, Worker::Progress& progress) -> Worker::Show {
        const ProgressScope scope([&progress](double share) { progress.report(share); });
        auto summary = write_predictions(run, *rows, how, file.toStdString(), stop);
        if (!summary)
            return {};
        return [this, file, summary = std::move(*summary)] { showResult(file, summary); };
    });
    refresh();
}

void PredictDialog::showResult(const QString& file, const PredictionSummary& summary)
{
    m_writing     = false;
    m_replaceable = file;   // predicting again replaces what this dialog wrote
    QString words = tr("%1 Written to %2.").arg(rowsInWords(), file);
    if (!summary.conformal.empty())
        words += QLatin1Char(' ') + tr("Conformal: %1").arg(toQString(summary.conformal));
    if (!summary.scores.rows.empty())
        words += tr(" With the observed values: %1.").arg(scoresInWords(summary.scores));
    m_summary->setText(words);
    m_close->setText(tr("Close"));
    refresh();
}

void PredictDialog::reject()
{
    if (!m_writing)
        QDialog::reject();
}

void PredictDialog::cancelOrClose()
{
    if (!m_writing)
        return reject();
    m_writing = false;
    m_worker.cancel();
    m_summary->setText(tr("Cancelled. No file was written."));
    refresh();
}

void PredictDialog::refresh()
{
    for (QWidget* part : std::initializer_list<QWidget*>{m_table, m_output})
        part->setEnabled(!m_writing);
    const bool hasLevel = m_conformal->isChecked() || m_run.experiment->task() == Task::regression;
    m_level->setEnabled(!m_writing && hasLevel);   // class probabilities alone have no level
    m_conformal->setEnabled(!m_writing && view_support::calibration_set(*m_run.experiment));
    m_progress->setVisible(m_writing);
    m_predict->setEnabled(m_rows && !m_worker.busy() && !m_output->text().isEmpty());
    if (m_table->text().isEmpty())
        m_summary->setText(tr("Choose a table with the input columns of the run."));
    else if (!m_rows && m_worker.busy())
        m_summary->setText(tr("Reading %1 …").arg(QFileInfo(m_table->text()).fileName()));
    else if (!m_rows)
        m_summary->clear();
}
