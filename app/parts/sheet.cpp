// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/sheet.h"

#include "parts/appearance.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace {

constexpr int sheetWidth = 440, sheetMargin = 16, sheetTop = 48;   ///< pixels at the usual size of text

}   // namespace

Sheet::Sheet(const QString& name, const QString& title, const QString& text, QWidget* window)
    : QDialog(window, Qt::Dialog | Qt::FramelessWindowHint), m_title(new QLabel(title, this)), m_text(new QLabel(this)),
      m_details(new QLabel(this)), m_answers(new QHBoxLayout), m_back(new QPushButton(tr("&Back"), this)),
      m_byEnter(m_back)
{
    setObjectName(name);
    setWindowTitle(title);
    setAttribute(Qt::WA_DeleteOnClose);
    setBackgroundRole(QPalette::Base);
    m_title->setObjectName(QStringLiteral("sheetTitle"));
    QFont large = m_title->font();
    large.setBold(true);
    m_title->setFont(large);
    for (auto* label : {m_title, m_text, m_details}) {
        label->setTextFormat(Qt::PlainText);
        label->setForegroundRole(QPalette::Text);
        label->setWordWrap(true);
    }
    setText(text);
    m_details->hide();
    m_back->setObjectName(QStringLiteral("back"));
    m_back->setDefault(true);
    connect(m_back, &QPushButton::clicked, this, &QDialog::reject);
    m_answers->addStretch(1);
    m_answers->addWidget(m_back);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(sheetMargin, sheetMargin, sheetMargin, sheetMargin);
    column->setSpacing(sheetMargin / 2);
    for (auto* label : {m_title, m_text, m_details})
        column->addWidget(label);
    column->addLayout(m_answers);
    if (parentWidget())
        parentWidget()->window()->installEventFilter(this);
}

Sheet::~Sheet() { delete m_shade; }

void Sheet::answerByEnter(QPushButton* answer)
{
    m_byEnter = answer;
    answer->setDefault(true);
}

bool Sheet::isOpen(const QString& name, const QWidget* window)
{
    for (auto* sheet : window->findChildren<Sheet*>(name))
        if (sheet->isVisible()) {
            sheet->raise();
            return true;
        }
    return false;
}

QPushButton* Sheet::addAnswer(const QString& text, const QString& name, std::function<void()> act)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    m_answers->insertWidget(m_answers->count() - 1, button);
    setTabOrder(button, m_back);
    connect(button, &QPushButton::clicked, this, [this, act = std::move(act)] {
        accept();
        act();
    });
    return button;
}

void Sheet::addContent(QWidget* content)
{
    auto* column = static_cast<QVBoxLayout*>(layout());
    column->insertWidget(column->count() - 1, content);
    place();
}

void Sheet::setText(const QString& text)
{
    m_text->setText(text);
    setAccessibleDescription(text);
    place();
}

void Sheet::setDetails(const QString& details)
{
    m_details->setText(details);
    m_details->setHidden(details.isEmpty());
    place();
}

QString Sheet::text() const { return m_text->text(); }

QString Sheet::details() const { return m_details->text(); }

void Sheet::setCause(QWidget* part)
{
    m_cause = part;
    place();
}

/// Places the sheet at the top centre of the window, or over its cause as far as the window has
/// space. Its height is that of its text.
void Sheet::place()
{
    if (!isVisible())
        return;
    const auto* window = parentWidget() ? parentWidget()->window() : nullptr;
    int width          = std::max(withText(sheetWidth), layout()->minimumSize().width());
    if (window)
        width = std::max(std::min(width, window->width() - 2 * sheetMargin), layout()->minimumSize().width());
    resize(width, std::max(heightForWidth(width), layout()->minimumSize().height()));
    if (!window)
        return;
    const bool atCause = m_cause && m_cause->isVisible() && window->isAncestorOf(m_cause);
    const QRect around = atCause ? QRect(m_cause->mapTo(window, QPoint()), m_cause->size()) : window->rect();
    const auto within  = [](int wanted, int room) { return std::max(0, std::min(wanted, room - sheetMargin)); };
    move(window->mapToGlobal(
        QPoint(within(around.center().x() - width / 2, window->width() - width),
               within(around.top() + (atCause ? sheetMargin : withText(sheetTop)), window->height() - height()))));
    if (m_shade)
        m_shade->setGeometry(window->rect());
}

void Sheet::showEvent(QShowEvent* event)
{
    if (parentWidget() && !m_shade)
        m_shade = shadeOver(*parentWidget()->window());
    place();
    m_byEnter->setFocus();
    QDialog::showEvent(event);
}

void Sheet::hideEvent(QHideEvent* event)
{
    delete m_shade;
    QDialog::hideEvent(event);
}

void Sheet::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    QColor frame = palette().color(QPalette::Text);
    frame.setAlphaF(0.25F);
    painter.setPen(frame);
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

bool Sheet::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move)
        place();
    return QDialog::eventFilter(watched, event);
}
