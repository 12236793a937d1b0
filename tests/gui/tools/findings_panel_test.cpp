// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/settle.h"
#include "gui/wait_until.h"
#include "session/app_context.h"
#include "session/settings.h"
#include "views/findings_panel.h"

#include <QAbstractButton>
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTest>

#include <gmock/gmock.h>

using namespace credence;
using testing::AllOf;
using testing::HasSubstr;

namespace {

const Finding unweighted{
    .rule     = "unweighted",
    .severity = Severity::error,
    .title    = "The KL divergence is not weighted by 1/N.",
    .evidence = "It is added with weight 1 to the mean loss, expected 0.0025.",
    .idea     = "Blundell et al. 2015",
    .reason   = "The posterior stays at its prior.",
    .remedy   = {.label = "Set the KL weight to 0.5", .settings = {{"training.kl_weight", "0.5"}}, .view = {}}};
const Finding fewRows{.rule     = "few_rows",
                      .severity = Severity::warning,
                      .title    = "Some bins have few rows.",
                      .evidence = "3 rows, expected at least 10.",
                      .reason   = "Their height is mostly chance.",
                      .remedy   = {.label = "Show the calibration", .settings = {}, .view = "calibration"}};
const Finding refusedOne{
    .rule     = "refused_one",
    .severity = Severity::warning,
    .title    = "A remedy that no field takes.",
    .evidence = "1, expected 2.",
    .reason   = {},
    .remedy   = {.label = "Set the steps to -1", .settings = {{"training.steps", "-1"}}, .view = {}}};

/// The panel with the status bar and a trained run; the test provides the findings.
struct Findings {
    explicit Findings(std::vector<Finding> found)
        : linting(
            context.session, context.runs, context.choices,
            [found = std::move(found)](const LintCase&, const std::stop_token&) {
        return std::optional(LintResult{.findings = found});
            }),
    panel(linting, context.document, nullptr), status(linting, &line)
    {
        QDir(runsFolder()).removeRecursively();
        panel.resize(480, 160);
        panel.show();
        Study study          = context.session.study();
        study.training.steps = 30;
        context.session.setStudy(study);
        EXPECT_TRUE(reach(Session::State::ready));
        EXPECT_FALSE(summary().isEmpty());
        context.session.train();
        EXPECT_TRUE(reach(Session::State::ended));
        EXPECT_TRUE(waitUntil([&] { return linting.state() == Linting::State::looked; }, 30000));
        settle();   // the cards are laid out
    }
    bool reach(Session::State state)
    {
        return waitUntil([&] { return context.session.state() == state; }, 30000);
    }
    QString summary() const { return panel.summary(); }
    QPushButton* remedy(const QString& rule) { return panel.findChild<QPushButton*>("findingRemedy/" + rule); }
    QLabel* fixed(const QString& rule) { return panel.findChild<QLabel*>("findingFixed/" + rule); }
    QPushButton* inStatusBar() { return line.findChild<QPushButton*>(QStringLiteral("findingsStatus")); }

    AppContext context;
    Linting linting;
    FindingsPanel panel;
    QStatusBar line;
    FindingsStatus status;
};

}   // namespace

TEST(Findings, ACardShowsSeverityEvidenceReasonAndOrigin)
{
    Findings with({unweighted, fewRows});
    EXPECT_THAT(with.summary().toStdString(),
                AllOf(HasSubstr("1 error, 1 warning"), HasSubstr(with.context.session.study().name)));
    EXPECT_EQ(with.inStatusBar()->text(), "1 error, 1 warning");
    EXPECT_FALSE(with.inStatusBar()->icon().isNull());
    const auto cards = with.panel.findChildren<FindingCard*>();
    ASSERT_EQ(cards.size(), 2);
    QString words;
    for (const auto* label : cards.at(0)->findChildren<QLabel*>())
        words += label->text() + '\n';
    EXPECT_THAT(words.toStdString(),
                AllOf(HasSubstr("Error"), HasSubstr(unweighted.title), HasSubstr(unweighted.evidence),
                      HasSubstr("Idea: Blundell et al. 2015."), HasSubstr(unweighted.reason)));
    EXPECT_EQ(cards.at(0)->accessibleName().toStdString(), "Error: " + unweighted.title);
    EXPECT_EQ(cards.at(1)->accessibleName().toStdString(), "Warning: " + fewRows.title);
    EXPECT_THAT(cards.at(0)->accessibleDescription().toStdString(),
                AllOf(HasSubstr(unweighted.evidence), HasSubstr("Idea: Blundell et al. 2015.")));
    const auto drawn = [](Severity severity) { return iconOf(severity).pixmap(20, 20).toImage(); };
    EXPECT_NE(drawn(Severity::error), drawn(Severity::warning)) << "by its shape, not by a colour";
    EXPECT_LE(cards.at(0)->width(), with.panel.width()) << "words are wrapped, not cut off";
}

TEST(Findings, ItsButtonFixesTheStudyInOneStepAndUndoRestoresIt)
{
    Findings with({unweighted, fewRows});
    QSignalSpy reported(&with.panel, &FindingsPanel::notified);
    const Study before = with.context.session.study();
    with.remedy("unweighted")->click();
    EXPECT_EQ(with.context.session.study().training.kl_weight, 0.5);
    EXPECT_EQ(with.context.document.undo().undoText(), "Set the KL weight to 0.5");
    ASSERT_EQ(reported.size(), 1);
    EXPECT_THAT(reported.front().front().toString().toStdString(), HasSubstr("Press Train to check the effect"));
    ASSERT_TRUE(with.reach(Session::State::ready));
    EXPECT_FALSE(with.remedy("unweighted")->isEnabled());
    EXPECT_TRUE(with.fixed("unweighted")->isVisibleTo(&with.panel));
    EXPECT_FALSE(with.fixed("few_rows")->isVisibleTo(&with.panel));
    EXPECT_THAT(with.summary().toStdString(), HasSubstr("changed since"));
    EXPECT_EQ(with.inStatusBar()->text(), "1 error, 1 warning");
    with.context.document.undo().undo();
    EXPECT_EQ(with.context.session.study(), before);
    ASSERT_TRUE(with.reach(Session::State::ended));
    EXPECT_TRUE(with.remedy("unweighted")->isEnabled());
    EXPECT_FALSE(with.fixed("unweighted")->isVisibleTo(&with.panel));
}

TEST(Findings, AButtonOpensTheRelatedViewAndARejectedRemedyStatesWhy)
{
    Findings with({fewRows, refusedOne});
    QSignalSpy wanted(&with.panel, &FindingsPanel::viewWanted);
    QSignalSpy refused(&with.panel, &FindingsPanel::refused);
    const Study before = with.context.session.study();
    with.remedy("few_rows")->click();
    ASSERT_EQ(wanted.size(), 1);
    EXPECT_EQ(wanted.front().front().toString(), "calibration");
    EXPECT_TRUE(refused.empty());
    with.remedy("refused_one")->click();
    ASSERT_EQ(refused.size(), 1);
    EXPECT_THAT(refused.front().front().toString().toStdString(),
                AllOf(testing::StartsWith("Not changed."), HasSubstr("-1")));
    EXPECT_EQ(with.context.session.study(), before);
    EXPECT_EQ(with.context.document.undo().count(), 0);
}

TEST(Findings, EveryCardAndButtonIsReachableByKeyboardAndHasAName)
{
    Findings with({unweighted, fewRows});
    with.panel.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&with.panel));
    with.panel.takeFocus();
    const auto cards = with.panel.findChildren<FindingCard*>();
    EXPECT_TRUE(cards.at(0)->hasFocus());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    EXPECT_TRUE(with.remedy("unweighted")->hasFocus());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    EXPECT_TRUE(cards.at(1)->hasFocus());
    for (const auto* button : with.panel.findChildren<QAbstractButton*>())
        EXPECT_FALSE(button->accessibleName().isEmpty() && button->text().isEmpty())
            << button->objectName().toStdString();
    with.remedy("unweighted")->setFocus();
    QTest::keyClick(with.remedy("unweighted"), Qt::Key_Space);
    EXPECT_EQ(with.context.session.study().training.kl_weight, 0.5);
    EXPECT_TRUE(cards.at(0)->hasFocus()) << "not lost with the disabled button";
}

TEST(Findings, AHealthyRunHasNoCard)
{
    Findings with({});
    EXPECT_THAT(with.summary().toStdString(), testing::StartsWith("No findings: "));
    EXPECT_EQ(with.inStatusBar()->text(), "No findings");
    EXPECT_TRUE(with.panel.findChildren<FindingCard*>().empty());
    with.context.session.restart();
    EXPECT_FALSE(with.inStatusBar()->isVisibleTo(&with.line)) << "nothing is known about the running run";
    EXPECT_THAT(with.summary().toStdString(), HasSubstr("when it finishes"));
}
