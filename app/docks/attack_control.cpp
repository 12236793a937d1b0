// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/attack_control.h"

#include "parts/number_slider.h"
#include "session/app_context.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>

using namespace credence;

namespace {

constexpr int attackRestsAfter = 180;   ///< milliseconds without a movement

const QStringList attackViews{QStringLiteral("attack_input"), QStringLiteral("attack_curve"),
                              QStringLiteral("attack_arrows")};

}   // namespace

AttackControl::AttackControl(AppContext& context, QWidget* parent)
    : QWidget(parent), m_context(context),
      m_epsilon(new NumberSlider(
          {.name     = QStringLiteral("attackEpsilon"),
           .title    = tr("Strength ε of the attack"),
           .low      = 0,
           .high     = 0.3,
           .step     = 0.005,
           .decimals = 3,
           .tip = tr("Set the strength ε: each component of the selected input moves by at most ε, and the result "
                     "becomes the selected input; 0 restores the original. For images 1 is the step from black to "
                     "white")},
          this)),
      m_kind(addBox(
          QStringLiteral("attackKind"), tr("Kind of attack"),
          tr("Select the attack. Fast: one step of size ε along the sign of the gradient. Projected: ten smaller "
             "steps within ε, with a new gradient each. Random: random signs, as a control"))),
      m_gradient(addBox(
          QStringLiteral("attackGradient"), tr("Gradient of the attack"),
          tr("Select the loss to increase: the loss of the mean prediction of ten samples, the mean of ten losses, "
             "or the loss of one sample"))),
      m_worker({.newer = Worker::Newer::waits_for_old})
{
    for (const auto& [kind, title] : {std::pair{AttackKind::fast_gradient_sign, tr("Fast gradient sign")},
                                      {AttackKind::projected_gradient, tr("Projected gradient")},
                                      {AttackKind::random_signs, tr("Random signs")}})
        m_kind->addItem(title, static_cast<int>(kind));
    for (const auto& [gradient, title] : {std::pair{AttackGradient::mean_predictive, tr("of −ln p̄")},
                                          {AttackGradient::mean_loss, tr("of the mean loss")},
                                          {AttackGradient::one_draw, tr("of one sample")}})
        m_gradient->addItem(title, static_cast<int>(gradient));
    setObjectName(QStringLiteral("attackControl"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(2);
    auto* epsilon = new QLabel(tr("Strength ε"), this);
    epsilon->setToolTip(m_epsilon->toolTip());
    grid->addWidget(epsilon, 0, 0);
    grid->addWidget(m_epsilon, 0, 1, 1, 3);
    grid->addWidget(m_kind, 1, 0, 1, 2);
    grid->addWidget(m_gradient, 1, 2, 1, 2);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    m_rest.setSingleShot(true);
    m_rest.setInterval(attackRestsAfter);
    connect(&m_rest, &QTimer::timeout, this, [this] { choose(false); });
    connect(m_epsilon, &NumberSlider::valueChanged, this, &AttackControl::attack);
    connect(&m_worker, &Worker::failed, this, [this](const QString&, const QString& sentence) {
        Q_EMIT failed(tr("The attack failed: %1").arg(sentence));
    });
    for (auto* box : {m_kind, m_gradient})
        connect(box, &QComboBox::currentIndexChanged, this, &AttackControl::notify);
    connect(&m_context.selection, &Selection::changed, this, [this] {
        if (!m_choosing)
            releaseInput();
    });
    m_context.choices.alsoFrom([this](ViewOptions& options) {
        if (m_origin)
            options.attack.unattacked = InputChoice{m_origin->input, m_origin->name, m_origin->label, m_origin->row};
    });
}

QComboBox* AttackControl::addBox(const QString& name, const QString& title, const QString& tip)
{
    auto* box = new QComboBox(this);
    box->setObjectName(name);
    box->setAccessibleName(title);
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    return box;
}

void AttackControl::fit(const Experiment& experiment, bool otherData)
{
    if (view_support::why_no_attack(experiment))
        return releaseInput();
    m_epsilon->setRange(0, view_support::attack_strengths(experiment).back());
    if (otherData)
        releaseInput();
}

void AttackControl::notify()
{
    m_context.choices.set(attackViews, [this](ViewOptions& options) {
        options.attack.method.kind     = static_cast<AttackKind>(m_kind->currentData().toInt());
        options.attack.method.gradient = static_cast<AttackGradient>(m_gradient->currentData().toInt());
    });
    if (m_origin)
        attack(m_epsilon->value());
}

/// The figures keep the last strength above 0 when the slider returns to 0, where they would be
/// empty.
void AttackControl::attack(double epsilon)
{
    if (epsilon <= 0)
        return takeBack();
    const auto run = m_context.session.run().current();
    if (!run.experiment || !run.snapshot || view_support::why_no_attack(*run.experiment))
        return;
    if (!m_origin)
        m_origin = m_context.selection.chosen();
    m_context.choices.set({QStringLiteral("attack_arrows")},
                          [&](ViewOptions& options) { options.attack.epsilon = epsilon; });
    auto options              = m_context.choices.options();
    options.attack.unattacked = InputChoice{m_origin->input, m_origin->name, m_origin->label, m_origin->row};
    m_worker.submit([this, run, options](std::stop_token stop, Worker::Progress&) -> Worker::Show {
        auto attacked = attacked_input(run, options, stop);
        if (!attacked)
            return {};
        return [this, found = std::move(*attacked)] { take(found); };
    });
}

void AttackControl::take(AttackedInput attacked)
{
    m_attacked = std::move(attacked);
    choose(true);
    m_rest.start();
}

void AttackControl::choose(bool moving)
{
    if (!m_origin)
        return;
    const bool isRow                = m_origin->input.empty();
    const std::optional<int> madeOf = isRow ? std::optional(static_cast<int>(m_origin->row)) : m_origin->madeOf;
    m_choosing                      = true;
    m_context.selection.chooseMade({.input  = m_attacked.input,
                                    .name   = m_attacked.name,
                                    .label  = m_attacked.label,
                                    .row    = m_origin->row,
                                    .madeOf = madeOf,
                                    .drawn  = m_origin->drawn},
                                   moving);
    m_choosing = false;
}

void AttackControl::takeBack()
{
    m_worker.cancel();
    m_rest.stop();
    if (!m_origin)
        return;
    const ChosenInput before = *std::exchange(m_origin, std::nullopt);
    m_choosing               = true;
    if (before.input.empty())
        m_context.selection.chooseRow(static_cast<int>(before.row), Selection::By::canvas);
    else
        m_context.selection.chooseMade(before, false);
    m_choosing = false;
}

void AttackControl::releaseInput()
{
    m_worker.cancel();
    m_rest.stop();
    m_origin.reset();
    m_epsilon->setValue(0);
}
