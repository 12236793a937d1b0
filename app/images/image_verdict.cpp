// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_verdict.h"

#include "parts/help_mark.h"
#include "work/text.h"

#include "views/intervals.h"
#include "widgets/chart_palette.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>

using namespace credence;

ImageVerdict::ImageVerdict(QWidget* parent) : QWidget(parent), m_headline(new QLabel(parent))
{
    m_headline->setObjectName(QStringLiteral("imageHeadline"));
    m_headline->setWordWrap(true);
    m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont bold = m_headline->font();
    bold.setBold(true);
    m_headline->setFont(bold);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(0);
    grid->setColumnStretch(0, 1);
    const QString names[] = {tr("Criterion (i): no overlap"), tr("Criterion (ii): posterior probability")};
    const QString helps[] = {
        tr("<b>Criterion (i): no overlap</b><p>Certain if the credible interval of the predicted class, from the "
           "quantile (1 − α)/2 to (1 + α)/2 of the sampled probabilities, does not overlap any other class's "
           "interval. Source: Posch and Pilz 2021, section IV-A.</p>"),
        tr("<b>Criterion (ii): posterior probability</b><p>Certain if the mean p̄ of the predicted class's "
           "sampled probabilities is at least α. Source: Posch and Pilz 2021, section IV-A.</p>"),
    };
    for (int i = 0; i < 2; ++i) {
        m_criteria[i] = new QLabel(this);
        m_criteria[i]->setObjectName(i == 0 ? QStringLiteral("imageOverlap") : QStringLiteral("imageProbability"));
        m_criteria[i]->setWordWrap(true);
        m_criteria[i]->setTextFormat(Qt::RichText);
        m_criteria[i]->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_criteria[i]->setMinimumWidth(80);
        grid->addWidget(m_criteria[i], i, 0);
        grid->addWidget(new HelpMark(
                            names[i],
                            [this, i, help = helps[i]] {
            return help + QStringLiteral("<p><i>%1</i></p>").arg(m_sentences[i].toHtmlEscaped());
                            },
                            {m_criteria[i]}, this),
                        i, 1, Qt::AlignTop);
    }
}

void ImageVerdict::setVerdict(const Chart& verdict)
{
    m_verdict              = verdict;
    const QString headline = toQString(verdict.message.empty() ? verdict_cell(verdict, verdict_row::headline)
                                                               : verdict.message);
    m_headline->setText(headline);
    const auto colours = ChartPalette::forScreen(palette());
    const char* rows[] = {verdict_row::overlap, verdict_row::probability};
    for (int i = 0; i < 2; ++i) {
        const QString sentence = toQString(verdict_cell(verdict, rows[i]));
        const auto colon       = sentence.indexOf(QLatin1Char(':'));
        const bool certain     = verdict_is_certain(verdict, rows[i]);
        m_criteria[i]->setText(
            QStringLiteral("<span style='color:%1'>%2</span> <b>%3</b>%4")
                .arg(legible(certain ? colours.right : colours.muted, palette().color(QPalette::Window)).name(),
                     certain ? QStringLiteral("✓") : QStringLiteral("◌"), sentence.left(colon).toHtmlEscaped(),
                     sentence.mid(colon).toHtmlEscaped()));
        m_sentences[i] = sentence;
    }
}

void ImageVerdict::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_verdict.table)
        setVerdict(Chart(m_verdict));   // its marks depend on the theme
}
