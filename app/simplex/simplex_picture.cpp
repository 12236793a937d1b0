// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/simplex_picture.h"

#include "foundation/error.h"
#include "parts/help_mark.h"
#include "parts/remembered_sizes.h"
#include "runs/derived_runs.h"
#include "views/beta_laplace.h"
#include "views/chosen_logits.h"
#include "widgets/table_view.h"
#include "work/text.h"

#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>
#include <utility>

using namespace credence;

namespace {

constexpr int cellsOfTab = 200;   ///< per side

void fitToTab(SimplexChoice& choice)
{
    choice.density.cells = cellsOfTab;
    choice.look.table    = false;   // shown separately below
}

}   // namespace

std::shared_ptr<const SimplexPicture> pictureByHand(const LogitGaussian& logits, const std::vector<std::string>& names,
                                                    SimplexChoice choice)
{
    fitToTab(choice);
    choice.density.classes.clear();   // of another distribution
    auto made   = std::make_shared<SimplexPicture>();
    made->value = std::make_shared<SimplexDensity>(simplex_density(logits, names, choice.density));
    made->chart = to_chart(*made->value, choice.look);
    return made;
}

std::shared_ptr<const SimplexPicture> pictureOfInput(const RunSnapshot& whole, ViewOptions options,
                                                     SimplexChoice choice, std::stop_token stop)
{
    fitToTab(choice);
    const auto run     = pruned(whole, options.prune);
    auto made          = std::make_shared<SimplexPicture>();
    options.simplex    = choice;
    const bool classes = run.experiment->task() == Task::classification && gives_logits(run);
    const auto logits  = classes ? chosen_logits(run, options, logits_by(run, options), stop) : std::nullopt;
    if (stop.stop_requested())
        return {};
    if (!logits) {
        try {
            made->chart = credence::view("simplex").make(run, options, stop).value_or(Chart{});
        } catch (const Error& error) {
            made->chart.message = error.what();   // which explains why
        }
        return made;
    }
    const auto& names = run.experiment->data->training.class_names;
    for (const auto& name : names)
        made->classNames += toQString(name);
    if (logits->n_classes() == 2) {
        made->chart = two_class_chart(*logits, names, choice.density.variant);
        made->table = std::exchange(made->chart.table, std::nullopt);
        return made;
    }
    auto how     = choice.density;
    how.seed     = run.experiment->study.seed;
    const auto k = logits->n_classes();
    if (how.classes.size() == 3
        && std::any_of(how.classes.begin(), how.classes.end(), [k](int c) { return c < 0 || c >= k; }))
        how.classes.clear();
    made->value = std::make_shared<SimplexDensity>(simplex_density(*logits, names, how));
    made->chart = to_chart(*made->value, choice.look);
    return made;
}

namespace {

constexpr int patience = 400;   ///< milliseconds

QString simplexNumbersHelp()
{
    return SimplexNumbers::tr(
        "<b>Distance between the Dirichlet and the exact distribution</b><p>KL(exact‖Dirichlet) = ∫ p ln(p/q), nats: 0 "
        "if they agree; by quadrature. Below it that of the best Dirichlet, the one with the same E ln π<sub>k</sub>: "
        "no Dirichlet is closer. <b>Total variation</b> = ½ ∫|p − q| and <b>Hellinger distance</b> = √(1 − ∫√(pq)) are "
        "between 0 and 1.</p><p><b>α</b>: pseudo-counts of the classes, their sum first. <b>Mean</b> and "
        "<b>variance</b> of each class probability under both distributions.</p><p><b>Proposition 1</b> of the thesis: "
        "under the bridge Var π<sub>k</sub> grows with Var z<sub>k</sub>, as it should, if and only if α_k &gt; "
        "¼(√(9R² + 10R + 1) − R − 1), R = α₀ − α_k.</p><p>Source: Hobbhahn 2020, Proposition 1.</p>");
}

}   // namespace

SimplexNumbers::SimplexNumbers(QWidget* parent)
    : QObject(parent), m_summary(new QLabel(parent)), m_table(new TableView(parent))
{
    m_summary->setObjectName(QStringLiteral("simplexSummary"));
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_table->setObjectName(QStringLiteral("simplexNumbers"));
    rememberColumns(m_table->widths(), QStringLiteral("simplex"));
    m_table->setAccessibleName(tr("α, means and variances of each class under both distributions"));
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setMinimumHeight(7 * m_table->fontMetrics().height() + 60);
    m_patience.setSingleShot(true);
    m_patience.setInterval(patience);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        m_known.reset();
        refresh();
    });
}

QLayout* SimplexNumbers::buildSummary()
{
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_summary, 1);
    row->addWidget(
        new HelpMark(tr("Numbers of the bridge"), simplexNumbersHelp, {m_summary, m_table}, m_summary->parentWidget()),
        0, Qt::AlignTop);
    return row;
}

QString SimplexNumbers::summary() const { return m_summary->text(); }

void SimplexNumbers::follow(const std::shared_ptr<const SimplexPicture>& picture, const SimplexLook& look)
{
    m_of = picture;
    if (!picture->value || !picture->value->bridge) {
        m_job.cancel();
        m_known.reset();
        m_mistake.clear();
        return refresh();
    }
    if (!m_patience.isActive())
        m_patience.start();
    m_job.submit([this, picture, look](std::stop_token, Worker::Progress&) -> Worker::Show {
        std::optional<BridgeNumbers> numbers;
        QString mistake;
        Chart full = picture->chart;
        try {
            auto whole = *picture->value;
            numbers = whole.numbers = bridge_numbers(whole, 400'000'000);
            full                    = to_chart(whole, look);
        } catch (const std::exception& error) {
            mistake = toQString(error.what());   // shown in the summary
        }
        return [this, picture, numbers, full, mistake] {
            m_mistake = mistake;
            take(picture, numbers, full);
        };
    });
}

void SimplexNumbers::clear()
{
    m_of.reset();
    m_mistake.clear();
    m_known.reset();
    m_job.cancel();
    refresh();
}

void SimplexNumbers::take(const std::shared_ptr<const SimplexPicture>& of, std::optional<BridgeNumbers> numbers,
                          const Chart& full)
{
    m_known = std::move(numbers);
    if (of == m_of)
        m_patience.stop();
    else
        m_patience.start();
    refresh();
    Q_EMIT chartMade(of, full);
}

/// Shows the overall numbers in a line and those of each class in a table.
void SimplexNumbers::refresh()
{
    const bool two = m_of && m_of->table;
    if (!two && !(m_of && m_of->value && m_of->value->bridge)) {
        m_summary->clear();
        m_table->setTable({});
        return;
    }
    const Table whole = two ? *m_of->table
                            : numbers_table(m_known.value_or(BridgeNumbers{}), m_of->value->bridge->alpha(),
                                            m_of->value->names);
    const bool known  = two || m_known;
    const auto value  = [&](std::size_t row) {
        const auto* number = known ? std::get_if<double>(&whole.rows[row][1]) : nullptr;
        return number ? QString::number(*number, 'g', 4) : QStringLiteral("…");
    };
    if (!known && !m_mistake.isEmpty())
        m_summary->setText(tr("The numbers are not available: %1").arg(m_mistake.toHtmlEscaped()));
    else
        m_summary->setText(tr("<b>KL %1</b> nats, best Dirichlet %2 · total variation %3 · Hellinger %4")
                               .arg(value(0), value(1), value(2), value(3)));
    Table ofClasses{.columns = {whole.columns.front()}, .rows = {}};
    ofClasses.columns.insert(ofClasses.columns.end(), whole.columns.begin() + 2, whole.columns.end());
    for (std::size_t r = 4; r < whole.rows.size(); ++r) {
        const auto& row  = whole.rows[r];
        const bool alpha = r == 4;   // known at once
        std::vector<Cell> cells{alpha ? Cell(tr("α, sum %1").arg(std::get<double>(row[1]), 0, 'g', 4).toStdString())
                                      : row[0]};
        for (std::size_t c = 2; c < row.size(); ++c)
            cells.push_back(known || alpha ? row[c] : Cell(std::string("…")));
        ofClasses.rows.push_back(std::move(cells));
    }
    m_table->setTable(ofClasses);
}
