// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/chosen_logits.h"

#include <QObject>

#include <optional>
#include <vector>

class QAction;
class QActionGroup;
class QToolButton;

/// How the views of a run get from weights to a law of the class probabilities: the way to the Gaussian over the logits, and the variant of the Laplace Bridge.
/// One choice, which stands beside each of them.
class LawChoice : public QObject {
    Q_OBJECT
public:
    explicit LawChoice(QObject* parent = nullptr);

    /// A button with the choices in its menu, and its help mark.
    QWidget* makeControl(const QString& view, QWidget* parent);
    void setVariant(credence::BridgeVariant variant);
    /// Greys what the posterior on show does not have, and says why.
    void fit(const credence::RunMoment& moment);
    /// Empty: the usual way of the family. Never one that the posterior on show does not have.
    std::optional<credence::LogitsBy> logitsBy() const;

signals:
    void variantChosen(credence::BridgeVariant variant);
    void logitsChosen();

private:
    void refresh();

    QActionGroup* m_variants;
    QActionGroup* m_ways;
    std::optional<credence::LogitsBy> m_request;   ///< as the user chose it
    QString m_whyNotLinearised;                    ///< empty: they are to be had
    QString m_usual;                               ///< of the family on show, in words
    std::vector<QToolButton*> m_buttons;
};
