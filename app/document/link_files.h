// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "results/picture_link.h"

#include <QObject>
#include <QString>

#include <optional>

class Notifier;
class QWidget;
struct AppContext;

/// Links for slides: saves the displayed state (Study or run, step, view, selected input) and
/// restores it. A Study is trained first; its views show the linked step once it is recorded.
class LinkFiles : public QObject {
    Q_OBJECT
public:
    LinkFiles(AppContext& context, Notifier& notifier, QWidget* window);

    /// Asks for a file and saves the state at the time of the call, even if it changes before the
    /// answer. @param view  the view in front
    void save(const QString& view);
    /// @param words  undo text: "Open slide.credence-link"
    void open(const credence::PictureLink& link, const QString& words);
    bool waiting() const { return m_request.has_value(); }   ///< for a run or for its step

signals:
    void runWanted(const QString& file);                                    ///< a saved run, or imported predictions
    void studyWanted(const credence::Study& study, const QString& words);   ///< under edit: it is trained next
    void quantityWanted(credence::MapQuantity quantity, int mapClass);      ///< of the decision map
    void viewWanted(const QString& view);                                   ///< empty: the view of predictions

private:
    /// State to restore once the run is displayed.
    struct Request {
        credence::PictureLink link;
        bool restored = false;   ///< view and input are restored, the step is not yet
    };
    credence::PictureLink linkNow(const QString& view) const;
    void write(const credence::PictureLink& link, const QString& file);
    bool currentRun(const credence::PictureLink& link) const;
    void follow();
    void look(const credence::PictureLink& link);
    bool showStep(const credence::PictureLink& link);

    AppContext& m_context;
    Notifier& m_notifier;
    QWidget* m_window;
    std::optional<Request> m_request;
};
