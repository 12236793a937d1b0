// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/toasts.h"
#include "session/document/autosave.h"

#include <QObject>

#include <optional>
#include <vector>

class Notifier;
struct AppContext;

/// Asks one question about what a crashed earlier session left: the restored Study, and an
/// interrupted run.
class WhatToKeep : public QObject {
    Q_OBJECT
public:
    WhatToKeep(AppContext& context, Notifier& notifier, QObject* parent);

    void cameBack(const WindowState& left);   ///< its document is the one under edit

    void ask();   ///< again, if it was put off

private:
    QString question() const;
    std::vector<Toasts::Offer> offers();

    AppContext& m_context;
    Notifier& m_notifier;
    std::optional<WindowState> m_left;
    QString m_asked;
};
