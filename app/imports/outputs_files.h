// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "work/worker.h"

#include <QObject>
#include <QString>

namespace credence {
struct RunSnapshot;
}
class Notifier;
class QPushButton;
class QStatusBar;
class QWidget;
struct AppContext;

/// Opens imported predictions: asks for a file, reads it in the background, and displays it as a
/// run in the list. An unreadable file is reported in the message bar and the display does not
/// change.
class OutputsFiles : public QObject {
    Q_OBJECT
public:
    OutputsFiles(AppContext& context, Notifier& notifier, QStatusBar* line, QWidget* window);

    void ask();                          ///< which file
    void askOod();                       ///< the file with OOD data for the displayed one
    void open(const QString& file);      ///< an .npz file, or an .npy file with others in its folder
    void openOod(const QString& file);   ///< OOD data of the displayed predictions
    /// Decides by the arrays in the file: predictions, or Gaussians over logits, which have their
    /// own page.
    void openByArrays(const QString& file);
    bool busy() const { return m_worker.busy(); }

signals:
    void opened(const QString& file);
    void logitsFound(const QString& file);
    void currentRun(bool outputs);   ///< are imported predictions displayed?
    void helpRequested();

private:
    void read(const QString& file, const QString& ood);
    void take(const credence::RunSnapshot& run, const QString& file, const QString& ood);
    void refuse(const QString& sentence);
    void refresh(double share);
    void cancel();

    AppContext& m_context;
    Notifier& m_notifier;
    QWidget* m_window;
    QPushButton* m_progress;   // and its cancel, in the status bar
    QString m_reading;
    Worker m_worker;   // last: its thread ends first
};
