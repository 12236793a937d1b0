// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;
struct Workspace;

/// Says above the settings that the run on show was made by others: by those of a kept run, which can be taken over, or elsewhere, by nobody knows which.
class OtherStudy : public QFrame {
    Q_OBJECT
public:
    OtherStudy(Workspace& workspace, QWidget* parent);

private:
    void refresh();
    QString outputsOnShow() const;

    Workspace& m_workspace;
    QLabel* m_text;
    QPushButton* m_take;
};
