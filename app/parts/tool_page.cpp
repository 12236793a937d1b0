// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/tool_page.h"

#include "parts/appearance.h"
#include "parts/buttons.h"
#include "parts/export_dialog.h"
#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "parts/keyboard.h"
#include "parts/remembered_sizes.h"
#include "parts/setting_lines.h"
#include "parts/toasts.h"
#include "work/text.h"

#include "widgets/chart_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

using namespace credence;

namespace {

constexpr double soonest = 1;   ///< seconds of work before the time left is shown

bool isFigure(const Chart& chart)
{
    return chart.message.empty() && (!chart.panels.empty() || (chart.table && !chart.table->columns.empty()));
}

}   // namespace

ToolPage::ToolPage(ToolAbout about, QWidget* parent)
    : QWidget(parent), m_about(std::move(about)), m_message(new Toasts(this)), m_progress(new QProgressBar(this)),
      m_left(new QLabel(this)), m_help(new HelpMark(m_about.title, m_about.help, this)),
      m_exporter(new Exporter(m_exports, this))
{
    WheelGuard::install();
    setObjectName(m_about.id);
    setWindowTitle(m_about.title);
    m_progress->setObjectName(QStringLiteral("toolProgress"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(110);
    m_progress->setAccessibleName(tr("Progress of %1").arg(m_about.title));
    m_progress->hide();
    m_left->setObjectName(QStringLiteral("toolTimeLeft"));
    m_left->hide();
    if (!m_about.run.isEmpty()) {
        m_run = new PrimaryButton(m_about.run, this);
        m_run->setObjectName(QStringLiteral("toolRun"));
        m_run->setToolTip(QStringList{m_about.runTip, tr("(Enter or F5)")}.join(QLatin1Char(' ')).trimmed());
        m_run->setDefault(true);
        connect(m_run, &QPushButton::clicked, this, &ToolPage::run);
        addRunKeys();
    }
    if (m_about.pauses) {
        m_pause = addButton(tr("&Pause"), QStringLiteral("toolPause"), tr("Pause or resume the computation (F5)"));
        m_pause->setCheckable(true);
        m_pause->setEnabled(false);
        connect(m_pause, &QPushButton::clicked, this, &ToolPage::setPaused);
    }
    if (m_about.pauses && m_about.stepwise) {
        m_step = addButton(tr("&Step"), QStringLiteral("toolStep"), tr("Run one step, then pause (F10)"));
        connect(m_step, &QPushButton::clicked, this, &ToolPage::step);
    }
    if (m_about.cancels) {
        m_cancel = addButton(tr("Cance&l"), QStringLiteral("toolCancel"),
                             tr("Stop the computation and keep the displayed result (Ctrl+.)"));
        m_cancel->setEnabled(false);
        connect(m_cancel, &QPushButton::clicked, this, [this] { cancel(); });
    }
    connect(m_exporter, &Exporter::ended, this, [this](const ExportReport& report, const QString& sentence) {
        refreshExport();
        report.mistake.isEmpty() && report.notMade.isEmpty() ? m_message->notify(sentence) : m_message->warn(sentence);
    });
    connect(&m_exports, &ExportJob::progressed, this, &ToolPage::refreshExport);
    connect(&m_worker, &Worker::progressed, this, &ToolPage::showProgress);
    connect(&m_worker, &Worker::busyChanged, this, &ToolPage::showBusy);
    connect(&m_worker, &Worker::failed, this,
            [this](const QString& field, const QString& sentence) { showMistake(field, sentence); });
    connect(new QShortcut(QKeySequence(QKeySequence::HelpContents), this), &QShortcut::activated, m_help,
            &QToolButton::click);
    connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_W), this), &QShortcut::activated, this, &QWidget::close);
}

ToolPage::~ToolPage() = default;

QString ToolPage::message() const { return m_message->text(); }

QPushButton* ToolPage::addButton(const QString& text, const QString& name, const QString& tip)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setToolTip(tip);
    button->setAutoDefault(false);
    return button;
}

/// Applies the shortcuts of the main window's Run menu to this page, so that they never start
/// training in the main window.
void ToolPage::addRunKeys()
{
    const auto key = [this](const QKeySequence& keys, auto act) {
        connect(new QShortcut(keys, this), &QShortcut::activated, this, act);
    };
    key(Qt::Key_F5, [this] { (m_pause && m_pause->isEnabled() ? m_pause : m_run)->click(); });
    key(Qt::Key_F10, [this] {
        if (m_step)
            m_step->click();
    });
    key(Qt::CTRL | Qt::Key_Period, [this] {
        if (m_cancel)
            m_cancel->click();
    });
    key(Qt::CTRL | Qt::Key_R, [this] { restart(); });
}

void ToolPage::setContent(QWidget* settings, QWidget* content)
{
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(8, 8, 8, 8);
    std::vector<QWidget*> left{settings, m_run, m_pause, m_step, m_cancel, m_progress, m_left},
        right{m_exporter->progress(), m_export, m_help->parentWidget() == this ? m_help : nullptr};
    std::erase(left, nullptr);
    std::erase(right, nullptr);
    if (settings || m_run || m_cancel || right.size() > 1) {
        auto* head = new QHBoxLayout;
        auto* flow = new FlowLayout;   // large text in a small window needs several lines
        for (QWidget* part : left)
            if (part->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored)
                head->addWidget(part, 1);
            else
                flow->addWidget(part);
        head->addLayout(flow, flow->count() > 0 ? 1 : 0);
        for (QWidget* part : right)
            head->addWidget(part);
        all->addLayout(head);
    }
    auto* body = content;
    if (m_about.leastHeight > 0) {
        content->setMinimumHeight(withText(m_about.leastHeight));
        auto* scroll = new LineScroll(this, 1);
        scroll->setFocusPolicy(Qt::NoFocus);
        scroll->setWidget(content);
        body = scroll;
    }
    all->addWidget(body, 1);
    rememberSplitters(*this, m_about.id);
}

void ToolPage::addChart(ChartView* view)
{
    const QString name = view->objectName().isEmpty() ? QString::number(m_charts.size()) : view->objectName();
    rememberColumns(view->tableWidths(), m_about.id + "/" + name);
    rememberColumns(view->dataWidths(), m_about.id + "/" + name + "/data");
    m_charts.push_back(view);
    connect(view, &ChartView::exportRequested, this, [this, view] { exportFrom(view); });
    connect(view, &ChartView::chartChanged, this, &ToolPage::refreshExport);
    if (m_export)
        return refreshExport();
    m_export = addButton(tr("E&xport…"), QStringLiteral("toolExport"),
                         tr("Write the figures of this page as PDF, SVG, PNG, CSV or LaTeX (Ctrl+E)"));
    connect(m_export, &QPushButton::clicked, this, &ToolPage::exportCharts);
    connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_E), this), &QShortcut::activated, m_export,
            &QPushButton::click);   // as in the main window
    refreshExport();
}

QWidget* ToolPage::takeHelp()
{
    m_help->setParent(nullptr);
    return m_help;
}

void ToolPage::begin(bool paused)
{
    try {
        if (auto work = this->work())
            submit(std::move(work), paused);
    } catch (const std::exception& error) {
        m_message->warn(toQString(error.what()));
    }
}

void ToolPage::submit(Worker::Work work, bool paused)
{
    m_message->clear();
    m_progress->setValue(0);
    m_left->setText(paused ? tr("paused") : QString());
    m_secondsBefore = 0;
    m_since.start();
    m_worker.resume();
    if (paused)   // before the first gate
        m_worker.pause();
    m_worker.submit(std::move(work));
}

void ToolPage::step()
{
    if (m_worker.busy())
        setPaused(true);
    else
        begin(true);
    m_worker.step();
}

void ToolPage::setPaused(bool paused)
{
    if (paused == m_worker.paused() || (paused && !m_worker.busy()))
        return;
    if (paused) {
        m_secondsBefore += static_cast<double>(m_since.elapsed()) / 1000;
        m_worker.pause();
        m_left->setText(tr("paused"));
    } else {
        m_since.start();
        m_worker.resume();
        m_left->clear();
    }
    if (m_pause)
        m_pause->setChecked(paused);
    Q_EMIT backgroundChanged();
}

QString ToolPage::workWords() const
{
    return m_worker.paused() ? tr("paused") : tr("%1 %").arg(100 * m_progress->value() / m_progress->maximum());
}

QString ToolPage::workSentence() const
{
    return working() ? tr("%1: work is in progress (%2).").arg(windowTitle(), workWords()) : QString();
}

QString ToolPage::exportSentence() const
{
    return m_exports.busy() ? tr("%1: an export is in progress. %2.").arg(windowTitle(), m_exports.words()) : QString();
}

void ToolPage::cancel() { m_worker.cancel(); }

void ToolPage::showMistake(const QString&, const QString& sentence) { m_message->warn(sentence); }

void ToolPage::showProgress(double share, std::optional<double> secondsLeft)
{
    m_progress->setValue(static_cast<int>(1000 * share));
    Q_EMIT progressed(share);
    Q_EMIT backgroundChanged();
    if (m_worker.paused())
        return;
    const double worked = m_secondsBefore + static_cast<double>(m_since.elapsed()) / 1000;
    if (!secondsLeft && worked >= soonest && share > 0)
        secondsLeft = worked * (1 - share) / share;
    m_left->setText(secondsLeft ? tr("%1 left").arg(durationText(*secondsLeft)) : QString());
}

void ToolPage::showBusy(bool busy)
{
    if (!busy && m_worker.paused())
        setPaused(false);   // there is nothing left to pause
    m_progress->setVisible(busy);
    m_left->setVisible(busy);
    for (auto* button : {m_pause, m_cancel})
        if (button)
            button->setEnabled(busy);
    if (m_pause)
        m_pause->setChecked(m_worker.paused());
    Q_EMIT busyChanged(busy);
    Q_EMIT backgroundChanged();
}

void ToolPage::refreshExport()
{
    if (!m_export)
        return;
    m_export->setEnabled(!m_exporter->busy()
                         && std::any_of(m_charts.begin(), m_charts.end(),
                                        [](const ChartView* view) { return isFigure(view->chart()); }));
}

void ToolPage::exportCharts()
{
    const auto inFront = std::find_if(m_charts.begin(), m_charts.end(),
                                      [this](const ChartView* view) { return view->isVisibleTo(this); });
    exportFrom(inFront == m_charts.end() ? nullptr : *inFront);
}

void ToolPage::exportFrom(const ChartView* chosen)
{
    std::vector<ChartOfStudy> charts;
    for (const auto* view : m_charts)
        if (isFigure(view->chart()))
            charts.push_back({view->sharedChart(), view->studyJson()});
    if (!charts.empty() && !m_exporter->busy())
        m_exporter->askForCharts(std::move(charts), chosen ? chosen->chart().id : std::string());
}

void ToolPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    Q_EMIT backgroundChanged();
    if (std::exchange(m_shown, true))
        return;
    orderTabs({this});
    labelBoxes(*this);
    if (m_about.atOnce)
        run();
}

void ToolPage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    Q_EMIT backgroundChanged();
}

/// Enter presses the focused button, otherwise Run.
void ToolPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter)
        return QWidget::keyPressEvent(event);
    auto* focused = qobject_cast<QPushButton*>(focusWidget());
    if (auto* button = focused ? focused : m_run)
        button->click();
}
