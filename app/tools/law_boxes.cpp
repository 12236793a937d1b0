// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/law_boxes.h"

#include "parts/help_mark.h"
#include "parts/mistake_label.h"
#include "parts/text_size.h"
#include "work/text.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>

using namespace credence;

namespace {

QDoubleSpinBox* numberBox(const QString& name, const QString& tip, double low, double high, QWidget* parent)
{
    auto* box = new QDoubleSpinBox(parent);
    box->setObjectName(name);
    box->setRange(low, high);
    box->setDecimals(3);
    box->setSingleStep(0.1);
    box->setKeyboardTracking(false);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setAlignment(Qt::AlignRight);
    box->setAccessibleName(tip);
    box->setToolTip(tip);
    box->setMinimumWidth(box->fontMetrics().horizontalAdvance(QStringLiteral("-0.000")) + 12);
    limitWithText(box, 90);
    box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    return box;
}

}   // namespace

LawBoxes::LawBoxes(QWidget* parent) : QWidget(parent), m_mistake(new MistakeLabel(QStringLiteral("lawMistake"), this))
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(6, 0, 4, 2);
    grid->setHorizontalSpacing(3);
    grid->setVerticalSpacing(2);
    auto* mean = new QLabel(tr("μ"), this);
    mean->setAlignment(Qt::AlignCenter);
    grid->addWidget(mean, 0, 1);
    auto* covariance = new QLabel(tr("Σ"), this);
    covariance->setAlignment(Qt::AlignCenter);
    grid->addWidget(covariance, 0, 2, 1, 3);
    grid->addWidget(new HelpMark(
                        tr("μ and Σ"),
                        [] {
        return tr(
            "<b>μ and Σ</b><p>Mean and covariance of the Gaussian over the three logits, z ~ N(μ, Σ); the "
            "probabilities are π = softmax(z). The diagonal of Σ contains variances; Σ is symmetric, so its lower "
            "half is enough.</p><p>Softmax depends only on differences of logits: adding the same number to all "
            "components of μ does not change the exact distribution. The plain and the conditioned bridge depend "
            "on Σ in that direction, the projected one does not.</p><p>Arrow keys change a number by 0.1.</p>");
                        },
                        this),
                    0, 5);
    for (int k = 0; k < 3; ++k) {
        m_names[k] = new QLabel(this);
        m_names[k]->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        m_names[k]->setMinimumWidth(40);
        grid->addWidget(m_names[k], k + 1, 0);
        m_mu[k] = numberBox(QStringLiteral("mu%1").arg(k), tr("Mean of logit %1").arg(k), -1000, 1000, this);
        grid->addWidget(m_mu[k], k + 1, 1);
        connect(m_mu[k], &QDoubleSpinBox::valueChanged, this, [this, k](double value) {
            m_meanValues[static_cast<std::size_t>(k)] = value;
            read(QStringLiteral("mu%1").arg(k));
        });
        for (int l = 0; l <= k; ++l) {
            m_sigma[k][l] = numberBox(QStringLiteral("sigma%1%2").arg(k).arg(l),
                                      k == l ? tr("Variance of logit %1").arg(k)
                                             : tr("Covariance of logits %1 and %2").arg(k).arg(l),
                                      k == l ? 0 : -1e6, 1e6, this);
            if (k == l)
                m_sigma[k][l]->setDecimals(4);
            grid->addWidget(m_sigma[k][l], k + 1, 2 + l);
            connect(m_sigma[k][l], &QDoubleSpinBox::valueChanged, this, [this, k, l](double value) {
                m_covariance[static_cast<std::size_t>(3 * k + l)] = m_covariance[static_cast<std::size_t>(3 * l + k)] =
                    value;
                read(QStringLiteral("sigma%1%2").arg(k).arg(l));
            });
        }
    }
    grid->setColumnStretch(0, 2);
    for (int column = 1; column <= 4; ++column)
        grid->setColumnStretch(column, 3);
    grid->addWidget(m_mistake, 4, 0, 1, 6);
    grid->setRowStretch(5, 1);
    setNames({tr("class 0"), tr("class 1"), tr("class 2")});
}

void LawBoxes::setNames(const QStringList& names)
{
    for (int k = 0; k < 3 && k < names.size(); ++k) {
        m_names[k]->setText(names[k]);
        m_names[k]->setToolTip(names[k]);
    }
}

void LawBoxes::setLaw(const LogitGaussian& law)
{
    m_meanValues = law.mu();
    m_covariance = law.covariance();
    for (int k = 0; k < 3; ++k) {
        const QSignalBlocker quiet(m_mu[k]);
        m_mu[k]->setValue(law.mu()[static_cast<std::size_t>(k)]);
        for (int l = 0; l <= k; ++l) {
            const QSignalBlocker quietToo(m_sigma[k][l]);
            m_sigma[k][l]->setValue(law.covariance(k, l));
        }
    }
    setMistake({});
}

void LawBoxes::setMistake(const QString& sentence) { m_mistake->setMistake(sentence); }

void LawBoxes::read(const QString& what)
{
    try {
        const auto law = LogitGaussian::from_covariance(m_meanValues, m_covariance);
        setMistake({});
        Q_EMIT edited(law, what);
    } catch (const std::exception& error) {
        setMistake(toQString(error.what()));   // the chart does not change
    }
}
