// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_line.h"

#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "study/method.h"
#include "study/preset_chooser.h"
#include "study/source.h"
#include "study/study_sentence.h"
#include "views/network_picture.h"
#include "widgets/chart_palette.h"
#include "widgets/symbols.h"
#include "work/text.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

using namespace credence;

namespace {

constexpr int cardMargin = 8, cardRadius = 8, linePicture = 28;

Symbol symbolOf(const Study& study, const QString& group)
{
    const auto& posterior = method_of(study).posterior;
    return group == QLatin1String("data")            ? is_images(study.data.source) ? Symbol::images : Symbol::table
           : group == QLatin1String("network")       ? Symbol::network
           : group == QLatin1String("training")      ? Symbol::loss
           : group == QLatin1String("prediction")    ? Symbol::intervals
           : posterior.is_sample_set                 ? Symbol::samples
           : posterior.noise == NoiseIn::weights     ? Symbol::density
           : posterior.noise == NoiseIn::activations ? Symbol::masks
                                                     : Symbol::one_value;
}

}   // namespace

StudyLine::StudyLine(const QString& group, const QString& title, QWidget* parent) : QToolButton(parent), m_group(group)
{
    setObjectName("section/" + group);
    setText(title);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void StudyLine::describe(const Study& study, const Architecture* network)
{
    m_sentence = toQString(
        study_sentence(study, m_group.toStdString(), network ? layout_of(*network).size() : std::size_t{0}));
    m_symbol = symbolOf(study, m_group);
    m_units.clear();
    if (network && m_group == QLatin1String("network"))
        for (const auto& column : network_columns(*network))
            m_units.push_back(column.block ? 0 : column.units);
    m_points.reset();
    if (m_group == QLatin1String("data") && !source_of(study.data).gives_images() && !source_of(study.data).place) {
        m_points        = study.data;
        m_points->toy.n = std::min(m_points->toy.n, 60);   // more would be a blot
    }
    setAccessibleName(tr("%1: %2").arg(text(), m_sentence));
    warn(m_warning);
    updateGeometry();
}

void StudyLine::warn(const QString& words)
{
    m_warning = words;
    setAccessibleDescription(words);
    setToolTip(words.isEmpty() ? tr("Show or hide the settings of this part") : words);
    update();
}

QRect StudyLine::pictureBox() const
{
    const int side = withText(linePicture);
    return {cardMargin, cardMargin, side, side};
}

QRect StudyLine::words() const
{
    return rect().adjusted(pictureBox().right() + 1 + cardMargin, cardMargin, -cardMargin, -cardMargin);
}

int StudyLine::heightForWidth(int width) const
{
    const int left     = pictureBox().right() + 1 + cardMargin;
    const QRect wanted = fontMetrics().boundingRect(QRect(0, 0, std::max(1, width - left - cardMargin), 10000),
                                                    Qt::TextWordWrap, m_sentence);
    return 2 * cardMargin + std::max(pictureBox().height(), fontMetrics().lineSpacing() + wanted.height());
}

QSize StudyLine::sizeHint() const
{
    const int width = pictureBox().right() + fontMetrics().averageCharWidth() * 20;
    return {width, heightForWidth(std::max(width, this->width()))};
}

void StudyLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor ground = palette().color(QPalette::Window), ink = palette().color(QPalette::WindowText);
    const auto hairline = laidOver(ink, ground, 0.18);
    if (hasFocus() || (underMouse() && !isChecked())) {
        painter.setPen(hasFocus() ? QPen(palette().color(QPalette::Highlight), 2) : QPen(Qt::NoPen));
        painter.setBrush(underMouse() && !isChecked() ? QBrush(laidOver(ink, ground, 0.05)) : QBrush());
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), cardRadius, cardRadius);
    }
    auto colours       = ChartPalette::forScreen(palette());
    colours.background = laidOver(ink, ground, 0.02);
    painter.setPen(hairline);
    painter.setBrush(colours.background);
    painter.drawRoundedRect(QRectF(pictureBox()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    if (m_points)
        painter.drawImage(pictureBox(), presetPicture(*m_points, colours, pictureBox().width(), devicePixelRatioF()));
    else if (!m_units.empty())
        paintUnits(painter, QRectF(pictureBox()).adjusted(1, 1, -1, -1), m_units, colours);
    else
        paintSymbol(painter, QRectF(pictureBox()).adjusted(1, 1, -1, -1), m_symbol, colours);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(ink);
    painter.drawText(words(), Qt::AlignTop | Qt::AlignLeft, text());
    if (!m_warning.isEmpty()) {
        painter.setPen(MistakeLabel::red(palette()));
        painter.drawText(words(), Qt::AlignTop | Qt::AlignRight, QStringLiteral("!"));
    }
    painter.setFont(font());
    painter.setPen(legible(laidOver(ink, ground, 0.7), laidOver(ink, ground, 0.05)));
    painter.drawText(words().adjusted(0, fontMetrics().lineSpacing(), 0, 0),
                     Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap, m_sentence);
}

void StudyLine::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return click();
    QToolButton::keyPressEvent(event);
}
