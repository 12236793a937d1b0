// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/summary_card.h"

#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/icons.h"
#include "session/app_context.h"
#include "views/findings_panel.h"
#include "views/prediction_area.h"
#include "views/view_navigator.h"
#include "widgets/chart_palette.h"
#include "work/text.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QStyleOptionFocusRect>
#include <QStylePainter>
#include <QToolButton>

#include <algorithm>
#include <utility>

using namespace credence;

namespace {

/// The linter's result for a number, distinguishable by shape alone.
enum class Sign { none, passed, warning, error };

QIcon signIcon(Sign sign, const QPalette& palette)
{
    switch (sign) {
    case Sign::none: break;
    case Sign::passed:
        return icon(QStringLiteral("fine"),
                    legible(ChartPalette::forScreen(palette).right, palette.color(QPalette::Base)));
    case Sign::warning: return iconOf(Severity::warning);
    case Sign::error: return icon(QStringLiteral("error"), MistakeLabel::red(palette));
    }
    return {};
}

Sign signOf(const Finding& finding) { return finding.severity == Severity::error ? Sign::error : Sign::warning; }

}   // namespace

/// A number with its sign above a caption. A click opens the related finding or view.
class SummaryItem : public QAbstractButton {
public:
    SummaryItem(const QString& id, QWidget* parent) : QAbstractButton(parent)
    {
        setObjectName("summary/" + id);
        setFocusPolicy(Qt::TabFocus);
        setCursor(Qt::PointingHandCursor);
        setAttribute(Qt::WA_Hover);
        hide();
    }

    /// @param value  empty: only the sign
    void show(const QString& value, const QString& caption, Sign sign, const QString& tip)
    {
        m_value   = value;
        m_caption = caption;
        m_sign    = sign;
        setToolTip(QStringLiteral("<p>%1</p>").arg(tip.toHtmlEscaped()));
        setAccessibleName((value.isEmpty() ? caption : caption + QStringLiteral(": ") + value) + QStringLiteral(". ")
                          + tip);
        updateGeometry();
        update();
        setVisible(true);
    }

    std::string view, rule;   ///< what a click opens: a finding of this rule, otherwise the view

    QSize sizeHint() const override
    {
        const QFontMetrics large(valueFont()), small(captionFont());
        const int side  = m_sign == Sign::none ? 0 : signSide();
        const int width = std::max(large.horizontalAdvance(m_value) + (side > 0 ? side + gap : 0),
                                   small.horizontalAdvance(m_caption));
        return {width + 2 * margin, large.height() + small.height() + 2 * (margin / 2)};
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

private:
    static constexpr int margin = 6, gap = 4;

    QFont valueFont() const
    {
        QFont made = scaledFont(font(), 1.3);
        made.setBold(true);
        return made;
    }
    QFont captionFont() const { return scaledFont(font(), 0.85); }
    int signSide() const { return QFontMetrics(valueFont()).ascent(); }

    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::FontChange)
            updateGeometry();
        return QAbstractButton::event(event);
    }

    void paintEvent(QPaintEvent*) override
    {
        QStylePainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        if (underMouse() || isDown()) {
            QColor ground = palette().color(QPalette::Highlight);
            ground.setAlphaF(isDown() ? 0.3F : 0.15F);
            painter.setPen(Qt::NoPen);
            painter.setBrush(ground);
            painter.drawRoundedRect(QRectF(rect()), 6, 6);
        }
        const QFontMetrics large(valueFont()), small(captionFont());
        const int top = margin / 2;
        painter.setFont(valueFont());
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QRect(margin, top, width() - margin, large.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         m_value);
        if (m_sign != Sign::none) {
            const int side = signSide();
            const int left = margin + (m_value.isEmpty() ? 0 : large.horizontalAdvance(m_value) + gap);
            signIcon(m_sign, palette()).paint(&painter, left, top + (large.height() - side) / 2, side, side);
        }
        painter.setFont(captionFont());
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(QRect(margin, top + large.height(), width() - margin, small.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, m_caption);
        if (!hasFocus())
            return;
        QStyleOptionFocusRect option;
        option.initFrom(this);
        option.rect            = rect().adjusted(1, 1, -1, -1);
        option.backgroundColor = palette().color(QPalette::Base);
        painter.drawPrimitive(QStyle::PE_FrameFocusRect, option);
    }

    QString m_value, m_caption;
    Sign m_sign = Sign::none;
};

SummaryCard::SummaryCard(AppContext& context, FindingsPanel& findings, ViewNavigator& navigator, PredictionArea& area)
    : QFrame(&area), m_context(context), m_findings(findings), m_navigator(navigator), m_area(area),
      m_name(new QLabel(this)), m_close(new QToolButton(this))
{
    setObjectName(QStringLiteral("summaryCard"));
    setAccessibleName(tr("Summary of the displayed run"));
    auto* row = new FlowLayout(this);
    row->setContentsMargins(4, 4, 4, 4);
    m_name->setObjectName(QStringLiteral("summaryName"));
    m_name->setMargin(6);
    row->addWidget(m_name);
    for (const auto& [id, name] : {std::pair{"accuracy", tr("Accuracy")},
                                   {"rmse", tr("RMSE")},
                                   {"nll", tr("NLL")},
                                   {"crps", tr("Continuous ranked probability score")},
                                   {"ece", tr("Expected calibration error")},
                                   {"coverage", tr("Coverage")},
                                   {"width", tr("Mean width of the predictive interval")},
                                   {"least_squares", tr("RMSE of least squares")},
                                   {"r_hat", tr("Worst R̂")},
                                   {"ess", tr("Smallest effective sample size")},
                                   {"divergences", tr("Divergences")},
                                   {"checks", tr("Findings")}}) {
        auto* item = m_items.emplace_back(new SummaryItem(QString::fromLatin1(id), this));
        item->setAccessibleName(name);   // until it has a number
        connect(item, &QAbstractButton::clicked, this, [this, item] { open(*item); });
        row->addWidget(item);
    }
    m_close->setIcon(icon(QStringLiteral("cancel")));
    m_close->setAutoRaise(true);
    describeControl(m_close, QStringLiteral("closeSummary"), tr("Close the summary"),
                    tr("Close the summary; it returns with the next run"));
    row->addWidget(m_close);
    row->keepAtEnd(m_close);
    connect(m_close, &QToolButton::clicked, this, [this] {
        m_closed = m_context.session.currentRun().number();
        refresh();
    });
    hide();
    area.addCard(this);

    auto& session = context.session;
    for (const auto signal : {&Session::stateChanged, &Session::studyChanged, &Session::snapshotChanged})
        connect(&session, signal, this, &SummaryCard::refresh);
    connect(&context.linting, &Linting::changed, this, &SummaryCard::refresh);
    connect(&context.scores, &RunScores::summarised, this, &SummaryCard::refresh);
    connect(&context.choices, &ViewChoices::changedForAll, this, &SummaryCard::refresh);
    connect(&area, &PredictionArea::comparingChanged, this, &SummaryCard::refresh);
    refresh();
}

QSize SummaryCard::sizeHint() const
{
    int width = 0, height = 0, shown = 0;
    for (int i = 0; i < layout()->count(); ++i)
        if (const auto* item = layout()->itemAt(i); !item->isEmpty()) {
            width += item->sizeHint().width() + layout()->spacing();
            height = std::max(height, item->sizeHint().height());
            ++shown;
        }
    return QSize(shown > 0 ? width - layout()->spacing() : 0, height).grownBy(layout()->contentsMargins());
}

void SummaryCard::paintEvent(QPaintEvent*) { paintCard(*this); }

/// Returns true if the displayed step is the end of the run with all its weights, to which the
/// numbers belong.
bool SummaryCard::describesDisplayedStep() const
{
    const auto& run = m_context.session.run();
    return run.experiment && run.at < 0 && !m_context.choices.options().prune.on();
}

/// Null: not computed yet.
const std::vector<SummaryNumber>* SummaryCard::numbers()
{
    const auto& run = m_context.session.run();
    auto entry      = m_entry.lock();
    if (!entry || !entry->isEndOf(run.newest)) {
        entry.reset();
        for (int row = 0; row < m_context.runs.rowCount() && !entry; ++row)
            if (m_context.runs.at(row)->isEndOf(run.newest))
                entry = m_context.runs.at(row);
        m_entry = entry;
    }
    if (!entry)
        return nullptr;
    const auto& prediction = run.experiment->study.prediction;
    if (run.ofOutputs() || prediction == entry->run.study.prediction)
        return entry->summary ? &*entry->summary : nullptr;
    if (entry->changedSummary && entry->changedSummary->first == prediction)
        return &entry->changedSummary->second;
    if (m_requestedFor.lock() != entry || m_requestedSettings != prediction) {
        m_requestedFor      = entry;
        m_requestedSettings = prediction;
        m_context.scores.summariseChanged(entry, run.current());
    }
    return nullptr;
}

/// Only below several runs: elsewhere there is one that the numbers can belong to.
void SummaryCard::showName()
{
    constexpr int widest = 180;
    const auto entry     = m_entry.lock();
    const auto name      = toQString(entry ? entry->run.name : m_context.session.run().experiment->study.name);
    m_name->setText(m_name->fontMetrics().elidedText(name, Qt::ElideMiddle, withFont(widest)));
    m_name->setToolTip(name);
    m_name->setVisible(m_area.comparing());
}

void SummaryCard::refresh()
{
    using State      = Linting::State;
    const auto state = m_context.linting.state();
    const bool ended = (state == State::looking || state == State::looked || state == State::failed)
                       && !m_context.linting.awaitsTraining();
    const bool shown = ended && describesDisplayedStep() && m_closed != m_context.session.currentRun().number();
    if (shown) {
        const auto* known = numbers();
        for (auto* item : m_items) {
            const auto number = known ? std::ranges::find(*known, item->objectName().mid(8).toStdString(),
                                                          &SummaryNumber::id)
                                      : std::vector<SummaryNumber>::const_iterator{};
            if (known && number != known->end())
                showNumber(*item, *number);
            else
                item->hide();
        }
        showChecks();
        showName();
    }
    setVisible(shown);
}

void SummaryCard::showNumber(SummaryItem& item, const SummaryNumber& number) const
{
    const auto& linting = m_context.linting;
    item.view           = number.view;
    item.rule.clear();
    Sign sign   = Sign::none;
    QString tip = tr("Open the view of this number.") + QLatin1Char(' ') + toQString(number.help);
    if (linting.state() == Linting::State::looked && !number.rules.empty()) {
        const auto about = [&number](const std::string& rule) {
            return std::ranges::find(number.rules, rule) != number.rules.end();
        };
        const auto& found   = linting.findings();
        const auto worst    = std::ranges::find_if(found, about, &Finding::rule);   // most severe first
        const auto unjudged = std::ranges::find_if(linting.result().not_judged, about, &NotJudged::rule);
        if (worst != found.end()) {
            sign      = signOf(*worst);
            item.rule = worst->rule;
            tip       = tr("Open the finding.") + QLatin1Char(' ') + toQString(number.help) + QLatin1Char(' ')
                  + tr("%1: %2").arg(wordOf(worst->severity), toQString(worst->title));
        } else if (unjudged != linting.result().not_judged.end()) {
            sign = Sign::warning;
            tip += QLatin1Char(' ') + tr("Could not be checked: %1").arg(toQString(unjudged->sentence));
        } else {
            sign = Sign::passed;
            tip += QLatin1Char(' ') + tr("Checks passed.");
        }
    }
    item.show(toQString(number.value), toQString(number.caption), sign, tip);
}

/// Shows the overall result of the linter.
void SummaryCard::showChecks()
{
    const auto& linting = m_context.linting;
    auto& item          = *m_items.back();
    item.rule.clear();
    QString words = tr("Checks passed");
    Sign sign     = Sign::passed;
    switch (linting.state()) {
    case Linting::State::failed:
        words = tr("Not checked");
        sign  = Sign::warning;
        break;
    case Linting::State::looked:
        if (!linting.findings().empty()) {
            item.rule = linting.findings().front().rule;
            sign      = signOf(linting.findings().front());
            words     = linting.counts();
        } else if (!linting.result().not_judged.empty()) {
            sign  = Sign::warning;
            words = linting.counts();
        }
        break;
    default:
        words = tr("Checking …");
        sign  = Sign::none;
        break;
    }
    item.show({}, words, sign, tr("Open the linter's findings for the displayed run"));
}

void SummaryCard::open(const SummaryItem& item)
{
    if (item.rule.empty() && !item.view.empty())
        return m_navigator.show(toQString(item.view));
    m_navigator.reveal(m_findings);
    m_findings.takeFocus(item.rule);
}
