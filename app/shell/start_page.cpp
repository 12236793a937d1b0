// SPDX-License-Identifier: GPL-3.0-or-later
// The start page, and what the main window does with its choices.
#include "shell/main_window.h"

#include "document/study_files.h"
#include "imports/outputs_files.h"
#include "parts/appearance.h"
#include "parts/buttons.h"
#include "parts/form_controls.h"
#include "parts/workbench.h"
#include "parts/workspace_stack.h"
#include "runs/run_bar.h"
#include "session/settings.h"
#include "shell/tool_pages.h"
#include "study/preset_cards.h"
#include "study/presets.h"
#include "study/study_panel.h"
#include "views/view_navigator.h"
#include "widgets/chart_palette.h"
#include "work/text.h"

#include <QAbstractButton>
#include <QAction>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace credence;

namespace {

constexpr int startGap = 4, choicePad = 16, choiceWidth = 200, recentShown = 4;

/// A card with a title and a sentence, which can be pressed.
class ChoiceCard : public QAbstractButton {
public:
    ChoiceCard(const QString& name, const QString& title, const QString& sentence, bool primary, QWidget* parent)
        : QAbstractButton(parent), m_sentence(sentence), m_primary(primary)
    {
        setObjectName(name);
        setText(title);
        setAccessibleName(title);
        setAccessibleDescription(sentence);
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
        setCursor(Qt::PointingHandCursor);
        QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }

    QSize sizeHint() const override
    {
        const int width = withText(choiceWidth);
        return {width, heightForWidth(width)};
    }
    QSize minimumSizeHint() const override { return {withText(choiceWidth) / 2, 0}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override
    {
        const auto height = [room = std::max(1, width - 2 * choicePad)](const QFont& font, const QString& words) {
            return QFontMetrics(font).boundingRect(QRect(0, 0, room, 10000), Qt::TextWordWrap, words).height();
        };
        return height(titleFont(), text()) + height(font(), m_sentence) + 2 * choicePad + choicePad / 2;
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const QColor base = palette().color(QPalette::Base), ink = palette().color(QPalette::Text);
        const QColor accent = palette().color(QPalette::Highlight);
        const QColor ground = m_primary ? laidOver(accent, base,
                                                   isDown()       ? 0.3
                                                   : underMouse() ? 0.2
                                                                  : 0.12)
                                        : laidOver(ink, base,
                                                   isDown()       ? 0.12
                                                   : underMouse() ? 0.06
                                                                  : 0);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(ground);
        painter.setPen(hasFocus()  ? QPen(accent, 2.5)
                       : m_primary ? QPen(accent, 1)
                                   : QPen(laidOver(ink, base, 0.25), 1));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), 8, 8);
        const QRect room = rect().adjusted(choicePad, choicePad, -choicePad, -choicePad);
        QRect used;
        painter.setPen(ink);
        painter.setFont(titleFont());
        painter.drawText(room, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text(), &used);
        painter.setFont(font());
        painter.setPen(legible(laidOver(ink, ground, 0.75), ground));
        painter.drawText(room.adjusted(0, used.height() + choicePad / 2, 0, 0),
                         Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_sentence);
    }
    void keyPressEvent(QKeyEvent* event) override
    {
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
            return click();
        QAbstractButton::keyPressEvent(event);
    }

private:
    QFont titleFont() const
    {
        QFont bold = scaledFont(font(), 1.15);
        bold.setBold(true);
        return bold;
    }

    QString m_sentence;
    bool m_primary;
};

}   // namespace

StartPage::StartPage(const SavedRuns& runs, QWidget* parent)
    : QWidget(parent), m_runs(runs),
      m_example(new ChoiceCard(QStringLiteral("start/example"), tr("See it in 30 seconds"),
                               tr("Train a network on two moons and see where it is uncertain."), true, this)),
      m_data(new ChoiceCard(QStringLiteral("start/data"), tr("My table or pictures"),
                            tr("Open a table, images, or predictions of another program. You can also drop a file on "
                               "the window."),
                            false, this)),
      m_preset(new ChoiceCard(QStringLiteral("start/preset"), tr("A preset"),
                              tr("Studies that train with one click, with pictures, notes and filters."), false, this)),
      m_recent(new QWidget(this)),
      m_hint(new QLabel(tr("Or load one of these. Ctrl+N opens this page, Escape closes it."), this))
{
    setObjectName(QStringLiteral("start"));
    setWindowTitle(tr("Start"));
    m_recent->setLayout(new QVBoxLayout);
    m_recent->layout()->setContentsMargins(0, 0, 0, 0);
    m_recent->layout()->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setSpacing(choicePad);
    row->setContentsMargins(startGap, 0, startGap, 0);   // in line with the cards below
    m_hint->setContentsMargins(startGap, 0, 0, 0);
    for (auto* choice : std::initializer_list<QWidget*>{m_example, m_data, m_preset, m_recent})
        row->addWidget(choice, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(choicePad / 2, choicePad, choicePad / 2, choicePad);
    column->setSpacing(choicePad);
    column->addLayout(row);
    column->addWidget(m_hint);
    connect(m_example, &QAbstractButton::clicked, this, &StartPage::exampleWanted);
    connect(m_data, &QAbstractButton::clicked, this, &StartPage::askForData);
    connect(m_preset, &QAbstractButton::clicked, this, &StartPage::showPresets);
}

void StartPage::present(bool cards, const QString& preset)
{
    m_selected = preset;
    showRecent();
    addCards();
    m_hint->setVisible(!cards);
    if (cards)
        return showPresets();
    m_cards->presentPictures();
    m_example->setFocus(Qt::OtherFocusReason);
}

void StartPage::addCards()
{
    if (!m_cards) {
        m_cards = new PresetCards(m_runs, this);
        static_cast<QVBoxLayout*>(layout())->addWidget(m_cards, 1);
        m_cards->show();
        connect(m_cards, &PresetCards::chosen, this, [this](const QString& id) {
            const QString comparison = QStringLiteral("compare/");
            if (id.startsWith(comparison))
                Q_EMIT comparisonWanted(id.mid(comparison.size()));
            else
                Q_EMIT presetWanted(id);
        });
    }
}

void StartPage::showPresets()
{
    m_hint->hide();
    m_cards->present(m_selected);
}

void StartPage::askForData()
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("startData"));
    const auto add = [&](const QString& text, const char* name, void (StartPage::*wanted)()) {
        menu->addAction(text, this, wanted)->setObjectName(QLatin1String(name));
    };
    add(tr("Import &table…"), "start/table", &StartPage::tableWanted);
    add(tr("&Image data sets and folders of images…"), "start/images", &StartPage::imagesWanted);
    add(tr("Open &predictions of another program…"), "start/predictions", &StartPage::predictionsWanted);
    menu->popup(m_data->mapToGlobal(QPoint(0, m_data->height())));
}

void StartPage::showRecent()
{
    qDeleteAll(m_recent->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
    auto* column       = static_cast<QVBoxLayout*>(m_recent->layout());
    const auto files   = read(settings::recentStudies).mid(0, recentShown);
    const auto heading = new QLabel(tr("Recent documents"), m_recent);
    heading->setVisible(!files.isEmpty());
    while (auto* spare = column->takeAt(0))   // removes the stretch added last time
        delete spare;
    column->addWidget(heading);
    for (int k = 0; k < files.size(); ++k) {
        const QString file = files[k], name = QFileInfo(file).fileName();
        auto* button = new QToolButton(m_recent);
        describeControl(button, QStringLiteral("start/recent/%1").arg(k), tr("Open %1").arg(name), file);
        button->setText(fontMetrics().elidedText(name, Qt::ElideMiddle, withText(choiceWidth)));
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        connect(button, &QToolButton::clicked, this, [this, file] { Q_EMIT fileWanted(file); });
        column->addWidget(button);
    }
    column->addStretch(1);
    m_recent->setVisible(!files.isEmpty());
}

// What the window does

void MainWindow::showStart(bool cards)
{
    auto& pages = m_workbench->pages();
    if (!m_start) {
        m_start       = new StartPage(m_context.runs, &pages);
        const auto on = [this, &pages](auto signal, auto act) {
            connect(m_start, signal, this, [&pages, act](const auto&... about) {
                pages.showStage();
                act(about...);
            });
        };
        on(&StartPage::exampleWanted, [this] { trainExample(); });
        on(&StartPage::tableWanted, [this] { m_files->importTable(); });
        on(&StartPage::imagesWanted, [this] { m_tools->show(ToolPages::Tool::data_sets); });
        on(&StartPage::predictionsWanted, [this] { m_outputs->ask(); });
        on(&StartPage::presetWanted, [this](const QString& id) { m_studyPanel->choosePreset(id); });
        on(&StartPage::comparisonWanted, [this](const QString& id) { Q_EMIT m_studyPanel->comparisonRequested(id); });
        on(&StartPage::fileWanted, [this](const QString& file) { openFile(file); });
    }
    const auto* same = preset_with(session().study());
    pages.show(m_start);
    m_start->present(cards, same ? toQString(same->id) : QString());
}

void MainWindow::greet()
{
    if (read(settings::layout) == settings::layout.fallback)   // no window has been closed yet
        showStart(false);
}

/// Trains the default Study; while another one is in training, it waits in the queue.
void MainWindow::trainExample()
{
    const auto& current = session();
    if (current.displaysSaved() || current.study() != default_study())
        m_studyPanel->choosePreset(toQString(presets().front().id));
    m_navigator->show({});
    const bool running = current.state() == Session::State::running && !m_context.queue.canAdd();
    if (!running && !current.finished())
        m_runBar->trainAction()->trigger();
}
