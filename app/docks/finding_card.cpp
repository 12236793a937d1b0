// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/finding_card.h"

#include "parts/icons.h"
#include "parts/mistake_label.h"
#include "parts/text_size.h"
#include "session/linting.h"
#include "work/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStyle>
#include <QStyleOptionFocusRect>
#include <QStylePainter>
#include <QVBoxLayout>

using namespace credence;

namespace {

constexpr int severityIcon = 20;   ///< pixels at the usual text size

/// Repainted in each theme.
class SeverityMark : public QWidget {
public:
    SeverityMark(Severity severity, QWidget* parent) : QWidget(parent), m_icon(iconOf(severity))
    {
        fixWithText(this, severityIcon, severityIcon);
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        m_icon.paint(&painter, rect());
    }
    const QIcon m_icon;
};

QLabel* wordsIn(QWidget* parent, const QString& text)
{
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}   // namespace

QIcon iconOf(Severity severity)
{
    return icon(severity == Severity::wrong ? QStringLiteral("wrong") : QStringLiteral("doubtful"));
}

FindingCard::FindingCard(const Finding& finding, QWidget* parent) : QFrame(parent), m_finding(finding)
{
    setObjectName("finding/" + toQString(finding.rule));
    setFrameStyle(QFrame::StyledPanel | QFrame::Plain);
    setFocusPolicy(Qt::StrongFocus);   // also a card without a button can be scrolled to by keys
    setAccessibleName(tr("%1: %2").arg(wordOf(finding.severity), toQString(finding.title)));
    setAccessibleDescription(detailsOf(finding));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 6, 8, 6);
    row->setSpacing(10);
    row->addWidget(buildSeverity(), 0, Qt::AlignTop);
    row->addWidget(buildWords(), 1);
}

QWidget* FindingCard::buildSeverity()
{
    auto* side   = new QWidget(this);
    QLabel* word = nullptr;
    if (m_finding.severity == Severity::wrong) {
        auto* red = new MistakeLabel("findingSeverity/" + toQString(m_finding.rule), side);
        red->setWordWrap(false);
        red->setMistake(wordOf(m_finding.severity));
        word = red;
    } else {
        word = new QLabel(wordOf(m_finding.severity), side);
        word->setObjectName("findingSeverity/" + toQString(m_finding.rule));
    }
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(new SeverityMark(m_finding.severity, side), 0, Qt::AlignHCenter);
    column->addWidget(word, 0, Qt::AlignHCenter);
    side->setMinimumWidth(word->fontMetrics().horizontalAdvance(wordOf(Severity::doubtful)) + 4);   // all in one line
    return side;
}

QWidget* FindingCard::buildWords()
{
    auto* side  = new QWidget(this);
    auto* title = wordsIn(side, toQString(m_finding.title));
    QFont bold  = title->font();
    bold.setBold(true);
    title->setFont(bold);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    column->addWidget(title);
    for (const QString& words :
         {toQString(m_finding.evidence), toQString(m_finding.reason), toQString(origin_of(m_finding))})
        if (!words.isEmpty())
            column->addWidget(wordsIn(side, words));
    if (!m_finding.remedy.empty()) {
        m_button = new QPushButton(toQString(m_finding.remedy.label).replace('&', QStringLiteral("&&")), side);
        m_button->setObjectName("findingRemedy/" + toQString(m_finding.rule));
        m_button->setToolTip(m_finding.remedy.settings.empty()
                                 ? tr("Show the view in which this finding is visible")
                                 : tr("Change the Study; Ctrl+Z undoes it. Press Train to train with the new "
                                      "settings"));
        connect(m_button, &QPushButton::clicked, this, [this] { Q_EMIT remedyWanted(m_finding); });
        column->addWidget(m_button, 0, Qt::AlignLeft);
    }
    m_mended = wordsIn(side, tr("The Study has been changed. Press Train to check the effect, or Ctrl+Z to undo."));
    m_mended->setObjectName("findingMended/" + toQString(m_finding.rule));
    m_mended->hide();
    column->addWidget(m_mended);
    return side;
}

void FindingCard::setMended(bool mended)
{
    m_mended->setVisible(mended);
    if (!m_button || m_button->isEnabled() != mended)
        return;
    if (mended && m_button->hasFocus())
        setFocus();   // the keys stay at this card
    m_button->setEnabled(!mended);
}

void FindingCard::paintEvent(QPaintEvent* event)
{
    QFrame::paintEvent(event);
    if (!hasFocus())
        return;
    QStylePainter painter(this);
    QStyleOptionFocusRect option;
    option.initFrom(this);
    option.rect            = rect().adjusted(2, 2, -2, -2);
    option.backgroundColor = palette().color(QPalette::Window);
    painter.drawPrimitive(QStyle::PE_FrameFocusRect, option);
}
