// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/window_part.h"

#include "parts/appearance.h"
#include "parts/icons.h"
#include "parts/quiet_parts.h"

#include <QAction>
#include <QCloseEvent>
#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace {

QToolButton* headerButton(const QString& name, QWidget* header)
{
    auto* button = new QToolButton(header);
    button->setObjectName(name);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

}   // namespace

WindowPart::WindowPart(const QString& name, const QString& title, QWidget* content)
    : m_title(title), m_content(content), m_header(new QWidget(this)), m_fold(headerButton("fold/" + name, m_header)),
      m_float(headerButton("float/" + name, m_header)), m_quiet(new QuietParts(this, this)),
      m_toggle(new QAction(title, this))
{
    setObjectName(name);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    QFont bold = m_fold->font();
    bold.setBold(true);
    m_fold->setFont(bold);
    m_fold->setText(title);
    m_float->setIcon(::icon(QStringLiteral("window")));
    m_float->setToolTip(tr("Show %1 in a window of its own").arg(title));
    m_float->setAccessibleName(m_float->toolTip());
    auto* row = new QHBoxLayout(m_header);
    row->setContentsMargins(4, 2, 4, 2);
    row->setSpacing(0);
    row->addWidget(m_fold);
    row->addStretch(1);
    row->addWidget(m_float);
    m_quiet->add(m_float);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_header);
    column->addWidget(content, 1);
    m_toggle->setCheckable(true);
    m_toggle->setChecked(true);
    connect(m_toggle, &QAction::triggered, this, &WindowPart::openRequested);
    connect(m_fold, &QToolButton::clicked, this, [this] { Q_EMIT openRequested(m_folded || !isOpen()); });
    connect(m_float, &QToolButton::clicked, this, &WindowPart::windowRequested);
    describe();
}

void WindowPart::setOpen(bool open) { Q_EMIT openRequested(open); }

int WindowPart::headerHeight() const { return m_header->sizeHint().height(); }

void WindowPart::setHeader(Header header)
{
    m_kind = header;
    m_header->setVisible(header != Header::none);
    describe();
}

void WindowPart::setFolded(bool folded)
{
    m_folded = folded;
    m_content->setVisible(!folded);
    setMaximumHeight(folded ? headerHeight() : QWIDGETSIZE_MAX);
    setMinimumHeight(folded ? headerHeight() : 0);
    describe();
}

void WindowPart::markOpen(bool open)
{
    m_toggle->setChecked(open);   // a click has changed it already
    if (std::exchange(m_open, open) != open)
        Q_EMIT openChanged(open);
}

void WindowPart::describe()
{
    const bool closes = m_kind == Header::closable;
    m_fold->setIcon(::icon(closes     ? QStringLiteral("fold-left")
                           : m_folded ? QStringLiteral("fold-closed")
                                      : QStringLiteral("fold-open")));
    m_fold->setToolTip(m_folded ? tr("Show %1").arg(m_title) : tr("Hide %1").arg(m_title));
    m_fold->setAccessibleName(m_fold->toolTip());
}

void WindowPart::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_folded) {
        setMaximumHeight(headerHeight());
        setMinimumHeight(headerHeight());
    }
}

OwnWindow::OwnWindow(QWidget& content, const QString& title, std::function<void()> closed, QWidget* mainWindow)
    : QWidget(mainWindow, Qt::Window), m_closed(std::move(closed))
{
    setWindowTitle(title);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(&content);
}

void OwnWindow::closeEvent(QCloseEvent* event)
{
    event->accept();
    m_closed();
}
