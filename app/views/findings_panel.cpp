// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/findings_panel.h"

#include "foundation/error.h"
#include "linter/lint.h"
#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "parts/icons.h"
#include "session/document/study_document.h"
#include "session/linting.h"
#include "session/session.h"
#include "study/fields.h"
#include "work/text.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QStatusBar>
#include <QStyle>
#include <QStyleOptionFocusRect>
#include <QStylePainter>
#include <QVBoxLayout>

#include <algorithm>

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
    return icon(severity == Severity::error ? QStringLiteral("error") : QStringLiteral("warning"));
}

FindingCard::FindingCard(const Finding& finding, QWidget* parent) : QFrame(parent), m_finding(finding)
{
    setObjectName("finding/" + toQString(finding.rule));
    setFrameStyle(QFrame::StyledPanel | QFrame::Plain);
    setFocusPolicy(Qt::StrongFocus);   // so that a card without a button can be reached and scrolled to by keyboard
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
    if (m_finding.severity == Severity::error) {
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
    side->setMinimumWidth(word->fontMetrics().horizontalAdvance(wordOf(Severity::warning)) + 4);   // all in one line
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
    m_fixed = wordsIn(side, tr("The Study has been changed. Press Train to check the effect, or Ctrl+Z to undo."));
    m_fixed->setObjectName("findingFixed/" + toQString(m_finding.rule));
    m_fixed->hide();
    column->addWidget(m_fixed);
    return side;
}

void FindingCard::setFixed(bool fixed)
{
    m_fixed->setVisible(fixed);
    if (!m_button || m_button->isEnabled() != fixed)
        return;
    if (fixed && m_button->hasFocus())
        setFocus();   // keeps the keyboard focus on this card
    m_button->setEnabled(!fixed);
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

FindingsPanel::FindingsPanel(Linting& linting, StudyDocument& document, QWidget* parent)
    : QWidget(parent), m_linting(linting), m_document(document), m_summary(new QLabel(this)),
      m_scroll(new QScrollArea(this)), m_column(nullptr)
{
    setObjectName(QStringLiteral("findingsPanel"));
    m_summary->setObjectName(QStringLiteral("findingsSummary"));
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* mark = new HelpMark(tr("Linter findings"), &FindingsPanel::help, this);
    mark->setObjectName(QStringLiteral("findingsHelp"));
    auto* inside = new QWidget(m_scroll);
    m_column     = new QVBoxLayout(inside);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(6);
    m_column->addStretch(1);
    m_scroll->setObjectName(QStringLiteral("findingsList"));
    m_scroll->setAccessibleName(tr("Linter findings, most severe first"));
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidget(inside);
    auto* top = new QHBoxLayout;
    top->addWidget(m_summary, 1);
    top->addWidget(mark, 0, Qt::AlignTop);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(8, 4, 8, 4);
    all->setSpacing(4);
    all->addLayout(top);
    all->addWidget(m_scroll, 1);
    connect(&linting, &Linting::changed, this, &FindingsPanel::refresh);
    refresh();
}

QString FindingsPanel::summary() const { return m_summary->text(); }

void FindingsPanel::takeFocus(const std::string& rule)
{
    const auto card = std::ranges::find_if(m_cards, [&rule](const auto* one) { return one->finding().rule == rule; });
    if (card != m_cards.end()) {
        (*card)->setFocus();
        m_scroll->ensureWidgetVisible(*card);
    } else if (!m_cards.empty()) {
        m_cards.front()->setFocus();
    } else {
        m_scroll->setFocus();
    }
}

QString FindingsPanel::words() const
{
    switch (m_linting.state()) {
    case Linting::State::no_run: return tr("No findings yet. Runs are checked when they finish.");
    case Linting::State::training: return tr("The run is in progress. It will be checked when it finishes.");
    case Linting::State::looking: return tr("Checking the run …");
    case Linting::State::failed: return tr("The run could not be checked. %1").arg(m_linting.mistake());
    case Linting::State::looked: break;
    }
    QString words = tr("%1: %2.").arg(m_linting.counts(), m_linting.runName());
    if (m_linting.awaitsTraining())
        words += tr(" The settings have changed since. Press Train to check the effect.");
    for (const auto& line : m_linting.notJudged())
        words += tr("\nCould not be checked: %1").arg(line);
    return words;
}

void FindingsPanel::refresh()
{
    m_summary->setText(words());
    const auto& findings = m_linting.findings();
    const bool same      = std::equal(findings.begin(), findings.end(), m_cards.begin(), m_cards.end(),
                                      [](const Finding& finding, const FindingCard* card) {
        return finding == card->finding();
    });
    if (!same)
        rebuild();
    for (auto* card : m_cards)
        card->setFixed(m_linting.isFixed(card->finding().remedy));
}

void FindingsPanel::rebuild()
{
    const auto* focused = QApplication::focusWidget();
    const bool hadFocus = focused && m_scroll->isAncestorOf(focused);
    for (auto* card : m_cards) {
        card->hide();
        card->setObjectName({});
        for (auto* inside : card->findChildren<QWidget*>())
            inside->setObjectName({});   // no longer the card of this rule
        card->deleteLater();
    }
    m_cards.clear();
    for (const auto& finding : m_linting.findings()) {
        auto* card = new FindingCard(finding, m_scroll->widget());
        connect(card, &FindingCard::remedyWanted, this, &FindingsPanel::remedy);
        m_column->insertWidget(static_cast<int>(m_cards.size()), card);
        m_cards.push_back(card);
    }
    if (hadFocus)
        takeFocus();
}

void FindingsPanel::remedy(const Finding& finding)
{
    if (!finding.remedy.settings.empty())
        applyRemedy(finding.remedy);
    if (!finding.remedy.view.empty())
        Q_EMIT viewWanted(toQString(finding.remedy.view));
}

void FindingsPanel::applyRemedy(const Remedy& remedy)
{
    m_document.commit();   // commits typed text
    try {
        const Study before = m_document.session().study();
        const Study after  = with_remedy(m_linting.studyToFix(), remedy);
        m_document.edit(after, toQString(remedy.label));
        QStringList changes;
        for (const auto& line : differences(before, after))
            changes += toQString(line);
        if (!changes.isEmpty())
            Q_EMIT notified((sameTraining(after, before)
                                 ? tr("%1. Ctrl+Z undoes it.")
                                 : tr("%1. Press Train to check the effect, or Ctrl+Z to undo."))
                                .arg(changes.join(QStringLiteral("; "))));
    } catch (const Error& error) {
        Q_EMIT refused(tr("Not changed. %1").arg(toQString(with_labels(error.what()))));
    }
}

/// Help on the linter and its rules.
QString FindingsPanel::help()
{
    QStringList rules;
    for (const auto& rule : lint_rules())
        rules += htmlFrom(rule.title);
    QString words = tr(
        "<b>The linter</b> checks each finished run, saved runs when you display them, and imported predictions. "
        "Each finding is an error or a warning.");
    words += tr(
        "<p><b>Error</b>: some numbers of this run do not measure what their names suggest. <b>Warning</b>: "
        "check it before you rely on the run. Each finding shows the measured number, why it matters, the "
        "source of the idea and the origin of the threshold. Its button changes the settings (Ctrl+Z undoes it) or "
        "opens the relevant view.</p>");
    words += tr("<p><b>No findings</b> means that every rule was checked without a finding, not that the run is right. "
                "Rules that could not be checked are listed under <b>Could not be checked</b>.</p>");
    if (!rules.isEmpty())
        words += tr("<p>Rules: %1.</p>").arg(rules.join(QStringLiteral("; ")));
    return words + tr("<p>Help › The linter describes each rule and its false-alarm rate.</p>");
}

FindingsStatus::FindingsStatus(const Linting& linting, QStatusBar* line)
    : QObject(line), m_linting(linting),
      m_button(
          workButton(QStringLiteral("findingsStatus"), tr("Open the linter's findings for the displayed run"), line))
{
    connect(m_button, &QPushButton::clicked, this, &FindingsStatus::clicked);
    connect(&linting, &Linting::changed, this, &FindingsStatus::refresh);
    refresh();
}

void FindingsStatus::refresh()
{
    QString words;
    QIcon shape;
    switch (m_linting.state()) {
    case Linting::State::no_run:
    case Linting::State::training: break;
    case Linting::State::looking: words = tr("Checking the run …"); break;
    case Linting::State::failed:
        words = tr("Not checked");
        shape = iconOf(Severity::warning);
        break;
    case Linting::State::looked:
        words = m_linting.counts();
        if (!m_linting.findings().empty())
            shape = iconOf(m_linting.findings().front().severity);   // the worst
        else
            shape = m_linting.notJudged().isEmpty() ? icon(QStringLiteral("fine")) : iconOf(Severity::warning);
        break;
    }
    m_button->setVisible(!words.isEmpty());
    m_button->setText(words);
    m_button->setIcon(shape);
    m_button->setAccessibleName(tr("Linter: %1").arg(words));
}
