// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/open_logits.h"

#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "parts/number_slider.h"
#include "parts/remembered_sizes.h"
#include "parts/toasts.h"
#include "widgets/column_widths.h"
#include "work/text.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSpinBox>
#include <QSplitter>
#include <QTableView>
#include <QTimer>

#include <algorithm>
#include <mutex>
#include <utility>

using namespace credence;

namespace {

QString openLogitsHelp()
{
    QString html = OpenLogits::tr(
        "<p>Each row of the file is a Gaussian over the logits of one input, N(μ, Σ). The <b>Laplace Bridge</b> turns "
        "it into a Dirichlet over the class probabilities,</p><p>α_k = (1/Σ_kk)(1 − 2/K + e^{μ_k}/K² Σ_l "
        "e^{−μ_l}),</p><p>whose mean is α<sub>k</sub>/α<sub>0</sub> and whose marginals are Beta(α<sub>k</sub>, "
        "α<sub>0</sub> − α<sub>k</sub>).</p><p><b>Uncertainty-aware top-k</b> with threshold T: includes the most "
        "probable class, then further classes while the 1 − T/2 quantile of a class exceeds the T/2 quantile of the "
        "previous one. A maximum length can be set, 10 in Hobbhahn 2020, appendix D. Source: Hobbhahn 2020, (2.7), "
        "Algorithm 1 and section 5.5.</p><p>Variants:</p><ul>");
    for (const auto variant : bridge_variants)
        html += QStringLiteral("<li><b>%1</b>: %2</li>")
                    .arg(toQString(name(variant)).replace('_', ' '), htmlFrom(hint(variant)));
    return html
           + OpenLogits::tr(
               "</ul><p>A file is an .npz with <tt>mean</tt> [N × K] and <tt>variance</tt> [N × K] or "
               "<tt>covariance</tt> [N × K × K], and optionally <tt>labels</tt> [N] and <tt>class_names</tt> [K]: "
               "in Python <tt>np.savez(\"logits.npz\", mean=…, variance=…, labels=…)</tt>. On the command line: "
               "<tt>credence bridge logits.npz --out DIR</tt>, which also writes every α.</p>");
}

}   // namespace

struct OpenLogits::Arriving {
    QString path;                             ///< empty: the file already open
    std::mutex mutex;                         // guards the members below
    std::shared_ptr<const LogitsFile> file;   ///< null: not opened yet
    std::vector<BridgedRow> rows;             ///< not in the table yet
    bool shown = false;                       // GUI thread only: earlier rows are in the table
};

OpenLogits::OpenLogits(QWidget* parent)
    : ToolPage({.id = QStringLiteral("openLogits"), .title = tr("Logits"), .help = openLogitsHelp}, parent),
      m_model(new LogitsModel(this)), m_table(new QTableView(this)), m_about(new QLabel(this)),
      m_numbers(new QLabel(this)), m_variant(new QComboBox(this)), m_filter(new QComboBox(this)),
      m_pictures(new LogitsPictures(this)), m_soon(new QTimer(this))
{
    m_about->setObjectName(QStringLiteral("logitsAbout"));
    m_about->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_about->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_numbers->setObjectName(QStringLiteral("logitsNumbers"));
    m_numbers->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_numbers->setWordWrap(true);
    auto* split = new QSplitter(Qt::Horizontal, this);
    split->addWidget(buildRows());
    split->addWidget(m_pictures);
    split->setChildrenCollapsible(false);
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    split->setSizes({450, 540});
    auto* content = new QWidget(this);
    auto* column  = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(buildOrder());
    column->addWidget(m_numbers);
    column->addWidget(split, 1);
    for (auto* view : m_pictures->charts())
        addChart(view);
    setContent(m_about, content);
    m_soon->setSingleShot(true);
    m_soon->setInterval(250);
    connect(m_soon, &QTimer::timeout, this, [this] { readTotals({}); });
    connect(this, &ToolPage::progressed, this, [this] {
        if (!m_totals)
            showArrived();
    });
    connect(this, &ToolPage::busyChanged, this, &OpenLogits::showSummary);
    showSummary();
}

bool OpenLogits::busy() const { return m_soon->isActive() || ToolPage::busy() || m_pictures->busy(); }

void OpenLogits::cancel()
{
    m_soon->stop();
    m_opening.clear();
    ToolPage::cancel();
}

void OpenLogits::showMistake(const QString&, const QString& sentence)
{
    bar()->warn(m_file ? tr("%1 The page still shows %2.").arg(sentence, toQString(m_file->name())) : sentence);
    m_opening.clear();
    showSummary();
}

QLayout* OpenLogits::buildOrder()
{
    describeControl(m_variant, QStringLiteral("logitsVariant"), tr("Variant of the Laplace Bridge"),
                    tr("Select the preprocessing of the Gaussian before the bridge"));
    for (const auto variant : bridge_variants) {
        m_variant->addItem(toQString(name(variant)).replace('_', ' '), static_cast<int>(variant));
        m_variant->setItemData(m_variant->count() - 1, toQString(hint(variant)), Qt::ToolTipRole);
    }
    m_threshold = new NumberSlider(
        {.name     = QStringLiteral("logitsThreshold"),
         .title    = tr("Threshold T of the uncertainty-aware top-k"),
         .low      = 1e-4,
         .high     = 0.9,
         .step     = 0.01,
         .value    = 0.05,
         .decimals = 4,
         .tip      = tr("Set the threshold T: move left for longer lists, right for shorter ones; 0.05 in Hobbhahn "
                             "2020"),
         .scale    = NumberSlider::Scale::logarithmic},
        this);
    connect(m_variant, &QComboBox::currentIndexChanged, this, &OpenLogits::orderChanged);
    m_longest = longestListBox(QStringLiteral("logitsLongest"), 0, this);
    connect(m_threshold, &NumberSlider::valueChanged, this, &OpenLogits::orderChanged);
    connect(m_longest, &QSpinBox::valueChanged, this, &OpenLogits::orderChanged);
    auto* row = new QHBoxLayout;
    row->addWidget(new QLabel(tr("Bridge"), this));
    row->addWidget(m_variant);
    row->addSpacing(10);
    row->addWidget(new QLabel(tr("Threshold T"), this));
    row->addWidget(m_threshold, 1);
    row->addSpacing(10);
    row->addWidget(new QLabel(tr("Length"), this));
    row->addWidget(m_longest);
    return row;
}

QWidget* OpenLogits::buildRows()
{
    auto* all = new QWidget(this);
    describeControl(m_filter, QStringLiteral("logitsFilter"), tr("Rows to show"), tr("Select the rows of the table"));
    m_filter->addItem(tr("All rows"), static_cast<int>(LogitsModel::Filter::all));
    m_filter->addItem(tr("Lists of several classes"), static_cast<int>(LogitsModel::Filter::long_));
    m_filter->addItem(tr("Wrong predictions"), static_cast<int>(LogitsModel::Filter::wrong));
    m_filter->addItem(tr("True class not in the list"), static_cast<int>(LogitsModel::Filter::notListed));
    connect(m_filter, &QComboBox::currentIndexChanged, this, [this] {
        m_model->setFilter(static_cast<LogitsModel::Filter>(m_filter->currentData().toInt()));
        chooseRow(m_row);
        showSummary();
    });
    m_table->setObjectName(QStringLiteral("logitsTable"));
    m_table->setAccessibleName(tr("Rows of the file"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);   // avoids measuring 50,000 rows
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setSortIndicator(LogitsModel::rowColumn, Qt::AscendingOrder);
    m_table->setSortingEnabled(true);
    m_widths = rememberColumns(m_table->horizontalHeader(), QStringLiteral("logits"));
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (now.isValid() && (m_model->fileRow(now.row()) != m_row || !m_pictures->showsRow())) {
            m_row = m_model->fileRow(now.row());
            m_pictures->showRow(m_row, order());
        }
    });
    auto* column = new QVBoxLayout(all);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_filter);
    column->addWidget(m_table, 1);
    return all;
}

BridgeOrder OpenLogits::order() const
{
    return {static_cast<BridgeVariant>(m_variant->currentData().toInt()), m_threshold->value(), m_longest->value()};
}

void OpenLogits::orderChanged()
{
    if (!m_file)
        return;
    m_pictures->showRow(m_row, order());
    m_soon->start();
}

void OpenLogits::open(const QString& file)
{
    m_opening = file;
    readTotals(file);
}

void OpenLogits::readTotals(const QString& file)
{
    if (file.isEmpty() && !m_file)
        return;
    if (file.isEmpty() && !m_opening.isEmpty())
        return readTotals(m_opening);   // a new threshold while another file is being read
    m_arriving       = std::make_shared<Arriving>();
    m_arriving->path = file;
    start([this, path = file.toStdString(), known = file.isEmpty() ? m_file : nullptr, arriving = m_arriving,
           order = order()](std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
        const auto from = known ? known : LogitsFile::open(path, stop);
        if (!from)
            return {};
        {
            const std::lock_guard lock(arriving->mutex);
            arriving->file = from;
        }
        auto totals = bridge_of_file(
            from, order, stop,
            [&arriving](const BridgedBlock& block) {
            const std::lock_guard lock(arriving->mutex);
            arriving->rows.insert(arriving->rows.end(), block.rows.begin(), block.rows.end());
            },
            [&progress](double share) { progress.report(share); });
        if (!totals)
            return {};
        return [this, order, totals = std::move(*totals)] { setTotals(order, totals); };
    });
}

void OpenLogits::showArrived()
{
    std::vector<BridgedRow> rows;
    {
        const std::lock_guard lock(m_arriving->mutex);
        rows.swap(m_arriving->rows);
    }
    if (rows.empty())
        return;
    const bool first = !std::exchange(m_arriving->shown, true), other = first && m_arriving->file != m_file;
    if (other)
        adopt();
    if (first)
        m_model->setRows(m_file, std::move(rows));
    else
        m_model->append(rows);
    if (other) {
        m_table->resizeColumnsToContents();
        for (const int column : {LogitsModel::labelColumn, LogitsModel::predictedColumn})
            m_table->setColumnWidth(column, std::clamp(m_table->columnWidth(column), 48, 150));
        m_widths->apply();
        m_pictures->showRow(m_row, order());
    }
    if (first)
        chooseRow(m_row);
    showSummary();
}

void OpenLogits::adopt()
{
    m_file = m_arriving->file;
    m_path = m_arriving->path;
    m_totals.reset();
    m_opening.clear();
    bar()->clear();
    m_pictures->setFile(m_file);
    m_row               = 0;
    const bool labelled = !m_file->labels().empty();
    m_table->setColumnHidden(LogitsModel::labelColumn, !labelled);
    m_table->setColumnHidden(LogitsModel::listedColumn, !labelled);
    for (int item : {2, 3})   // needs labels
        m_filter->setItemData(item, labelled ? QVariant() : QVariant(0), Qt::UserRole - 1);
    if (!labelled && m_filter->currentIndex() > 1)
        m_filter->setCurrentIndex(0);
}

void OpenLogits::setTotals(const BridgeOrder& order, const BridgeTotals& totals)
{
    showArrived();   // the last rows, or all
    m_totals = totals;
    bar()->clear();
    m_pictures->showTotals(totals, order);
    showSummary();
}

void OpenLogits::chooseRow(std::size_t row)
{
    if (const int at = m_model->tableRow(row); at >= 0) {
        m_table->selectRow(at);
        m_table->scrollTo(m_model->index(at, 0));
    }
}

void OpenLogits::showSummary()
{
    if (!m_file) {
        m_about->setText(m_opening.isEmpty() ? tr("No file is open.")
                                             : tr("Reading %1 …").arg(QFileInfo(m_opening).fileName()));
        m_numbers->clear();
        return;
    }
    QString about = tr("%1: %2 rows, %3 classes, %4")
                        .arg(toQString(m_file->name()), toQString(m_file->n_rows()), toQString(m_file->n_classes()),
                             m_file->full() ? tr("covariances") : tr("variances"));
    if (!m_opening.isEmpty())
        about += tr(" · reading %1 …").arg(QFileInfo(m_opening).fileName());
    m_about->setText(about);
    m_about->setToolTip(m_path);
    setWindowTitle(tr("%1 — logits").arg(toQString(m_file->name())));
    const bool counting = m_soon->isActive() || ToolPage::busy();
    if (!m_totals) {
        const QString read = tr("%1 of %2 rows").arg(toQString(m_model->rowsOfFile()), toQString(m_file->n_rows()));
        m_numbers->setText(counting
                               ? tr("%1 read so far …").arg(read)
                               : tr("Reading stopped after %1. Open the file again to read all of them.").arg(read));
        return;
    }
    QStringList numbers;
    const auto share = [](double value) { return QString::number(value, 'f', 4); };
    if (m_totals->top_1)
        numbers << tr("top-1 accuracy <b>%1</b>").arg(share(*m_totals->top_1))
                << tr("true class in the list <b>%1</b>").arg(share(*m_totals->top_k));
    numbers << tr("mean length <b>%1</b>").arg(QString::number(m_totals->mean_length, 'f', 3))
            << tr("mean confidence <b>%1</b>").arg(share(m_totals->mmc));
    if (!m_totals->top_1)
        numbers << tr("no labels, so no accuracies");
    if (m_model->rowCount() < static_cast<int>(m_file->n_rows()))
        numbers << tr("%1 rows shown").arg(toQString(m_model->rowCount()));
    m_numbers->setText(numbers.join(QStringLiteral(" · ")) + (counting ? tr(" · recounting …") : QString()));
}
