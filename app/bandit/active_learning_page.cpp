// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandit/active_learning_page.h"

#include "parts/form_controls.h"
#include "parts/setting_lines.h"
#include "parts/toasts.h"
#include "session/app_context.h"
#include "work/text.h"

#include "foundation/error.h"
#include "study/fields.h"
#include "study/study.h"
#include "widgets/chart_view.h"
#include "widgets/symbols.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <tuple>
#include <utility>

using namespace credence;

namespace {

QString activeLearningHelp()
{
    return ActiveLearningPage::tr(
        "<p>Labels are often expensive, inputs cheap. Active learning asks for the labels from which the network "
        "learns most. It starts from a few random labelled rows of the training set; the labels of the others, the "
        "<b>pool</b>, are hidden. In each round the network of the Study is trained from its start on the labelled "
        "rows, and the rows of the pool with the largest <b>acquisition value</b> are labelled.</p><p>With the mean "
        "probabilities p̄ over the posterior samples p_s:</p><p><b>BALD</b>, H(p̄) − E H(p_s): the mutual information "
        "of label and weights. It is large where the samples are confident and disagree, and 0 where all agree. "
        "<b>Entropy</b>, H(p̄): also large where classes overlap, where more labels help little. <b>Margin</b>, 1 − "
        "the difference of the two largest probabilities. <b>Random</b> rows are the baseline. For a numeric target: "
        "the <b>variance</b> of f over the samples.</p><p><b>Curves.</b> Test accuracy (RMSE for a numeric target) "
        "and NLL against the number of labelled rows: lines are means over the repetitions, bands mean ± standard "
        "deviation (for two repetitions: minimum to maximum). Each repetition has its own seed for starting rows "
        "and training; all functions start from the same rows.</p><p><b>Map.</b> The acquisition value over the "
        "plane in the first repetition: labelled rows are filled, the pool is hollow, and the rows to be labelled "
        "next are numbered. Change <i>Round</i> to see the queries of each round. <b>Rows</b> lists them for all data."
        "</p><p>The best rows of one round are chosen independently, so they can be near-copies of each other "
        "(Kirsch et al. 2019); fewer labels per round avoid this. The inputs of all training rows are known, so all of "
        "them are used to standardise the data.</p><p><b>Try this.</b> Compare BALD with entropy on two moons with "
        "much noise. "
        "Replace the posterior by a deep ensemble or Bernoulli dropout.</p><p>Source: Houlsby et al. 2011, equation "
        "2; Gal et al. 2017, section 4; Settles 2009, section 3.1; MacKay 1992.</p>");
}

}   // namespace

DecideTabs::DecideTabs(Page own, QWidget* parent) : QTabBar(parent)
{
    describeControl(this, QStringLiteral("decideTabs"), tr("Pages of Decide"),
                    tr("Switch between agents that act and active learning; work continues on both"));
    setDrawBase(false);
    setExpanding(false);
    setUsesScrollButtons(false);   // both titles are always visible
    addTab(tr("Bandit"));
    addTab(tr("Active learning"));
    setCurrentIndex(own);
    connect(this, &QTabBar::currentChanged, this, [this, own](int index) {
        if (index == own)
            return;
        setCurrentIndex(own);   // for the next time
        Q_EMIT chosen(index);
    });
}

void DecideTabs::wheelEvent(QWheelEvent* event) { event->ignore(); }

ActiveLearningPage::ActiveLearningPage(AppContext& context, QWidget* parent)
    : ToolPage({.id       = QStringLiteral("activeLearning"),
                .title    = tr("Active learning"),
                .help     = activeLearningHelp,
                .run      = tr("Trai&n"),
                .runTip   = tr("Train on the labelled rows, label the rows with the largest values, and repeat"),
                .pauses   = true,
                .stepwise = false},
               parent),
      m_context(context), m_function(new QComboBox(this)), m_tabs(new QTabWidget(this)), m_curves(new ChartView(this)),
      m_map(new ChartView(this)), m_rows(new ChartView(this))
{
    for (const auto& [view, name, title, id] : {
             std::tuple{m_curves, "activeCurves", tr("Scores against the number of labelled rows"), "active_learning"},
             {m_map, "activeMap", tr("Queries on the map"), "active_learning_map"},
             {m_rows, "activeRows", tr("Queried rows"), "active_learning_queries"},
         }) {
        view->setObjectName(QLatin1String(name));
        view->setAccessibleName(title);
        view->setChart({.id = id, .title = title.toStdString(), .message = {}});
        addChart(view);
    }
    showWaiting(false);
    connect(this, &ToolPage::busyChanged, this, &ActiveLearningPage::showWaiting);
    auto* columns = new QSplitter(Qt::Horizontal, this);
    for (auto* part : {buildSettings(), static_cast<QWidget*>(m_curves), buildQueries()})
        columns->addWidget(part);
    columns->setChildrenCollapsible(false);
    columns->setStretchFactor(1, 3);
    columns->setStretchFactor(2, 2);
    columns->setSizes({264, 400, 300});
    setContent(new DecideTabs(DecideTabs::active_learning, this), columns);
    connect(&m_context.session, &Session::studyChanged, this, &ActiveLearningPage::describe);
    describe();
}

QWidget* ActiveLearningPage::buildSettings()
{
    const ActiveLearningPlan usual;
    auto* lines      = new SettingLines(this);
    auto& labels     = lines->add(QStringLiteral("activeLabels"), tr("Labels"));
    auto& study      = lines->add(QStringLiteral("activeStudy"), tr("Current Study"));
    auto& repeat     = lines->add(QStringLiteral("activeRepeat"), tr("Repetitions"));
    m_lines          = {&labels.line(), &study.line(), &repeat.line()};
    const auto count = [this](SettingCard& card, const char* name, const QString& label, const QString& tip, int value,
                              int low, int high) {
        auto* box = countBox(QLatin1String(name), label, tip, value, low, high, this);
        card.addField(label, box);
        connect(box, &QSpinBox::valueChanged, this, &ActiveLearningPage::describe);
        return box;
    };
    m_start       = count(labels, "activeStart", tr("Starting labels"),
                          tr("Set the number of labelled rows at the start: random, as many of each class as possible"),
                          usual.starting_labels, 1, 100'000);
    m_perRound    = count(labels, "activePerRound", tr("Labels per round"),
                          tr("Set the number of rows that are labelled after each training"), usual.labels_per_round, 1,
                          100'000);
    m_rounds      = count(labels, "activeRounds", tr("Rounds"),
                          tr("Set the number of labelling rounds; the network is trained once more after the last"),
                          usual.rounds, 1, 1000);
    m_pool        = count(labels, "activePool", tr("Pool"),
                          tr("Set the largest number of training rows that can be labelled; more rows take longer"),
                          static_cast<int>(usual.pool), 2, 1'000'000);
    m_steps       = count(study, "activeSteps", tr("Training steps"),
                          tr("Set the steps of each training, in place of those of the Study; HMC and NUTS have their "
                                   "own"),
                          2000, 1, 10'000'000);
    m_samples     = count(study, "activeSamples", tr("Samples"),
                          tr("Set the number of posterior samples for acquisition values and scores"), usual.samples, 1,
                          10'000);
    m_repetitions = count(repeat, "activeRepetitions", tr("Repetitions"),
                          tr("Set the number of repetitions with other starting rows and seeds, for the bands"),
                          usual.repetitions, 1, 100);
    connect(this, &ToolPage::busyChanged, lines, [lines](bool busy) { lines->setEditable(!busy); });
    return lines;
}

/// The sentences of the lines.
void ActiveLearningPage::describe()
{
    const auto& study = m_context.session.study();
    const auto number = [](const QSpinBox* box) { return toQString(box->value()); };
    m_lines[0]->describe(tr("%1 at the start · %2 more in each of %3 rounds · pool of at most %4 rows")
                             .arg(number(m_start), number(m_perRound), number(m_rounds), number(m_pool)),
                         Symbol::samples);
    m_lines[1]->describe(
        tr("%1 · %2 steps · %3 samples").arg(toQString(study.name), number(m_steps), number(m_samples)),
        Symbol::network);
    m_lines[2]->describe(m_repetitions->value() == 1
                             ? tr("One, seed %1").arg(study.seed)
                             : tr("%1, from seed %2").arg(m_repetitions->value()).arg(study.seed),
                         Symbol::intervals);
}

QWidget* ActiveLearningPage::buildQueries()
{
    describeControl(m_function, QStringLiteral("activeFunction"), tr("Acquisition function"),
                    tr("Select the acquisition function whose queries are displayed"));
    m_round = countBox(QStringLiteral("activeRound"), tr("Round"),
                       tr("Select the round whose queries are displayed; 0 is the first training"), 0, 0, 0, this);
    m_tabs->setObjectName(QStringLiteral("activeTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_map, tr("Map"));
    m_tabs->addTab(m_rows, tr("Rows"));
    connect(m_function, &QComboBox::currentIndexChanged, this, [this] {
        followRounds();
        showQueries();
    });
    connect(m_round, &QSpinBox::valueChanged, this, [this] {
        m_follows = false;
        showQueries();
    });
    auto* queries = new QWidget(this);
    auto* column  = new QVBoxLayout(queries);
    column->setContentsMargins(0, 0, 0, 0);
    m_choice  = new QWidget(queries);       // hidden until there is something to select
    auto* row = new FlowLayout(m_choice);   // a narrow window needs two lines
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(labelled(tr("Queries of"), m_function, m_choice));
    row->addWidget(labelled(tr("Round"), m_round, m_choice));
    m_choice->hide();
    column->addWidget(m_choice);
    column->addWidget(m_tabs, 1);
    return queries;
}

Worker::Work ActiveLearningPage::work()
{
    if (const QString mistake = m_context.document.commit(); !mistake.isEmpty())
        throw Error(mistake.toStdString());
    ActiveLearningPlan plan{.study            = m_context.session.study(),
                            .starting_labels  = m_start->value(),
                            .labels_per_round = m_perRound->value(),
                            .rounds           = m_rounds->value(),
                            .repetitions      = m_repetitions->value(),
                            .pool             = static_cast<std::size_t>(m_pool->value()),
                            .samples          = m_samples->value()};
    plan.study.training.steps = m_steps->value();
    m_follows                 = true;
    return [this, plan = std::move(plan)](std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
        const auto show = [this](const LabellingResult& result) -> Worker::Show {
            return [this, shown = std::make_shared<const LabellingResult>(result)] { showResult(shown); };
        };
        const LabellingEvents events{.progress =
                                         [&](double share) {
            if (progress.gate())
                progress.report(share);
                                     },
                                     .shown = [&](const LabellingResult& soFar) { progress.show(show(soFar)); }};
        const auto result = run_active_learning(plan, stop, events);
        return result ? show(*result) : Worker::Show();
    };
}

void ActiveLearningPage::showMistake(const QString&, const QString& sentence)
{
    bar()->warn(toQString(with_labels(sentence.toStdString())));
}

/// In the charts, until the first rows are labelled.
void ActiveLearningPage::showWaiting(bool busy)
{
    if (m_result)
        return;
    for (auto* view : {m_curves, m_map, m_rows}) {
        Chart empty   = view->chart();
        empty.message = (busy ? tr("Training on the first labelled rows …")
                              : tr("Press Train to label the first rows."))
                            .toStdString();
        view->setChart(empty);
    }
}

void ActiveLearningPage::showResult(std::shared_ptr<const LabellingResult> result)
{
    m_result         = std::move(result);
    const auto study = QByteArray::fromStdString(to_text(m_result->plan.study));
    for (auto* view : {m_curves, m_map, m_rows})
        view->setStudyJson(study);
    m_curves->setChart(learning_chart(*m_result));
    listFunctions();
    m_choice->show();
    followRounds();
    showQueries();
}

void ActiveLearningPage::listFunctions()
{
    QList<int> functions;
    for (const Acquisition function : m_result->plan.functions)
        functions += static_cast<int>(function);
    QList<int> listed;
    for (int i = 0; i < m_function->count(); ++i)
        listed += m_function->itemData(i).toInt();
    if (listed == functions)
        return;
    const QSignalBlocker blocker(m_function);
    m_function->clear();
    for (const Acquisition function : m_result->plan.functions)
        m_function->addItem(toQString(title_of(function)), static_cast<int>(function));
    m_tabs->setCurrentWidget(m_result->grid ? m_map : m_rows);
}

/// The rounds of the displayed function that have finished.
void ActiveLearningPage::followRounds()
{
    if (!m_result || m_function->count() == 0)
        return;
    const auto& run  = m_result->first_run(static_cast<Acquisition>(m_function->currentData().toInt()));
    const int newest = std::max(0, static_cast<int>(run.rounds.size()) - 1);
    const QSignalBlocker blocker(m_round);
    m_round->setRange(0, newest);
    if (m_follows)
        m_round->setValue(newest);
}

void ActiveLearningPage::showQueries()
{
    if (!m_result || m_function->count() == 0)
        return;
    const auto function = static_cast<Acquisition>(m_function->currentData().toInt());
    m_map->setChart(query_map(*m_result, function, static_cast<std::size_t>(m_round->value())));
    m_rows->setChart(query_table(*m_result, function));
}
