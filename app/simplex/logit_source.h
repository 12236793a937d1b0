// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/chosen_logits.h"

#include <QObject>
#include <QStringList>

#include <optional>
#include <vector>

class MenuButton;
class QAction;
class QActionGroup;

/// How the views of a run compute a distribution of the class probabilities: the source of the
/// Gaussian over the logits, and the Laplace Bridge variant. All these views share one choice.
class LogitChoice : public QObject {
    Q_OBJECT
public:
    explicit LogitChoice(QObject* parent = nullptr);

    /// A menu button with the choices, and its help mark.
    QWidget* makeControl(const QString& view, QWidget* parent);
    void setVariant(credence::BridgeVariant variant);
    /// Disables choices that the displayed posterior does not support, and explains why.
    void fit(const credence::RunSnapshot& run);
    /// Empty: the default of the family. Never a method that the displayed posterior does not
    /// support.
    std::optional<credence::LogitsBy> logitsBy() const;

signals:
    void variantChosen(credence::BridgeVariant variant);
    void logitsChosen();

private:
    void refresh();

    QActionGroup* m_variants;
    QActionGroup* m_methods;
    std::optional<credence::LogitsBy> m_request;   ///< as selected by the user
    QString m_whyNotLinearised;                    ///< empty: linearised logits are available
    QString m_usual;                               ///< of the displayed family, in words
    std::vector<MenuButton*> m_buttons;
};

class ViewBinder;
class SimplexWorkbench;
struct AppContext;

/// Provides the distribution of the class probabilities from the weights for the views of a run,
/// and the page *Simplex*, which shows one distribution.
class LogitSource : public QObject {
    Q_OBJECT
public:
    LogitSource(AppContext& context, ViewBinder& binder, SimplexWorkbench* simplex);
    /// Adds the control to these views.
    void addControls(const QStringList& views);

private:
    void followRun();

    AppContext& m_context;
    ViewBinder& m_binder;
    SimplexWorkbench& m_simplex;
    LogitChoice* m_choice;
};
