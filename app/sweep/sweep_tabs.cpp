// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/sweep_page.h"

#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "parts/remembered_sizes.h"
#include "parts/row_table.h"
#include "work/text.h"

#include "foundation/error.h"
#include "sweeps/sweep_charts.h"
#include "sweeps/sweep_figures.h"
#include "widgets/chart_view.h"
#include "widgets/table_view.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabWidget>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>

using namespace credence;

namespace {

constexpr double restAfterDrawing = 3;   ///< while cells run, drawing takes a quarter of the time

Chart sweepFigureChart(const SweepFigure& figure, const SweepFolder& folder, const SweepResults& results,
                       const SweepFigureOptions& options, const std::stop_token& stop)
{
    Chart none{.id = figure.id, .title = figure.title};
    try {
        if (auto reason = figure.why_not(results))
            none.message = *reason;
        else if (auto made = figure.make(folder, results, options, stop))
            return *made;
    } catch (const Error& error) {   // for an unreadable file; the tables are shown regardless
        none.message = error.what();
    }
    return none;
}

QComboBox* sweepBox(const char* name, const QString& label, const QString& tip, QWidget* parent)
{
    auto* box = new QComboBox(parent);
    describeControl(box, QLatin1String(name), label, tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box->setMinimumContentsLength(8);
    return box;
}

}   // namespace

struct SweepTabs::Drawn {
    Chart summary, all, figure;
    std::optional<Chart> chosen;
    SweepDifferences differences;
};

SweepTabs::SweepTabs(QWidget* parent)
    : QWidget(parent), m_tabs(new QTabWidget(this)),
      m_score(sweepBox("sweepScore", tr("Score"), tr("Select the score of Summary, Figure and Comparison"), this)),
      m_figure(sweepBox("sweepFigure", tr("Figure"), tr("Select the figure"), this)),
      m_axis(sweepBox("sweepAxis", tr("Along"), tr("Select the setting on the horizontal axis"), this)),
      m_stack(new QStackedLayout), m_words(new QLabel(this)), m_table(new TableView(this)),
      m_sorted(new SortedTable(this)), m_open(new QPushButton(tr("Open r&un"), this)),
      m_cells(addView("sweepCells", tr("Cells"))), m_all(addView("sweepAllScores", tr("All scores"))),
      m_summary(addView("sweepSummary", tr("Summary"))), m_picture(addView("sweepPicture", tr("Figure"))),
      m_differences(addView("sweepDifferences", tr("Comparison"))),
      m_chosen(addView("sweepChosen", tr("Chosen on validation"))), m_sentences(new QTextBrowser(this)),
      m_drawer({.newer = Worker::Newer::waits_for_old, .rest = restAfterDrawing})
{
    m_cells->hide();
    m_all->hide();
    m_tabs->setObjectName(QStringLiteral("sweepTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(buildCells(), tr("Cells"));
    m_tabs->addTab(m_summary, tr("Summary"));
    m_tabs->addTab(buildFigure(), tr("Figure"));
    m_tabs->addTab(buildComparison(), tr("Comparison"));
    m_tabs->addTab(m_chosen, tr("Chosen"));
    showChosen(false);
    m_score->setEnabled(false);
    m_score->setSizeAdjustPolicy(
        QComboBox::AdjustToMinimumContentsLengthWithIcon);   // score names are long, and the tabs need space
    m_scoreField = labelled(tr("Score"), m_score, m_tabs);
    m_scoreField->hide();   // until there are scores; a hidden corner would still narrow the tabs
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(6, 0, 0, 0);   // apart from the handle at the left
    all->addWidget(m_tabs);
    for (const auto& figure : sweep_figures()) {
        m_figure->addItem(toQString(figure.title), toQString(figure.id));
        m_figure->setItemData(m_figure->count() - 1, toQString(figure.help), Qt::ToolTipRole);
    }
    for (auto* box : {m_score, m_figure, m_axis})
        connect(box, &QComboBox::currentIndexChanged, this, [this] { draw(Worker::Newer::stops_old); });
    connect(m_figure, &QComboBox::currentIndexChanged, this, [this] {
        const auto& figure = sweep_figure(m_figure->currentData().toString().toStdString());
        if (figure.cost != Cost::quick)   // until it is ready
            m_picture->setChart({.id = figure.id, .title = figure.title, .message = "Drawing …"});
    });
    connect(&m_drawer, &Worker::failed, this, &SweepTabs::failed);
}

ChartView* SweepTabs::addView(const char* name, const QString& label)
{
    auto* view = new ChartView(this);
    view->setObjectName(QLatin1String(name));
    view->setAccessibleName(label);
    return view;
}

std::vector<ChartView*> SweepTabs::charts() const
{
    return {m_cells, m_summary, m_all, m_picture, m_differences, m_chosen};
}

QWidget* SweepTabs::buildCells()
{
    m_table->showThrough(*m_sorted);
    m_table->setObjectName(QStringLiteral("sweepTable"));
    m_table->setAccessibleName(tr("Cells of the sweep"));
    rememberColumns(m_table->widths(), QStringLiteral("sweep"));
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder);   // in the order of the sweep
    m_table->horizontalHeader()->setSortIndicatorClearable(true);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setTabKeyNavigation(false);
    m_words->setObjectName(QStringLiteral("sweepWords"));
    m_words->setAlignment(Qt::AlignCenter);
    m_words->setWordWrap(true);
    m_words->setMargin(12);
    describeControl(m_open, QStringLiteral("sweepOpenRun"), tr("Open run"),
                    tr("Display the run of the selected cell and add it to the saved runs (or double-click)"));
    m_open->setAutoDefault(false);
    m_open->setEnabled(false);
    connect(m_open, &QPushButton::clicked, this, [this] { Q_EMIT cellRequested(chosenCell()); });
    connect(m_table, &QTableView::doubleClicked, this, [this] { Q_EMIT cellRequested(chosenCell()); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &SweepTabs::refreshButtons);
    auto* page   = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 4, 0, 0);
    column->addLayout(m_stack, 1);
    column->addWidget(m_open, 0, Qt::AlignLeft);
    m_stack->addWidget(m_words);
    m_stack->addWidget(m_table);
    return page;
}

QWidget* SweepTabs::buildFigure()
{
    auto* page   = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 4, 0, 0);
    auto* line = new FlowLayout;
    line->addWidget(labelled(tr("Figure"), m_figure, page));
    line->addWidget(labelled(tr("Along"), m_axis, page));
    line->addWidget(new HelpMark(
        tr("the figure"),
        [this] {
        return "<p>" + htmlFrom(sweep_figure(m_figure->currentData().toString().toStdString()).help) + "</p>";
        },
        page));
    column->addLayout(line);
    column->addWidget(m_picture, 1);
    return page;
}

QWidget* SweepTabs::buildComparison()
{
    m_sentences->setObjectName(QStringLiteral("sweepSentences"));
    m_sentences->setAccessibleName(tr("Comparison in words"));
    m_sentences->setFrameShape(QFrame::NoFrame);
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->addWidget(m_differences);
    parts->addWidget(m_sentences);
    parts->setChildrenCollapsible(false);
    parts->setStretchFactor(0, 2);
    parts->setStretchFactor(1, 1);
    parts->setSizes({300, 160});
    return parts;
}

/// Clears the results of the previous sweep, so that they are neither mistaken for nor exported as
/// those of the form.
void SweepTabs::showWords(const QString& sentence)
{
    m_drawer.cancel();
    for (auto* view : charts())
        view->setChart({.id = view->chart().id, .title = {}, .message = sentence.toStdString()});
    m_sentences->clear();
    m_words->setText(sentence);
    m_stack->setCurrentWidget(m_words);
    refreshButtons();
}

void SweepTabs::showSnapshot(std::shared_ptr<const SweepSnapshot> snapshot, const std::filesystem::path& folder,
                             bool live)
{
    m_snapshot              = std::move(snapshot);
    m_folder                = folder;
    m_live                  = live;
    const auto& results     = m_snapshot->results;
    const QByteArray origin = QByteArray::fromStdString(to_text(results.sweep.base.study));
    for (auto* view : charts())
        view->setStudyJson(origin);
    const Chart cells = sweep_cells_chart(*m_snapshot);
    m_table->setTable(*cells.table);
    m_cells->setChart(cells);
    m_stack->setCurrentWidget(m_table);
    refreshButtons();
    fillScores();
    fillAxes();
    showChosen(results.sweep.choose.has_value());
    draw(Worker::Newer::waits_for_old);
}

/// Shows or hides the tab. A hidden tab is also disabled; otherwise wheel and keys could select it
/// (Qt 6.4).
void SweepTabs::showChosen(bool shown)
{
    m_tabs->setTabVisible(m_tabs->indexOf(m_chosen), shown);
    m_tabs->setTabEnabled(m_tabs->indexOf(m_chosen), shown);
}

/// Keeps the selected score if it still exists.
void SweepTabs::fillScores()
{
    auto names = summarised_scores(m_snapshot->results);
    if (names == m_names)
        return;
    const QSignalBlocker quiet(m_score);
    QString before = m_score->currentText();
    m_names        = std::move(names);
    m_score->clear();
    for (const auto& name : m_names)
        m_score->addItem(toQString(name.column()));
    if (before.isEmpty())
        before = QStringLiteral("test NLL");
    if (const int there = m_score->findText(before); there >= 0)
        m_score->setCurrentIndex(there);
    m_score->view()->setMinimumWidth(m_score->view()->sizeHintForColumn(0) + 24);
    m_score->setEnabled(!m_names.empty());
    m_tabs->setCornerWidget(m_names.empty() ? nullptr : m_scoreField);
    m_scoreField->setVisible(!m_names.empty());
}

void SweepTabs::fillAxes()
{
    const auto& sweep = m_snapshot->results.sweep;
    std::vector<std::string> names;
    for (const auto* axis : figure_axes(sweep))
        names.push_back(axis->name);
    if (names == m_axes)
        return;
    const QSignalBlocker quiet(m_axis);
    const QString before = m_axis->currentData().toString();
    m_axes               = std::move(names);
    m_axis->clear();
    for (const auto* axis : figure_axes(sweep))
        m_axis->addItem(toQString(axis->title()), toQString(axis->name));
    m_axis->setCurrentIndex(std::max(m_axes.empty() ? -1 : 0, m_axis->findData(before)));
    m_axis->setEnabled(m_axes.size() > 1);
}

/// @param newer  a manual choice cancels the current drawing; new cells let it finish
void SweepTabs::draw(Worker::Newer newer)
{
    if (!m_snapshot)
        return;
    const auto& figure = sweep_figure(m_figure->currentData().toString().toStdString());
    m_axis->setEnabled(figure.along_axis && m_axes.size() > 1);
    const auto at = m_score->currentIndex();
    ScoreName score;
    if (at >= 0 && at < static_cast<int>(m_names.size()))
        score = m_names[static_cast<std::size_t>(at)];
    SweepFigureOptions options{.axis = m_axis->currentData().toString().toStdString()};
    if (!score.name.empty())
        options.scores = {score.column()};
    m_drawer.submit(
        [this, snapshot = m_snapshot, folder = m_folder, &figure, score, options](std::stop_token stop,
                                                                                  Worker::Progress&) -> Worker::Show {
            const auto& results = snapshot->results;
            auto drawn          = std::make_shared<Drawn>();
            drawn->summary      = sweep_summary_chart(results, score);
            drawn->all          = sweep_all_scores_chart(results);
            drawn->chosen       = sweep_chosen_chart(results);
            drawn->differences  = sweep_differences(results, score);
            drawn->figure       = sweepFigureChart(figure, SweepFolder(folder), results, options, stop);
            if (stop.stop_requested())
                return {};
            if (results.n_done() == 0)
                for (auto* chart : {&drawn->summary, &drawn->all, &drawn->figure, &drawn->differences.chart})
                    chart->message = "No cell is done yet. Press Run to train them.";
            return [this, drawn] { take(*drawn); };
        },
        newer, m_live&& newer == Worker::Newer::waits_for_old ? Worker::Pace::rested : Worker::Pace::at_once);
}

void SweepTabs::take(const Drawn& drawn)
{
    m_summary->setChart(drawn.summary);
    m_all->setChart(drawn.all);
    m_picture->setChart(drawn.figure);
    m_differences->setChart(drawn.differences.chart);
    m_chosen->setChart(drawn.chosen.value_or(Chart{.id = "sweep_chosen", .message = "No cell is selected."}));
    QString html;
    for (const auto& sentence : drawn.differences.sentences)
        html += "<p>" + htmlFrom(sentence) + "</p>";
    m_sentences->setHtml(html);
    m_sentences->setVisible(!html.isEmpty());
}

int SweepTabs::chosenCell() const
{
    const auto at = m_table->currentIndex();
    return at.isValid() && m_stack->currentWidget() == m_table ? m_sorted->mapToSource(at).row() : -1;
}

void SweepTabs::refreshButtons() { m_open->setEnabled(chosenCell() >= 0); }
