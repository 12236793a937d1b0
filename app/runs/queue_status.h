// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class Notifier;
class QFrame;
class QListWidget;
class QPushButton;
class QStatusBar;
struct AppContext;

/// How many runs are queued, in the status bar while there are any. A click opens their list, in
/// which they can be reordered and removed.
class QueueStatus : public QObject {
    Q_OBJECT
public:
    QueueStatus(AppContext& context, Notifier& notifier, QStatusBar* line);

private:
    void buildList(QStatusBar* line);
    void refresh();
    void refreshButtons();
    void open();
    void moveBy(int rows);

    AppContext& m_context;
    QPushButton* m_chip;
    QFrame* m_popup     = nullptr;
    QListWidget* m_list = nullptr;
    QPushButton *m_up = nullptr, *m_down = nullptr, *m_remove = nullptr;
};
