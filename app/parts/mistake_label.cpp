// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/mistake_label.h"

#include "widgets/announcer.h"

#include <QEvent>

MistakeLabel::MistakeLabel(const QString& name, QWidget* parent) : QLabel(parent)
{
    setObjectName(name);
    setWordWrap(true);
    setTextFormat(Qt::PlainText);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    paintRed();
    hide();
}

void MistakeLabel::setMistake(const QString& sentence)
{
    const bool isNew = sentence != text();
    setText(sentence);
    setVisible(!sentence.isEmpty());
    if (isNew && isVisible())
        credence::announce(this, sentence, credence::Announcer::Urgency::alert);
}

QColor MistakeLabel::red(const QPalette& palette)
{
    return QColor::fromHsl(0, 200, palette.color(QPalette::Window).lightness() < 128 ? 170 : 90);
}

void MistakeLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && palette().color(QPalette::WindowText) != red(palette()))
        paintRed();
}

void MistakeLabel::paintRed()
{
    QPalette colours;   // all other roles still follow the application palette
    colours.setColor(QPalette::WindowText, red(palette()));
    setPalette(colours);
}
