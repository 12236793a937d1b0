// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class FindingsPanel;
class Linting;
class QPushButton;
class QStatusBar;

/// Shows the linter's result in the status bar as icon and text; a click opens the findings panel.
class FindingsStatus : public QObject {
    Q_OBJECT
public:
    FindingsStatus(const Linting& linting, FindingsPanel& panel, QStatusBar* line);

private:
    void refresh();

    const Linting& m_linting;
    QPushButton* m_button;
};
