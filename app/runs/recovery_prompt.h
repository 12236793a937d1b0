// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/toasts.h"
#include "session/document/autosave.h"

#include <QObject>

#include <optional>
#include <vector>

class Notifier;
struct AppContext;

/// Asks what to do with the restored Study and an interrupted run after a crash.
class RecoveryPrompt : public QObject {
    Q_OBJECT
public:
    RecoveryPrompt(AppContext& context, Notifier& notifier, QObject* parent);

    /// @param left  the window state whose document has been restored
    void askAboutRestored(const WindowState& left);

    void ask();   ///< asks again if the question was postponed

private:
    QString question() const;
    std::vector<Toasts::Offer> offers();

    AppContext& m_context;
    Notifier& m_notifier;
    std::optional<WindowState> m_left;
    QString m_asked;
};
