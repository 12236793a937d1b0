// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/text.h"
#include "simplex/open_logits.h"

#include "work/text.h"

#include "foundation/error.h"
#include "views/beta_marginals.h"
#include "views/classification_figures.h"
#include "views/simplex.h"
#include "widgets/chart_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>

#include <optional>

using namespace credence;

namespace {

/// The distribution of three classes and its Dirichlet; an error (two equal corners) is shown
/// instead.
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

/// The open reader and the Gaussian of the last requested row, so that a new threshold needs no
/// reading.
struct LogitsPictures::RowReader {
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

LogitsPictures::LogitsPictures(QWidget* parent)
    : QTabWidget(parent), m_marginals(new ChartView(this)), m_lengths(new ChartView(this)),
      m_simplex(new ChartView(this)), m_remaining(new QLabel(this))
{
    setObjectName(QStringLiteral("logitsTabs"));
    setDocumentMode(true);
    m_marginals->setAccessibleName(tr("Marginals of the row"));
    m_simplex->setAccessibleName(tr("Simplex of the row"));
    m_lengths->setAccessibleName(tr("List lengths"));
    addTab(buildMarginals(), tr("Marginals of the row"));
    m_simplexTab = addTab(buildSimplex(), tr("Simplex of the row"));
    addTab(m_lengths, tr("List lengths"));
    connect(this, &QTabWidget::currentChanged, this, [this](int tab) {
        if (tab == m_simplexTab)
            request();
    });
    connect(&m_job, &Worker::failed, this, [this](const QString&, const QString& mistake) {
        m_marginals->setChart({.id = "beta_marginals", .title = "Beta marginals", .message = mistake.toStdString()});
        m_remaining->clear();
    });
}

QWidget* LogitsPictures::buildMarginals()
{
    auto* marginals = new QWidget(this);
    m_remaining->setObjectName(QStringLiteral("logitsRemaining"));
    m_remaining->setWordWrap(true);
    m_remaining->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_remaining->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_remaining->setAccessibleName(tr("Remaining classes"));
    auto* scroll = new QScrollArea(marginals);   // there can be a thousand classes
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(m_remaining);
    scroll->setMaximumHeight(4 * fontMetrics().height());
    auto* column = new QVBoxLayout(marginals);
    column->setContentsMargins(0, 4, 0, 0);
    column->addWidget(m_marginals, 1);
    column->addWidget(scroll);
    return marginals;
}

QWidget* LogitsPictures::buildSimplex()
{
    auto* all      = new QWidget(this);
    m_mostProbable = new QCheckBox(tr("Three most &probable"), all);
    m_mostProbable->setObjectName(QStringLiteral("logitsMostProbable"));
    m_mostProbable->setChecked(true);
    m_mostProbable->setToolTip(tr("Use the three most probable classes of the row as corners; untick to choose them"));
    auto* row = new QHBoxLayout;
    row->addWidget(m_mostProbable);
    for (std::size_t i = 0; i < m_corners.size(); ++i) {
        m_corners[i] = new QComboBox(all);
        m_corners[i]->setObjectName(QStringLiteral("logitsCorner%1").arg(i));
        m_corners[i]->setAccessibleName(tr("Class at corner %1").arg(i + 1));
        m_corners[i]->setToolTip(tr("Select the class at this corner; the distribution is over these three classes"));
        m_corners[i]->setEnabled(false);
        m_corners[i]->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_corners[i]->setMinimumContentsLength(6);
        connect(m_corners[i], &QComboBox::activated, this, &LogitsPictures::request);
        row->addWidget(m_corners[i], 1);
    }
    connect(m_mostProbable, &QCheckBox::toggled, this, [this](bool automatic) {
        for (auto* corner : m_corners)
            corner->setEnabled(!automatic);
        request();
    });
    auto* column = new QVBoxLayout(all);
    column->setContentsMargins(0, 4, 0, 0);
    column->addLayout(row);
    column->addWidget(m_simplex, 1);
    return all;
}

void LogitsPictures::showCorners(const std::vector<int>& classes)
{
    for (std::size_t i = 0; i < m_corners.size() && i < classes.size(); ++i)
        if (m_mostProbable->isChecked())
            m_corners[i]->setCurrentIndex(classes[i]);
}

bool LogitsPictures::showsRow() const { return !m_marginals->chart().panels.empty(); }

void LogitsPictures::setFile(const std::shared_ptr<const LogitsFile>& file)
{
    m_row    = 0;
    m_file   = file;
    m_reader = std::make_shared<RowReader>(file);
    for (auto* corner : m_corners) {
        corner->clear();
        for (const auto& one : file->class_names())
            corner->addItem(toQString(one));
    }
    setTabVisible(m_simplexTab, file->n_classes() >= 3);
    setTabEnabled(m_simplexTab, file->n_classes() >= 3);   // otherwise wheel and keys could select it (Qt 6.4)
    m_lengths->setChart({.id      = "list_lengths",
                         .title   = "List lengths",
                         .message = tr("List lengths are counted after the whole file has been read.").toStdString()});
}

void LogitsPictures::showTotals(const BridgeTotals& totals, const BridgeOrder& order)
{
    Chart lengths = to_chart(ListLengths{totals.lengths, order.threshold, m_file->n_classes(), totals.top_1,
                                         totals.top_k, "rows of " + m_file->name(), order.longest});
    lengths.caption += std::string(" Laplace Bridge: ") + name(order.variant) + ".";
    m_lengths->setChart(lengths);
}

void LogitsPictures::showRow(std::size_t row, const BridgeOrder& order)
{
    m_row   = row;
    m_order = order;
    request();
}

void LogitsPictures::request()
{
    if (!m_file)
        return;
    std::optional<std::vector<int>> corners;   // requested corners; empty: the most probable classes
    const bool simplex = currentIndex() == m_simplexTab && m_file->n_classes() >= 3;
    if (simplex && !m_mostProbable->isChecked())
        corners = std::vector<int>{m_corners[0]->currentIndex(), m_corners[1]->currentIndex(),
                                   m_corners[2]->currentIndex()};
    m_job.submit([this, file = m_file, reader = m_reader, row = m_row, order = m_order, simplex,
                  corners](std::stop_token stop, Worker::Progress&) -> Worker::Show {
        const auto& logits   = reader->at(row);
        const auto marginals = beta_marginals(bridged(logits, order.variant), file->class_names(), order.threshold, 6,
                                              file->labels().empty() ? std::optional<int>() : file->labels()[row],
                                              order.longest);
        if (stop.stop_requested())
            return {};
        Chart chart = to_chart(marginals);
        chart.caption += " Input: row " + std::to_string(row) + " of " + file->name()
                         + "; Laplace Bridge: " + name(order.variant) + ".";
        const std::string list = joined(marginals.list_names);
        const auto n           = marginals.list.size();
        const QString text     = n == 1 ? tr("Row %1: one class remains: %2").arg(row).arg(toQString(list))
                                        : tr("Row %1: %2 classes remain: %3").arg(row).arg(n).arg(toQString(list));
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
