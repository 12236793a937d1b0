// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_actions.h"

#include "parts/notifier.h"
#include "parts/sheet.h"
#include "runs/comparison.h"
#include "session/app_context.h"
#include "session/saved_run.h"
#include "session/saved_runs.h"
#include "study/names.h"
#include "views/comparison.h"
#include "work/text.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QPushButton>
#include <QUndoCommand>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

/// Removes a saved run from the list and moves its file to the trash; undo restores both.
class DeleteRunCommand : public QUndoCommand {
public:
    DeleteRunCommand(SavedRuns& runs, int row)
        : QUndoCommand(
            QCoreApplication::translate("DeleteRunCommand", "Delete run %1").arg(toQString(runs.at(row)->run.name))),
          m_runs(runs), m_row(row), m_entry(runs.at(row))
    {}
    void undo() override { m_runs.putBack(m_entry, m_row); }
    void redo() override { m_runs.removeRun(m_runs.rowOf(*m_entry)); }

private:
    SavedRuns& m_runs;
    int m_row;
    std::shared_ptr<SavedRunEntry> m_entry;
};

RunActions::RunActions(AppContext& context, Notifier& notifier, QWidget* list)
    : QObject(list), show(new QAction(tr("Sho&w"), this)), continueRun(new QAction(tr("Cont&inue"), this)),
      reopen(new QAction(tr("Reopen St&udy"), this)), rename(new QAction(tr("Rena&me"), this)),
      remove(new QAction(tr("&Delete"), this)), m_context(context), m_notifier(notifier), m_list(*list)
{
    show->setToolTip(tr("Display this run in all views"));
    continueRun->setToolTip(
        tr("Continue this run from the step at which it was stopped, with the same numbers as if it had "
           "not been stopped"));
    rename->setToolTip(tr("Give this run another name (F2)"));
    remove->setToolTip(tr("Remove this run from the list and move its file to the trash, after confirmation"));
    connect(show, &QAction::triggered, this, [this] { display(*m_selected.front()); });
    connect(continueRun, &QAction::triggered, this,
            [this] { m_context.opener.continueRun(m_context.runs.rowOf(*m_selected.front())); });
    connect(reopen, &QAction::triggered, this, &RunActions::reopenStudy);
    connect(rename, &QAction::triggered, this, &RunActions::renameRequested);
    connect(remove, &QAction::triggered, this, &RunActions::askToDelete);
    select({});
}

void RunActions::select(std::vector<std::shared_ptr<SavedRunEntry>> runs)
{
    m_selected     = std::move(runs);
    const bool one = m_selected.size() == 1;
    show->setEnabled(one);
    rename->setEnabled(one);
    remove->setEnabled(!m_selected.empty());
    const bool outputs = one && m_selected.front()->ofOutputs();
    reopen->setEnabled(one && !outputs);
    reopen->setToolTip(outputs ? tr("Imported predictions have no settings") : tr("Use the settings of this run"));
    continueRun->setVisible(one && m_selected.front()->canContinue);
}

void RunActions::display(const SavedRunEntry& run) { m_context.opener.show(m_context.runs.rowOf(run)); }

void RunActions::reopenStudy()
{
    const auto& run = m_selected.front()->run;
    m_context.document.edit(run.study, tr("Reopen the Study of %1").arg(toQString(run.name)));
}

/// Reports a run that is being continued: its file and its checkpoint are still being written.
bool RunActions::refusesToDelete(const std::vector<std::shared_ptr<SavedRunEntry>>& entries) const
{
    const auto& session = m_context.session;
    const QString place = session.active() ? session.currentRun().training().place : QString();
    const auto found    = std::ranges::find_if(
           entries, [&](const auto& entry) { return !place.isEmpty() && entry->place() == place; });
    if (found == entries.end())
        return false;
    m_notifier.keep(tr("Not deleted: %1 is in training. Stop it first.").arg(toQString((*found)->run.name)));
    return true;
}

/// Asks over the list; deletion can be undone.
void RunActions::askToDelete()
{
    Q_EMIT editsEnd();
    const auto entries = m_selected;
    if (refusesToDelete(entries))
        return;
    const bool one       = entries.size() == 1;
    const QString name   = toQString(entries.front()->run.name);
    const auto count     = static_cast<int>(entries.size());
    const auto deleteAll = [this, entries, one, name, count] {
        if (refusesToDelete(entries))   // continued while the question was open
            return;
        auto& undo = m_context.document.undo();
        undo.beginMacro(one ? tr("Delete run %1").arg(name) : tr("Delete %1 runs").arg(count));
        for (const auto& entry : entries)
            if (const int at = m_context.runs.rowOf(*entry); at >= 0)
                undo.push(new DeleteRunCommand(m_context.runs, at));
        undo.endMacro();
        m_notifier.note(one ? tr("The run %1 was deleted. Ctrl+Z restores it.").arg(name)
                            : tr("%1 runs were deleted. Ctrl+Z restores them.").arg(count),
                        {{tr("Undo"), [this] { m_context.document.undo().undo(); }}}, Toasts::Until::next_step);
    };
    const auto sheet = QStringLiteral("deleteQuestion");
    if (Sheet::isOpen(sheet, m_list.window()))
        return;
    const bool outputs   = one && entries.front()->ofOutputs();
    const QString title  = !one      ? tr("Delete %1 runs?").arg(count)
                           : outputs ? tr("Remove %1 from the list?").arg(name)
                                     : tr("Delete the run %1?").arg(name);
    const QString effect = !one      ? tr("Their files will be moved to the trash.")
                           : outputs ? tr("Its file is not deleted.")
                                     : tr("Its file will be moved to the trash.");
    auto* question       = new Sheet(sheet, title, effect, m_list.window());
    question->setCause(&m_list);
    question->addAnswer(outputs ? tr("&Remove") : tr("&Delete"), QStringLiteral("confirmDelete"), deleteAll);
    question->open();
}

CompareAction::CompareAction(AppContext& context, Comparison& comparison, QObject* parent)
    : QAction(tr("&Compare"), parent)
{
    setCheckable(true);
    setToolTip(tr("Compare the ticked runs: decision maps on one colour scale, or scores if there is no map"));
    const auto refresh = [this, &runs = context.runs] {
        const bool enough = runs.checked().size() >= 2;
        setEnabled(enough);
        if (!enough)
            setChecked(false);
    };
    connect(this, &QAction::toggled, &comparison, &Comparison::show);
    connect(&comparison, &Comparison::closed, this, [this] { setChecked(false); });
    connect(&context.runs, &SavedRuns::checksChanged, this, [this, refresh, &comparison] {
        refresh();
        if (isChecked())
            comparison.show(true);
    });
    refresh();
}

QPushButton* buttonOf(QAction& action, const QString& name, QWidget* parent, Mnemonic mnemonic)
{
    auto* button = new QPushButton(parent);
    button->setObjectName(name);
    button->setCheckable(action.isCheckable());
    const auto follow = [button, &action, mnemonic] {
        button->setText(mnemonic == Mnemonic::yes ? action.text() : action.text().remove(QLatin1Char('&')));
        button->setToolTip(action.toolTip());
        button->setEnabled(action.isEnabled());
        button->setVisible(action.isVisible());
        button->setChecked(action.isChecked());
    };
    QObject::connect(&action, &QAction::changed, button, follow);
    QObject::connect(&action, &QAction::toggled, button, follow);
    QObject::connect(button, &QPushButton::clicked, &action, &QAction::trigger);
    follow();
    return button;
}

using namespace credence;

namespace {

QString quickText(const char* text) { return QCoreApplication::translate("QuickSheet", text); }

/// A method with its box.
struct QuickLine {
    QuickMethod method;
    QCheckBox* box = nullptr;
    double seconds = 0;
};

/// "SWAG · ≈ 2 s"
QString quickLineText(const AppContext& context, QuickLine& line)
{
    const QString title = toQString(family_title(line.method.study.posterior.family));
    if (!line.method.possible)
        return quickText("%1 · not possible").arg(title);
    if (context.quick.finishedRunOf(line.method.study))
        return quickText("%1 · already trained").arg(title);
    line.seconds       = expectedTime(line.method.study, context.runs).value_or(line.method.seconds);
    const QString time = quickText("%1 · %2").arg(title, expectedTimeText(line.seconds));
    return line.method.note.empty() ? time : quickText("%1. %2").arg(time, toQString(line.method.note));
}

}   // namespace

void askQuickComparison(AppContext& context, QWidget* window)
{
    const auto name        = QStringLiteral("quickSheet");
    const auto& experiment = context.session.ready().experiment();
    if (!experiment || Sheet::isOpen(name, window))
        return;
    auto* sheet = new Sheet(
        name, quickText("Quick comparison"),
        quickText("Trains these methods one after another with the network of this Study, and compares them."), window);
    auto* content = new QWidget(sheet);
    auto* column  = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    const auto lines = std::make_shared<std::vector<QuickLine>>();
    for (auto& method : quick_comparison(*experiment)) {
        QuickLine line{.method = std::move(method)};
        line.box = new QCheckBox(quickLineText(context, line), content);
        line.box->setObjectName("quick/" + toQString(line.method.study.posterior.family));
        line.box->setToolTip(toQString(line.method.note));
        line.box->setEnabled(line.method.possible);
        line.box->setChecked(line.method.suggested);
        column->addWidget(line.box);
        lines->push_back(std::move(line));
    }
    sheet->addContent(content);
    auto* train = sheet->addAnswer({}, QStringLiteral("quickTrain"), [&context, lines] {
        std::vector<Study> studies;
        for (const auto& line : *lines)
            if (line.box->isChecked())
                studies.push_back(line.method.study);
        context.quick.begin(studies);
    });
    sheet->answerByEnter(train);
    const auto refresh = [train, lines] {
        double seconds = 0;
        int count      = 0;
        for (const auto& line : *lines)
            if (line.box->isChecked())
                seconds += line.seconds, ++count;
        train->setText(count < 2     ? quickText("Tick two methods")
                       : seconds > 0 ? quickText("&Train %1 methods (%2)").arg(count).arg(expectedTimeText(seconds))
                                     : quickText("&Compare %1 methods").arg(count));
        train->setEnabled(count >= 2);
    };
    for (const auto& line : *lines)
        QObject::connect(line.box, &QCheckBox::toggled, sheet, refresh);
    refresh();
    sheet->open();
}
