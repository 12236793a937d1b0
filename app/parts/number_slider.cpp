// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/number_slider.h"

#include "work/text.h"

#include "foundation/number_text.h"
#include "widgets/accessibility.h"

#include <QDate>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSlider>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace {

/// Number of positions of a logarithmic slider, about a thousand: equally many per decade, so that
/// it hits whole decades.
long placesOf(double low, double high)
{
    const double decades = std::log10(high / low);
    return std::lround(std::round(1000 / decades) * decades);
}

QString shortText(double value, int significant) { return toQString(credence::number_text(value, significant)); }

/// Explains why a typed value was replaced by the previous one.
void showRange(const QDoubleSpinBox& box)
{
    QToolTip::showText(box.mapToGlobal(QPoint(0, box.height())),
                       NumberSlider::tr("Expected a value from %1 to %2.")
                           .arg(box.textFromValue(box.minimum()), box.textFromValue(box.maximum()) + box.suffix()));
}

/// Shows a number of significant digits and accepts every number in its range: 0.5, 1e-5.
class SignificantBox : public QDoubleSpinBox {
public:
    SignificantBox(int significant, std::function<void(const QString& typed)> refuse, QWidget* parent)
        : QDoubleSpinBox(parent), m_significant(significant), m_refuse(std::move(refuse))
    {}

    QString textFromValue(double value) const override { return shortText(value, m_significant); }
    double valueFromText(const QString& text) const override
    {
        return text == textFromValue(value()) ? value() : text.toDouble();   // keeps digits that are not displayed
    }
    QValidator::State validate(QString& text, int&) const override
    {
        bool isNumber      = false;
        const double typed = text.toDouble(&isNumber);
        return isNumber && typed >= minimum() && typed <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
    }
    void fixup(QString& text) const override
    {
        showRange(*this);
        m_refuse(text);
        text = textFromValue(value());
    }

private:
    const int m_significant;
    const std::function<void(const QString& typed)> m_refuse;
};

class RangeBox : public QDoubleSpinBox {
public:
    using QDoubleSpinBox::QDoubleSpinBox;

    void fixup(QString&) const override { showRange(*this); }
};

/// Days since 1970-01-01 as a date: 2024-05-31.
class DateBox : public QDoubleSpinBox {
public:
    using QDoubleSpinBox::QDoubleSpinBox;

    QString textFromValue(double value) const override
    {
        return epoch().addDays(static_cast<qint64>(std::floor(value))).toString(Qt::ISODate);
    }
    double valueFromText(const QString& text) const override
    {
        const auto typed = QDate::fromString(text.trimmed(), Qt::ISODate);
        if (!typed.isValid() || text == textFromValue(value()))   // a time of day is kept
            return value();
        return static_cast<double>(epoch().daysTo(typed));
    }
    QValidator::State validate(QString& text, int&) const override
    {
        const auto typed = QDate::fromString(text.trimmed(), Qt::ISODate);
        const auto days  = static_cast<double>(typed.isValid() ? epoch().daysTo(typed) : 0);
        return typed.isValid() && days >= std::floor(minimum()) && days <= maximum() ? QValidator::Acceptable
                                                                                     : QValidator::Intermediate;
    }

    void fixup(QString&) const override { showRange(*this); }

private:
    static QDate epoch() { return {1970, 1, 1}; }
};

constexpr int allDecimals = 15;   ///< the box rounds to its displayed digits, not to a number of decimals

}   // namespace

NumberSlider::NumberSlider(const Number& number, QWidget* parent)
    : QWidget(parent), m_scale(number.scale), m_significant(number.significant),
      m_slider(new QSlider(Qt::Horizontal, this)),
      m_box(number.date         ? new DateBox(this)
            : m_significant > 0 ? new SignificantBox(
                  m_significant, [this](const QString& typed) { Q_EMIT refused(typed); }, this)
                                : static_cast<QDoubleSpinBox*>(new RangeBox(this)))
{
    m_box->setObjectName(number.name);
    m_box->findChild<QLineEdit*>()->setObjectName(number.name + QStringLiteral("/line"));
    m_box->setDecimals(m_significant > 0 ? allDecimals : number.decimals);
    m_box->setRange(number.low, number.high);
    m_box->setSingleStep(number.step);
    m_box->setSuffix(number.unit);
    m_box->setKeyboardTracking(false);
    m_box->setValue(number.value);
    m_slider->setObjectName(number.name + QStringLiteral("Slider"));
    m_slider->setMinimumWidth(50);
    for (QWidget* part : std::initializer_list<QWidget*>{m_slider, m_box}) {
        part->setAccessibleName(number.title);
        part->setToolTip(number.tip);
    }
    fitSlider();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(5);
    row->addWidget(m_slider, 1);
    row->addWidget(m_box);
    setFocusProxy(m_box);
    for (const auto signal : {&QSlider::sliderPressed, &QSlider::sliderReleased})
        connect(m_slider, signal, this, [this] { ++m_move; });
    connect(m_slider, &QSlider::valueChanged, this, [this](int place) {
        m_sliding = true;   // the slider stays under the pointer even if the box rounds
        m_box->setValue(valueAt(place));
        m_sliding = false;
    });
    connect(m_box, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        const QSignalBlocker quiet(m_slider);
        if (!m_sliding)
            m_slider->setValue(placeOf(value));
        if (const bool typed = !m_sliding; typed || m_typed)
            ++m_move;
        m_typed = !m_sliding;
        if (m_slider->hasFocus()) {   // the positions of a slider have no meaning, so its number is announced
            m_slider->setAccessibleDescription(m_box->text());
            credence::announce(m_slider, m_box->text(), credence::Announcer::Urgency::settled);
        }
        Q_EMIT valueChanged(value);
    });
}

double NumberSlider::value() const { return m_box->value(); }

void NumberSlider::setValue(double value)
{
    const QSignalBlocker quietBox(m_box), quietSlider(m_slider);
    m_box->setValue(value);
    m_slider->setValue(placeOf(value));
}

void NumberSlider::setRange(double low, double high)
{
    const QSignalBlocker quiet(m_box);
    m_box->setRange(low, high);
    fitSlider();
}

void NumberSlider::align(const std::vector<NumberSlider*>& sliders)
{
    int widest = 0;
    for (const auto* each : sliders)
        widest = std::max(widest, each->m_box->sizeHint().width());
    for (const auto* each : sliders)
        each->m_box->setMinimumWidth(widest);
}

int NumberSlider::placeOf(double value) const
{
    const double low = m_box->minimum(), high = m_box->maximum();
    return static_cast<int>(m_scale == Scale::linear ? std::lround(value / m_box->singleStep())
                                                     : std::lround(static_cast<double>(placesOf(low, high))
                                                                   * std::log(value / low) / std::log(high / low)));
}

double NumberSlider::valueAt(int place) const
{
    const double low = m_box->minimum(), high = m_box->maximum();
    if (m_scale == Scale::linear)
        return place * m_box->singleStep();
    const double value = low
                         * std::pow(high / low, static_cast<double>(place) / static_cast<double>(placesOf(low, high)));
    return m_significant > 0 ? shortText(value, m_significant).toDouble() : value;
}

void NumberSlider::fitSlider()
{
    const QSignalBlocker quiet(m_slider);
    m_slider->setRange(placeOf(m_box->minimum()), placeOf(m_box->maximum()));
    m_slider->setPageStep(std::max(1, (m_slider->maximum() - m_slider->minimum()) / 15));
    m_slider->setValue(placeOf(m_box->value()));
}
