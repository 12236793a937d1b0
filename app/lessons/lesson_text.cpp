// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_text.h"

#include <QAbstractTextDocumentLayout>

#include <cmath>

LessonText::LessonText(QWidget* parent) : QTextBrowser(parent)
{
    setObjectName(QStringLiteral("lessonText"));
    setAccessibleName(tr("Text of the lesson"));   // until a step sets its title
    setFrameShape(QFrame::NoFrame);
    setOpenExternalLinks(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    document()->setDocumentMargin(0);
    viewport()->setAutoFillBackground(false);   // no frame, since it is part of the page
    connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
            &LessonText::fitHeight);
}

void LessonText::fitHeight()
{
    setFixedHeight(static_cast<int>(std::ceil(document()->size().height())) + 2 * frameWidth() + 2);
}
