// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/quit_question.h"

#include "session/document/unfinished_work.h"

#include <QGridLayout>
#include <QMessageBox>
#include <QPushButton>

void askToQuit(const UnfinishedWork& work, QWidget* window, std::function<void()> quit)
{
    const auto name = QStringLiteral("quitQuestion");
    if (auto* asked = window->findChild<QMessageBox*>(name))
        return asked->raise();
    auto* question = new QMessageBox(QMessageBox::Question, QMessageBox::tr("Quit Credence?"),
                                     QMessageBox::tr("Work is in progress."), QMessageBox::NoButton, window);
    question->setObjectName(name);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setTextFormat(Qt::PlainText);
    question->setInformativeText(work.sentences().join(QLatin1Char('\n')));
    const bool canDiscard = work.canDiscard();
    auto* stop = question->addButton(canDiscard ? QMessageBox::tr("&Stop and keep") : QMessageBox::tr("&Stop and quit"),
                                     QMessageBox::AcceptRole);
    stop->setObjectName(QStringLiteral("stopAndQuit"));
    QPushButton* discard = nullptr;
    if (canDiscard) {
        discard = question->addButton(QMessageBox::tr("&Discard"), QMessageBox::DestructiveRole);
        discard->setObjectName(QStringLiteral("discardAndQuit"));
    }
    auto* back = question->addButton(QMessageBox::tr("&Back"), QMessageBox::RejectRole);
    question->setDefaultButton(back);
    question->setEscapeButton(back);
    QObject::connect(question, &QMessageBox::buttonClicked, window,
                     [question, back, discard, &work, quit = std::move(quit)](QAbstractButton* pressed) {
        if (pressed == back)
            return;
        if (discard && pressed == discard)
            work.discard();
        question->hide();
        quit();
    });
    if (auto* grid = qobject_cast<QGridLayout*>(question->layout()))   // else the title would be cut
        grid->addItem(new QSpacerItem(question->fontMetrics().horizontalAdvance(question->windowTitle()) * 4, 0),
                      grid->rowCount(), 0, 1, grid->columnCount());
    question->open();
}
