// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class FindingsPanel;
class Linting;
class QPushButton;
class QStatusBar;

/// Says in the status bar what the linter found, by an icon and in words; a click opens the panel with the findings.
class FindingsStatus : public QObject {
    Q_OBJECT
public:
    FindingsStatus(const Linting& linting, FindingsPanel& panel, QStatusBar* line);

private:
    void refresh();

    const Linting& m_linting;
    QPushButton* m_button;
};
