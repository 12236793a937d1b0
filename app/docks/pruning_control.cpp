// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/pruning_control.h"

#include "parts/flow_layout.h"
#include "parts/help_mark.h"
#include "session/workspace.h"
#include "work/text.h"

#include "foundation/number_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QVBoxLayout>

#include <cmath>

using namespace credence;

PruningControl::PruningControl(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_words(new QLabel(this)), m_share(new QSlider(Qt::Horizontal, this)),
      m_by(new QComboBox(this)), m_perLayer(new QCheckBox(tr("Each layer"), this)),
      m_biases(new QCheckBox(tr("Biases too"), this)), m_score(new QLabel(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 0, 6, 0);
    column->setSpacing(1);
    column->addWidget(buildShare());
    column->addWidget(buildChoices());
    m_score->setObjectName(QStringLiteral("pruneScore"));
    m_score->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);   // never widens the window
    column->addWidget(m_score);
    refresh();
    connect(&workspace.choices, &ViewChoices::changedForAll, this, [this] {
        refresh();
        ask();
    });
    connect(&workspace.session, &Session::momentChanged, this, &PruningControl::ask);
    connect(&m_preview, &PruningPreview::scored, this, &PruningControl::tell);
    connect(&m_preview, &PruningPreview::failed, m_score, &QLabel::setText);
}

QWidget* PruningControl::buildShare()
{
    auto* line = new QWidget(this);
    m_words->setMinimumWidth(m_words->fontMetrics().horizontalAdvance(tr("Prune 100 % ")));
    m_share->setObjectName(QStringLiteral("prune"));
    m_share->setRange(0, 100);
    m_share->setAccessibleName(tr("Share of weights that are set to zero, percent"));
    m_share->setToolTip(tr("Prune: sets this share of the weights to zero. Every view shows what is left"));
    connect(m_share, &QSlider::valueChanged, this, [this] { set(m_share->isSliderDown()); });
    connect(m_share, &QSlider::sliderReleased, this, [this] { set(false); });
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_words);
    row->addWidget(m_share, 1);
    row->addWidget(new HelpMark(
        tr("Pruning"),
        [this] {
        return tr("<b>Pruning</b><p>Sets a share of the weights to zero: in every draw and in the mean. Nothing is trained again. Every view that looks at the posterior follows, and says so "
                  "in its caption; training curves, chains, the evidence and comparisons with the truth stay whole.</p>"
                  "<p><b>|μ|/σ</b>: the signal-to-noise ratio, smallest first: what is small beside its doubt says least. <b>|μ|</b>: the size alone, smallest first. <b>σ</b>: the "
                  "doubt alone, largest first. Weights without any spread go by |μ|.</p>"
                  "<p><b>Each layer</b>: the share is taken of each layer by itself. <b>Biases too</b>: biases stand in line with the weights; else they stay.</p>"
                  "<p>The number below is of the test set: while the slider moves at the mean weights, by at most %1 rows; when it rests by all rows, and then by %2 draws.</p>"
                  "<p>Source: Blundell et al. 2015, section 5.1, Table 2.</p>")
            .arg(toQString(PruningPreview::liveRows))
            .arg(PruningPreview::mostDraws);
        },
        line));
    return line;
}

QWidget* PruningControl::buildChoices()
{
    auto* line = new QWidget(this);
    m_by->setObjectName(QStringLiteral("pruneBy"));
    m_by->setAccessibleName(tr("Which weights are removed first"));
    for (const auto& [by, tip] : {std::pair{PruneBy::signal_to_noise, tr("Smallest signal-to-noise ratio first")},
                                  {PruneBy::magnitude, tr("Smallest mean first")},
                                  {PruneBy::spread, tr("Largest standard deviation first")}}) {
        m_by->addItem(tr("by %1").arg(toQString(symbol_of(by))), static_cast<int>(by));
        m_by->setItemData(m_by->count() - 1, tip, Qt::ToolTipRole);
    }
    m_by->setToolTip(tr("Which weights are removed first"));
    m_perLayer->setObjectName(QStringLiteral("prunePerLayer"));
    m_perLayer->setToolTip(tr("Takes the share of each layer by itself, not of all together"));
    m_biases->setObjectName(QStringLiteral("pruneBiases"));
    m_biases->setToolTip(tr("Biases stand in line with the weights; else they stay"));
    connect(m_by, &QComboBox::currentIndexChanged, this, [this] { set(false); });
    for (auto* box : {m_perLayer, m_biases})
        connect(box, &QCheckBox::toggled, this, [this] { set(false); });
    auto* flow = new FlowLayout(line);
    flow->setContentsMargins(0, 0, 0, 0);
    flow->addWidget(m_by);
    flow->addWidget(m_perLayer);
    flow->addWidget(m_biases);
    return line;
}

void PruningControl::set(bool moving)
{
    const PruneRule rule{.share     = m_share->value() / 100.0,
                         .by        = static_cast<PruneBy>(m_by->currentData().toInt()),
                         .per_layer = m_perLayer->isChecked(),
                         .biases    = m_biases->isChecked()};
    m_workspace.choices.setForAll(moving, [&rule](ViewOptions& options) { options.prune = rule; });
}

void PruningControl::refresh()
{
    const auto& rule = m_workspace.choices.options().prune;
    const QSignalBlocker noShare(m_share), noOrder(m_by), noLayers(m_perLayer), noBiases(m_biases);
    m_share->setValue(static_cast<int>(std::lround(100 * rule.share)));
    m_by->setCurrentIndex(m_by->findData(static_cast<int>(rule.by)));
    m_perLayer->setChecked(rule.per_layer);
    m_biases->setChecked(rule.biases);
    m_words->setText(tr("Prune %1 %").arg(m_share->value()));
    m_score->setVisible(rule.on());
}

/// Where nothing is removed there is nothing to say: the scores of the whole net stand elsewhere.
void PruningControl::ask()
{
    const auto& rule = m_workspace.choices.options().prune;
    if (rule.on() && !m_workspace.session.run().ofOutputs()) {
        m_preview.ask(m_workspace.session.run().moment(), rule, m_workspace.session.onShow().live());
        return;
    }
    m_preview.forget();
    m_score->clear();
}

void PruningControl::tell(const PrunedScores& scores)
{
    QString words = scores.classes ? tr("Accuracy %1 %").arg(toQString(fixed_text(100 * scores.classes->accuracy, 2)))
                                   : tr("RMSE %1").arg(toQString(number_text(scores.rmse, 4)));
    words += scores.n_draws > 0 ? tr(" by %1 draws").arg(scores.n_draws) : tr(" at the mean weights");
    words += scores.rows < scores.all_rows
                 ? tr(", %1 of %2 rows").arg(toQString(scores.rows), toQString(scores.all_rows))
                 : tr(", all %1 rows").arg(toQString(scores.all_rows));
    if (scores.rule.by != m_workspace.choices.options().prune.by)
        words += tr(" · by %1: these weights have no spread").arg(toQString(symbol_of(scores.rule.by)));
    m_score->setText(words);
    m_score->setToolTip(words);
}
