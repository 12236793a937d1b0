// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/document/study_document.h"

#include <QKeySequence>
#include <QMenu>

#include <functional>

class StudyPanel;

using Keys = QList<QKeySequence>;

/// Returns the desktop's standard key, or ours if there is none.
Keys standardOr(QKeySequence::StandardKey key, QKeyCombination ours);

/// Commits typed values before the action.
template <class Act>
QAction* addEntry(QMenu* menu, const StudyDocument& document, const QString& text, const Keys& keys, Act act,
                  const char* name = "")
{
    auto* action = menu->addAction(text, menu, [&document, act] {
        document.commit();
        act();
    });
    action->setShortcuts(keys);
    action->setObjectName(QLatin1String(name));
    return action;
}

void addPresets(QMenu* menu, StudyPanel* panel);       ///< group by group
void addComparisons(QMenu* menu, StudyPanel* panel);   ///< of methods with the true posterior
void addThemes(QMenu* menu);
/// Larger, smaller and default text, each with its key.
void addTextSizes(QMenu* menu, const StudyDocument& document, const std::function<void(const QString&)>& say);
void showAbout(QWidget* window);
