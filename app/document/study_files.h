// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/document/autosave.h"

#include "results/picture_link.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>

namespace credence {
struct MethodComparison;
struct Study;
}   // namespace credence
class ImportDialog;
class Notifier;
class QMenu;
class QWidget;
struct AppContext;

/// Opens and saves Studies, saved runs, figures with their Study, tables and logits. Errors are
/// shown in the message bar and the open document does not change.
class StudyFiles : public QObject {
    Q_OBJECT
public:
    StudyFiles(AppContext& context, Notifier& notifier, QWidget* window);

    void open();   ///< asks which file
    /// Opens a Study, saved run, link, figure with its Study, or an .npz of predictions or logits;
    /// offers to import a table.
    void open(const QString& file);
    void openLogits();    ///< asks which file
    void save(bool as);   ///< asks where, if need be
    void importTable(const QString& file = {});
    void pasteTable();      ///< imports the table in the clipboard
    void exportOutputs();   ///< asks where
    void
    exportOutputs(const QString& file);   ///< exports the samples of the displayed run for NumPy, in the background
    void useImageSet(const QString& id);
    void imageSetArrived(const QString& id);   ///< a Study may have waited for it

    void restore(const WindowState& state);   ///< document and displayed run of an earlier window
    QString title() const;   ///< of the document, after that of imported predictions while these are displayed
    void fillRecent(QMenu* menu);
    void fillUnsaved(QMenu* menu);
    void resume(const DocumentState& document);   ///< one with unsaved changes
    void remember(const QString& file);           ///< among those that were opened last

signals:
    void titleChanged();
    void logitsOpened(const QString& file);
    void linkRead(const credence::PictureLink& link, const QString& file);
    void arraysOpened(const QString& file);    ///< NumPy files, whose contents the receiver checks
    void outputsWanted(const QString& file);   ///< they were displayed when the window closed

private:
    void saveAs(const QString& file);
    void offerComparison(const credence::MethodComparison& comparison, const QString& file);
    void openJson(const QString& file, const QString& suffix);
    void openStudy(const credence::Study& study, const QString& file);
    void openCarriedStudy(const credence::Study& study, const QString& file);
    void askToReplace();
    credence::Study baseOfTable() const;
    void applyImport(const ImportDialog& dialog);
    void openRun(const QString& file);
    void openCarrier(const QString& file, const QString& suffix);
    std::function<bool(const QString&)> newestOnly();

    AppContext& m_context;
    Notifier& m_notifier;
    QWidget* m_window;
    QStringList m_writing{};           ///< names of files with sampled predictions
    bool m_outputsDisplayed = false;   ///< at the last announcement of the title
};
