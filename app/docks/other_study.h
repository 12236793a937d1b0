// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;
struct AppContext;

/// Shows above the settings that they belong to a displayed saved run, which can be copied, or that
/// imported predictions are displayed, which have none.
class OtherStudy : public QFrame {
    Q_OBJECT
public:
    OtherStudy(AppContext& context, QWidget* parent);

signals:
    void foreignRequested();   ///< predictions for OOD data, in addition to the displayed ones

private:
    void refresh();
    QString outputsOnShow() const;

    AppContext& m_context;
    QLabel* m_text;
    QPushButton *m_copy, *m_back, *m_foreign;
};
