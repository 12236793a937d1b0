// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/double_well_settings.h"

#include "parts/flow_layout.h"
#include "parts/labelled_box.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>

#include <cmath>

namespace well = credence::double_well;

DoubleWellSettings::DoubleWellSettings(QWidget* parent) : QWidget(parent)
{
    setLayout(new FlowLayout);
    const well::WalkOptions usual;
    m_stepSize = addNumber(
        QStringLiteral("wellStepSize"), tr("Step size ε"),
        tr("Set the step size. Small steps are accurate but slow; large ones diverge on steep walls"), usual.step_size,
        0.001, 1, 0.01, 3);
    m_momentum    = addNumber(QStringLiteral("wellMomentum"), tr("Momentum 1 − α"),
                              tr("Set the fraction of velocity retained per step; α is the friction, and the noise "
                                    "matches it"),
                              usual.momentum, 0, 0.99, 0.05, 2);
    m_temperature = addNumber(QStringLiteral("wellTemperature"), tr("Temperature"),
                              tr("Set the temperature; the chains sample exp(−U/T). 0: no noise, the chains only "
                                 "roll downhill; 1: the posterior"),
                              usual.temperature, 0, 10, 0.25, 2);

    m_start = new QComboBox(this);
    m_start->setObjectName(QStringLiteral("wellStart"));
    m_start->setAccessibleName(tr("Start"));
    m_start->setToolTip(tr("Set the initial θ and μ; s starts from 1"));
    m_start->addItem(tr("drawn from N(0, 1)"));
    m_start->addItem(tr("left well, −√5"), -std::sqrt(5.0));
    m_start->addItem(tr("middle, 0"), 0.0);
    m_start->addItem(tr("right well, √5"), std::sqrt(5.0));
    connect(m_start, &QComboBox::currentIndexChanged, this, &DoubleWellSettings::optionsChanged);
    add(tr("Start"), m_start);

    m_seed  = addCount(QStringLiteral("wellSeed"), tr("Seed"),
                       tr("Set the seed of all random numbers: the same seed gives the same chains"),
                       static_cast<int>(usual.seed), 0, 999'999);
    m_steps = addCount(QStringLiteral("wellSteps"), tr("Steps"), tr("Set the number of steps of Play"), 5000, 1,
                       200'000);
    m_pace  = addCount(QStringLiteral("wellPace"), tr("Each frame"),
                       tr("Set the steps between two frames; Step always makes one"), 10, 1, 5000);
    for (auto* box : {m_stepSize, m_momentum, m_temperature})
        connect(box, &QDoubleSpinBox::valueChanged, this, &DoubleWellSettings::optionsChanged);
    connect(m_seed, &QSpinBox::valueChanged, this, &DoubleWellSettings::optionsChanged);
    connect(m_pace, &QSpinBox::valueChanged, this, &DoubleWellSettings::paceChanged);

    const auto button = [this](const QString& text, const char* name, const QString& tip) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(QLatin1String(name));
        made->setToolTip(tip);
        made->setAutoDefault(false);
        layout()->addWidget(made);
        return made;
    };
    connect(button(tr("&Restart"), "wellRestart", tr("Start over with the same seed (Ctrl+R)")), &QPushButton::clicked,
            this, &DoubleWellSettings::restartRequested);
    connect(button(tr("As p&ublished"), "wellPublished",
                   tr("Use step size 0.2, momentum 0.5, a start drawn from N(0, 1) and ten single steps: the "
                      "functional-BNN submission, Fig. 1")),
            &QPushButton::clicked, this, &DoubleWellSettings::takePublished);
}

well::WalkOptions DoubleWellSettings::options() const
{
    well::WalkOptions out{.step_size   = m_stepSize->value(),
                          .momentum    = m_momentum->value(),
                          .temperature = m_temperature->value(),
                          .seed        = static_cast<std::uint64_t>(m_seed->value())};
    if (const QVariant place = m_start->currentData(); place.isValid())
        out.start = place.toDouble();
    return out;
}

int DoubleWellSettings::steps() const { return m_steps->value(); }
int DoubleWellSettings::stepsEachFrame() const { return m_pace->value(); }

void DoubleWellSettings::takePublished()
{
    {
        const QSignalBlocker stepSize(m_stepSize), momentum(m_momentum), temperature(m_temperature), start(m_start);
        m_stepSize->setValue(0.2);
        m_momentum->setValue(0.5);
        m_temperature->setValue(1);
        m_start->setCurrentIndex(0);
    }
    m_steps->setValue(10);
    m_pace->setValue(1);
    Q_EMIT optionsChanged();
}

QDoubleSpinBox* DoubleWellSettings::addNumber(const QString& name, const QString& label, const QString& tip,
                                              double value, double low, double high, double step, int decimals)
{
    auto* box = new QDoubleSpinBox(this);
    describeBox(box, name, label, tip);
    box->setDecimals(decimals);
    box->setRange(low, high);
    box->setSingleStep(step);
    box->setValue(value);
    add(label, box);
    return box;
}

QSpinBox* DoubleWellSettings::addCount(const QString& name, const QString& label, const QString& tip, int value,
                                       int low, int high)
{
    auto* box = countBox(name, label, tip, value, low, high, this);
    add(label, box);
    return box;
}

void DoubleWellSettings::add(const QString& label, QWidget* control)
{
    layout()->addWidget(labelled(label, control, this));
}
