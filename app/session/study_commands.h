// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <QString>
#include <QStringList>
#include <QUndoCommand>

#include <functional>
#include <optional>

class QUndoStack;
class Session;

/// One change of the Study, whole: before and after. Consecutive changes with the same merge key are one step back, unless a net was trained in between.
class StudyCommand : public QUndoCommand {
public:
    StudyCommand(Session& session, credence::Study after, const QString& text, QString mergeKey);

    int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* newer) override;
    void undo() override;
    void redo() override;

private:
    Session& m_session;
    credence::Study m_before, m_after;
    QString m_mergeKey;
    std::optional<credence::Study> m_trained;   ///< that of the net on show; empty: it had not been trained
};

/// Where all edits of the Study go through.
class StudyEditor {
public:
    StudyEditor(Session& session, QUndoStack& undo);

    /// @param text      what the Undo menu says: "Learning rate η: 0.001 → 0.01"
    /// @param mergeKey  the setting's path, so that typing in one field is one step; empty: never merged
    void edit(const credence::Study& after, const QString& text, const QString& mergeKey = {});
    /// The same with the words made from the settings that differ.
    void editSettings(const credence::Study& after, const QString& mergeKey = {});
    /// Another posterior family, with a name that still says the truth, in one step.
    /// @return the other settings on show that went along, as the Undo menu would say them
    QStringList chooseFamily(const std::string& family);
    /// Data from another source, with a whole study that such data can begin with and a name that says the truth, in one step.
    /// @return what went along, in groups
    QStringList chooseSource(const std::string& source);
    enum class SetChosen {
        already,      ///< nothing was changed
        alone,        ///< the other settings suit it
        with_study,   ///< network, posterior, prior and training went along, as in the papers for images
    };
    /// The images of this set (see datasets/catalogue.json), in one step.
    SetChosen chooseImageSet(const std::string& id);
    Session& session() { return m_session; }

    /// Who holds what is typed and not yet taken over. @param commit  takes it over; says what is wrong, if anything is
    void setFields(std::function<QString()> commit) { m_commit = std::move(commit); }
    /// Before anything that uses the Study: what is typed counts. @return  what is wrong, in words; empty: nothing
    QString commit() const { return m_commit ? m_commit() : QString(); }

private:
    std::function<QString()> m_commit;
    Session& m_session;
    QUndoStack& m_undo;
};
