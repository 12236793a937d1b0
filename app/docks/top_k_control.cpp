// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/top_k_control.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QSlider>

#include <cmath>

namespace {

constexpr int steps             = 200;   ///< of the slider, logarithmic from the smallest to the largest
constexpr double leastThreshold = 0.001, mostThreshold = 0.9;

int placeOf(double threshold)
{
    return static_cast<int>(
        std::lround(steps * std::log(threshold / leastThreshold) / std::log(mostThreshold / leastThreshold)));
}

}   // namespace

TopKControl::TopKControl(double threshold, QWidget* parent) : QWidget(parent)
{
    auto* slider = new QSlider(Qt::Horizontal, this);
    slider->setObjectName(QStringLiteral("topKSlider"));
    slider->setRange(0, steps);
    slider->setMinimumWidth(60);
    slider->setAccessibleName(tr("Threshold T of the uncertainty-aware top-k"));
    slider->setToolTip(tr("Set the threshold T: move left to include more classes, right for fewer"));
    auto* number = new QDoubleSpinBox(this);
    number->setObjectName(QStringLiteral("topKThreshold"));
    number->setPrefix(tr("T = "));
    number->setDecimals(3);
    number->setRange(leastThreshold, mostThreshold);
    number->setSingleStep(0.01);
    number->setAccessibleName(slider->accessibleName());
    number->setToolTip(
        tr("Set the threshold T: a class is included while its 1 − T/2 quantile exceeds the T/2 quantile of the "
           "previous class"));
    number->setValue(threshold);
    slider->setValue(placeOf(threshold));
    connect(slider, &QSlider::valueChanged, this, [number](int at) {
        number->setValue(leastThreshold * std::pow(mostThreshold / leastThreshold, static_cast<double>(at) / steps));
    });
    connect(number, &QDoubleSpinBox::valueChanged, this, [this, slider](double now) {
        const QSignalBlocker quiet(slider);
        slider->setValue(placeOf(now));
        Q_EMIT thresholdChanged(now);
    });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(slider, 1);
    row->addWidget(number);
}
