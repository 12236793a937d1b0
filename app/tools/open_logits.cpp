// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/open_logits.h"

#include "parts/ask_export.h"
#include "parts/help_mark.h"
#include "parts/message_bar.h"

#include "charts/number_text.h"
#include "figures/beta_marginals.h"
#include "figures/list_lengths.h"
#include "figures/simplex_density.h"
#include "foundation/error.h"
#include "widgets/chart_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QSlider>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

using namespace credence;

namespace {

constexpr double least = 1e-4, most = 0.9;   // of the threshold; the slider is logarithmic
constexpr int slider_steps = 1000;

int placeOf(double threshold)
{
    return static_cast<int>(std::lround(slider_steps * std::log(threshold / least) / std::log(most / least)));
}
double thresholdAt(int place) { return least * std::pow(most / least, static_cast<double>(place) / slider_steps); }

QString words(const std::string& text) { return QString::fromStdString(text); }
QString count(std::size_t n) { return QLocale(QLocale::English).toString(static_cast<qulonglong>(n)); }

/// The law of three classes beside its Dirichlet; a mistake (two corners alike) is said in its place.
Chart simplex_of(const LogitGaussian& logits, const std::vector<std::string>& names, BridgeVariant variant,
                 const std::vector<int>& classes)
{
    try {
        auto value    = simplex_density(logits, names, {.variant = variant, .classes = classes});
        value.numbers = bridge_numbers(value);
        return to_chart(value);
    } catch (const Error& error) {
        return {.id = "simplex", .title = "Simplex", .message = error.what()};
    }
}

}   // namespace

/// The open reader and the Gaussian of the row that was asked for last: a new threshold needs no reading.
struct OpenLogits::RowReader {
    LogitsReader reader;
    std::optional<std::size_t> row;
    std::optional<LogitGaussian> logits;
    explicit RowReader(const std::shared_ptr<const LogitsFile>& file) : reader(file) {}

    const LogitGaussian& at(std::size_t i)
    {
        if (row != i) {
            row.reset();
            logits.emplace(reader.row(i));
            row = i;
        }
        return *logits;
    }
};

struct OpenLogits::Arriving {
    QString path;                             ///< empty: of the file that is open
    std::mutex mutex;                         // for what follows
    std::shared_ptr<const LogitsFile> file;   ///< null: not yet opened
    std::vector<BridgedRow> rows;             ///< not yet in the table
    bool shown = false;                       // GUI thread only: the table has those before
};

OpenLogits::OpenLogits(QWidget* parent)
    : QDialog(parent), m_model(new LogitsModel(this)), m_table(new QTableView(this)), m_about(new QLabel(this)),
      m_numbers(new QLabel(this)), m_remaining(new QLabel(this)), m_variant(new QComboBox(this)),
      m_filter(new QComboBox(this)), m_slider(new QSlider(Qt::Horizontal, this)), m_threshold(new QDoubleSpinBox(this)),
      m_cancel(new QPushButton(tr("Cance&l"), this)), m_export(new QPushButton(tr("&Export…"), this)),
      m_progress(new QProgressBar(this)), m_message(new MessageBar(this)), m_tabs(new QTabWidget(this)),
      m_marginals(new ChartView(this)), m_lengths(new ChartView(this)), m_simplex(new ChartView(this)),
      m_soon(new QTimer(this))
{
    setWindowTitle(tr("Logits"));
    setObjectName(QStringLiteral("openLogits"));
    resize(1000, 640);
    auto* split = new QSplitter(Qt::Horizontal, this);
    split->addWidget(buildRows());
    split->addWidget(buildPictures());
    split->setChildrenCollapsible(false);
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    split->setSizes({450, 540});
    auto* all = new QVBoxLayout(this);
    all->addWidget(buildControls());
    all->addWidget(m_message);
    all->addWidget(m_numbers);
    all->addWidget(split, 1);
    m_soon->setSingleShot(true);
    m_soon->setInterval(250);
    connect(m_soon, &QTimer::timeout, this, [this] { readTotals({}); });
    connect(&m_totalsJob, &Worker::progressed, this, [this](double share) {
        m_progress->setValue(static_cast<int>(1000 * share));
        if (!m_totals)
            showArrived();
    });
    connect(&m_totalsJob, &Worker::failed, this, [this](const QString&, const QString& mistake) {
        m_message->say(m_file ? tr("%1 What is shown is still %2.").arg(mistake, words(m_file->name())) : mistake);
        m_opening.clear();
        showSummary();
    });
    connect(&m_totalsJob, &Worker::busyChanged, this, [this](bool busy) {
        m_cancel->setEnabled(busy);
        m_progress->setVisible(busy);
        showSummary();
    });
    connect(&m_rowJob, &Worker::failed, this, [this](const QString&, const QString& mistake) {
        m_marginals->setChart({.id = "beta_marginals", .title = "Beta marginals", .message = mistake.toStdString()});
        m_remaining->clear();
    });
    m_progress->hide();
    showSummary();
}

OpenLogits::~OpenLogits() = default;

bool OpenLogits::busy() const { return m_soon->isActive() || m_totalsJob.busy() || m_rowJob.busy(); }

QWidget* OpenLogits::buildControls()
{
    auto* all = new QWidget(this);
    m_about->setObjectName(QStringLiteral("logitsAbout"));
    m_about->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_about->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_numbers->setObjectName(QStringLiteral("logitsNumbers"));
    m_numbers->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_numbers->setWordWrap(true);

    m_variant->setObjectName(QStringLiteral("logitsVariant"));
    m_variant->setAccessibleName(tr("Variant of the Laplace Bridge"));
    m_variant->setToolTip(tr("What is done to the Gaussian before the bridge"));
    for (const auto variant : bridge_variants) {
        m_variant->addItem(words(name(variant)).replace('_', ' '), static_cast<int>(variant));
        m_variant->setItemData(m_variant->count() - 1, words(hint(variant)), Qt::ToolTipRole);
    }
    connect(m_variant, &QComboBox::currentIndexChanged, this, [this] {
        requestRow();
        m_soon->start();
    });
    m_slider->setObjectName(QStringLiteral("logitsSlider"));
    m_slider->setRange(0, slider_steps);
    m_slider->setPageStep(slider_steps / 20);
    m_slider->setMinimumWidth(120);
    m_slider->setAccessibleName(tr("Threshold T of the uncertainty-aware top-k"));
    m_slider->setToolTip(tr("Threshold T: to the left longer lists, to the right shorter ones"));
    m_threshold->setObjectName(QStringLiteral("logitsThreshold"));
    m_threshold->setDecimals(4);
    m_threshold->setRange(least, most);
    m_threshold->setSingleStep(0.01);
    m_threshold->setAccessibleName(m_slider->accessibleName());
    m_threshold->setToolTip(tr("Threshold T, between 0 and 1; 0.05 in Hobbhahn 2020"));
    m_threshold->setValue(0.05);
    m_slider->setValue(placeOf(0.05));
    connect(m_slider, &QSlider::valueChanged, this, [this](int place) { setThreshold(thresholdAt(place)); });
    connect(m_threshold, &QDoubleSpinBox::valueChanged, this, &OpenLogits::setThreshold);

    auto* help = new HelpMark(
        tr("logits from elsewhere"),
        [] {
        QString html = tr(
            "<p>Each row of the file is a Gaussian over the logits of one input, N(μ, Σ). The <b>Laplace Bridge</b> makes it a Dirichlet over the class probabilities,</p>"
            "<p>α<sub>k</sub> = (1 − 2/K + e<sup>μ<sub>k</sub></sup>/K² · Σ<sub>l</sub> e<sup>−μ<sub>l</sub></sup>)/Σ<sub>kk</sub>,</p>"
            "<p>whose mean is α<sub>k</sub>/α<sub>0</sub> and whose marginals are Beta(α<sub>k</sub>, α<sub>0</sub> − α<sub>k</sub>).</p>"
            "<p><b>Uncertainty-aware top-k</b> with threshold T: keep the most probable class, then one class after the other while its 1 − T/2 quantile is above the T/2 quantile of the "
            "class before. Source: Hobbhahn 2020, (2.7), Algorithm 1 and section 5.5.</p><p>Variants:</p><ul>");
        for (const auto variant : bridge_variants)
            html += QStringLiteral("<li><b>%1</b>: %2</li>")
                        .arg(words(name(variant)).replace('_', ' '), htmlFrom(hint(variant)));
        return html
               + tr(
                   "</ul><p>A file is an .npz with <tt>mean</tt> [N × K] and <tt>variance</tt> [N × K] or <tt>covariance</tt> [N × K × K], and, if they are known, <tt>labels</tt> [N] and "
                   "<tt>class_names</tt> [K]: in Python <tt>np.savez(\"logits.npz\", mean=…, variance=…, labels=…)</tt>. On the command line: <tt>credence bridge logits.npz --out DIR</tt>, which also writes every α.</p>");
        },
        all);
    m_cancel->setObjectName(QStringLiteral("logitsCancel"));
    m_cancel->setToolTip(tr("Stops the reading; what was shown stays"));
    m_cancel->setEnabled(false);
    m_export->setObjectName(QStringLiteral("logitsExport"));
    m_export->setToolTip(tr("Writes the pictures of this page as PDF, SVG, PNG, CSV or LaTeX (Ctrl+E)"));
    m_export->setEnabled(false);
    for (auto* button : {m_cancel, m_export})
        button->setAutoDefault(false);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_soon->stop();
        m_opening.clear();
        m_totalsJob.cancel();
    });
    connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_E), this), &QShortcut::activated, m_export,
            &QPushButton::click);   // as in the main window
    connect(m_export, &QPushButton::clicked, this, [this] {
        exportFigures((m_tabs->currentIndex() == 0              ? m_marginals
                       : m_tabs->currentIndex() == m_simplexTab ? m_simplex
                                                                : m_lengths)
                          ->chart());
    });
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(110);
    m_progress->setAccessibleName(tr("Progress of the reading"));

    auto* first = new QHBoxLayout;
    first->addWidget(m_about, 1);
    first->addWidget(m_progress);
    first->addWidget(m_cancel);
    first->addWidget(m_export);
    auto* second = new QHBoxLayout;
    second->addWidget(new QLabel(tr("Bridge"), all));
    second->addWidget(m_variant);
    second->addSpacing(10);
    second->addWidget(new QLabel(tr("Threshold T"), all));
    second->addWidget(m_slider, 1);
    second->addWidget(m_threshold);
    second->addWidget(help);
    auto* column = new QVBoxLayout(all);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(first);
    column->addLayout(second);
    return all;
}

QWidget* OpenLogits::buildRows()
{
    auto* all = new QWidget(this);
    m_filter->setObjectName(QStringLiteral("logitsFilter"));
    m_filter->setAccessibleName(tr("Which rows"));
    m_filter->setToolTip(tr("Which rows the table shows"));
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
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);   // 50,000 rows are not measured one by one
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setSortIndicator(LogitsModel::rowColumn, Qt::AscendingOrder);
    m_table->setSortingEnabled(true);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (now.isValid() && (m_model->fileRow(now.row()) != m_row || !m_marginals->chart().panels.size())) {
            m_row = m_model->fileRow(now.row());
            requestRow();
        }
    });
    auto* column = new QVBoxLayout(all);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_filter);
    column->addWidget(m_table, 1);
    return all;
}

QWidget* OpenLogits::buildPictures()
{
    auto* marginals = new QWidget(this);
    m_remaining->setObjectName(QStringLiteral("logitsRemaining"));
    m_remaining->setWordWrap(true);
    m_remaining->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_remaining->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_remaining->setAccessibleName(tr("Classes that remain"));
    auto* scroll = new QScrollArea(marginals);   // a list may have a thousand classes
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(m_remaining);
    scroll->setMaximumHeight(4 * fontMetrics().height());
    auto* column = new QVBoxLayout(marginals);
    column->setContentsMargins(0, 4, 0, 0);
    column->addWidget(m_marginals, 1);
    column->addWidget(scroll);
    m_marginals->setAccessibleName(tr("Beta marginals of the chosen row"));
    m_lengths->setAccessibleName(tr("Histogram of list lengths"));
    m_tabs->setObjectName(QStringLiteral("logitsTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(marginals, tr("Marginals of the row"));
    m_simplexTab = m_tabs->addTab(buildSimplex(), tr("Simplex of the row"));
    m_tabs->addTab(m_lengths, tr("List lengths"));
    connect(m_tabs, &QTabWidget::currentChanged, this, [this](int tab) {
        if (tab == m_simplexTab)
            requestRow();
    });
    for (auto* view : {m_marginals, m_simplex, m_lengths})
        connect(view, &ChartView::exportRequested, this, [this, view] { exportFigures(view->chart()); });
    return m_tabs;
}

QWidget* OpenLogits::buildSimplex()
{
    auto* all      = new QWidget(this);
    m_mostProbable = new QCheckBox(tr("&Three most probable"), all);
    m_mostProbable->setObjectName(QStringLiteral("logitsMostProbable"));
    m_mostProbable->setChecked(true);
    m_mostProbable->setToolTip(tr("The corners are the three most probable classes of the row; untick to choose them"));
    auto* row = new QHBoxLayout;
    row->addWidget(m_mostProbable);
    for (std::size_t i = 0; i < m_corners.size(); ++i) {
        m_corners[i] = new QComboBox(all);
        m_corners[i]->setObjectName(QStringLiteral("logitsCorner%1").arg(i));
        m_corners[i]->setAccessibleName(tr("Class at corner %1").arg(i + 1));
        m_corners[i]->setToolTip(tr("Class at this corner; the law is that among the three"));
        m_corners[i]->setEnabled(false);
        m_corners[i]->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_corners[i]->setMinimumContentsLength(6);
        connect(m_corners[i], &QComboBox::activated, this, &OpenLogits::requestRow);
        row->addWidget(m_corners[i], 1);
    }
    connect(m_mostProbable, &QCheckBox::toggled, this, [this](bool automatic) {
        for (auto* corner : m_corners)
            corner->setEnabled(!automatic);
        requestRow();
    });
    m_simplex->setAccessibleName(tr("Law of the probabilities of three classes, and its Dirichlet"));
    auto* column = new QVBoxLayout(all);
    column->setContentsMargins(0, 4, 0, 0);
    column->addLayout(row);
    column->addWidget(m_simplex, 1);
    return all;
}

void OpenLogits::showCorners(const std::vector<int>& classes)
{
    for (std::size_t i = 0; i < m_corners.size() && i < classes.size(); ++i)
        if (m_mostProbable->isChecked())
            m_corners[i]->setCurrentIndex(classes[i]);
}

BridgeOrder OpenLogits::order() const
{
    return {static_cast<BridgeVariant>(m_variant->currentData().toInt()), m_threshold->value()};
}

void OpenLogits::setThreshold(double threshold)
{
    const QSignalBlocker quietSlider(m_slider), quietNumber(m_threshold);
    if (sender() != m_threshold)
        m_threshold->setValue(threshold);
    m_slider->setValue(placeOf(threshold));
    requestRow();
    if (m_file)
        m_soon->start();
}

void OpenLogits::open(const QString& file)
{
    m_message->hide();
    m_opening = file;
    readTotals(file);
}

void OpenLogits::readTotals(const QString& file)
{
    if (file.isEmpty() && !m_file)
        return;
    if (file.isEmpty() && !m_opening.isEmpty())
        return readTotals(m_opening);   // a new threshold while another file is being read
    m_progress->setValue(0);
    m_arriving       = std::make_shared<Arriving>();
    m_arriving->path = file;
    m_totalsJob.submit([this, path = file.toStdString(), known = file.isEmpty() ? m_file : nullptr,
                        arriving = m_arriving,
                        order    = order()](std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
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
            [&progress](double share) { progress.tell(share); });
        if (!totals)
            return {};
        return [this, order, totals = std::move(*totals)] { takeTotals(order, totals); };
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
        requestRow();
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
    m_message->hide();
    m_reader            = std::make_shared<RowReader>(m_file);
    m_row               = 0;
    const bool labelled = !m_file->labels().empty();
    m_table->setColumnHidden(LogitsModel::labelColumn, !labelled);
    m_table->setColumnHidden(LogitsModel::listedColumn, !labelled);
    for (int item : {2, 3})   // what needs labels
        m_filter->setItemData(item, labelled ? QVariant() : QVariant(0), Qt::UserRole - 1);
    if (!labelled && m_filter->currentIndex() > 1)
        m_filter->setCurrentIndex(0);
    for (auto* corner : m_corners) {
        corner->clear();
        for (const auto& one : m_file->class_names())
            corner->addItem(words(one));
    }
    m_tabs->setTabVisible(m_simplexTab, m_file->n_classes() >= 3);
    m_lengths->setChart(
        {.id      = "list_lengths",
         .title   = "List lengths",
         .message = tr("The lengths of all lists are counted when the file has been read whole.").toStdString()});
    m_export->setEnabled(true);
}

void OpenLogits::takeTotals(const BridgeOrder& order, const BridgeTotals& totals)
{
    showArrived();   // the last rows, or all
    m_totals = totals;
    m_message->hide();
    Chart lengths = to_chart(ListLengths{totals.lengths, order.threshold, m_file->n_classes(), totals.top_1,
                                         totals.top_k, "rows of " + m_file->name()});
    lengths.caption += std::string(" Laplace Bridge: ") + name(order.variant) + ".";
    m_lengths->setChart(lengths);
    showSummary();
}

void OpenLogits::chooseRow(std::size_t row)
{
    if (const int at = m_model->tableRow(row); at >= 0) {
        m_table->selectRow(at);
        m_table->scrollTo(m_model->index(at, 0));
    }
}

void OpenLogits::requestRow()
{
    if (!m_file)
        return;
    std::optional<std::vector<int>> corners;   // asked for; empty: the most probable ones
    const bool simplex = m_tabs->currentIndex() == m_simplexTab && m_file->n_classes() >= 3;
    if (simplex && !m_mostProbable->isChecked())
        corners = std::vector<int>{m_corners[0]->currentIndex(), m_corners[1]->currentIndex(),
                                   m_corners[2]->currentIndex()};
    m_rowJob.submit([this, file = m_file, reader = m_reader, row = m_row, order = order(), simplex,
                     corners](std::stop_token stop, Worker::Progress&) -> Worker::Show {
        const auto& logits   = reader->at(row);
        const auto marginals = beta_marginals(bridged(logits, order.variant), file->class_names(), order.threshold, 6,
                                              file->labels().empty() ? std::optional<int>() : file->labels()[row]);
        if (stop.stop_requested())
            return {};
        Chart chart = to_chart(marginals);
        chart.caption += " Input: row " + std::to_string(row) + " of " + file->name()
                         + "; Laplace Bridge: " + name(order.variant) + ".";
        std::string list;
        for (const auto& one : marginals.list_names)
            list += (list.empty() ? "" : ", ") + one;
        const auto n       = marginals.list.size();
        const QString text = n == 1 ? tr("Row %1: one class remains: %2").arg(row).arg(words(list))
                                    : tr("Row %1: %2 classes remain: %3").arg(row).arg(n).arg(words(list));
        Chart triangle;
        std::vector<int> classes;
        if (simplex) {
            classes  = corners ? *corners
                               : std::vector<int>{marginals.classes[0].index, marginals.classes[1].index,
                                                  marginals.classes[2].index};
            triangle = simplex_of(logits, file->class_names(), order.variant, classes);
            triangle.caption += " Input: row " + std::to_string(row) + " of " + file->name() + ".";
        }
        return [this, chart, text, simplex, triangle, classes] {
            m_marginals->setChart(chart);
            m_remaining->setText(text);
            if (simplex) {
                m_simplex->setChart(triangle);
                showCorners(classes);
            }
        };
    });
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
                        .arg(words(m_file->name()), count(m_file->n_rows()),
                             count(static_cast<std::size_t>(m_file->n_classes())),
                             m_file->full() ? tr("covariances") : tr("variances"));
    if (!m_opening.isEmpty())
        about += tr(" · reading %1 …").arg(QFileInfo(m_opening).fileName());
    m_about->setText(about);
    m_about->setToolTip(m_path);
    setWindowTitle(tr("%1 — logits").arg(words(m_file->name())));
    const bool counting = m_soon->isActive() || m_totalsJob.busy();
    if (!m_totals) {
        const QString read = tr("%1 of %2 rows").arg(count(m_model->rowsOfFile()), count(m_file->n_rows()));
        m_numbers->setText(counting ? tr("%1 read so far …").arg(read)
                                    : tr("The reading ended after %1. Open the file again for all of them.").arg(read));
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
        numbers << tr("%1 rows shown").arg(count(static_cast<std::size_t>(m_model->rowCount())));
    m_numbers->setText(numbers.join(QStringLiteral(" · ")) + (counting ? tr(" · counting anew …") : QString()));
}

void OpenLogits::exportFigures(const Chart& chosen)
{
    std::vector<Chart> charts;
    for (const auto* view : {m_marginals, m_simplex, m_lengths})
        if (!view->chart().panels.empty())
            charts.push_back(view->chart());
    if (!charts.empty())
        exportCharts(std::move(charts), chosen.id, this, [this](const QString& sentence) { m_message->say(sentence); });
}
