// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/logit_source.h"

#include "session/settings.h"
#include "simplex/simplex_workbench.h"
#include "window_driver.h"

#include "study/presets.h"

#include <QAction>
#include <QComboBox>
#include <QToolButton>

using namespace credence;
using testing::HasSubstr;

namespace {

QAction* action(WindowDriver& window, const char* name)
{
    auto* found = window->findChild<QAction*>(QString::fromLatin1(name));
    EXPECT_NE(found, nullptr) << name;
    return found;
}

/// Of the view in the dock *Chosen input*, put in front.
std::string captionOf(WindowDriver& window, const char* view)
{
    auto* panel = window.showView(view);
    EXPECT_TRUE(window.waitForPictures());
    return panel->chart().caption;
}

void trainAs(WindowDriver& window, const char* study)
{
    window->session().setStudy(preset(study));
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(30));
}

/// What other tests chose is forgotten before and after.
class LogitChoiceTest : public testing::Test {
protected:
    LogitChoiceTest() { forget(); }
    ~LogitChoiceTest() override { forget(); }
    static void forget()
    {
        stateFile().remove(settings::bridgeVariant.key);
        stateFile().remove(settings::logitsBy.key);
    }
};

}   // namespace

TEST_F(LogitChoiceTest, IsSharedByAllViewsOfTheRunAndTheTabSimplex)
{
    WindowDriver window;
    trainAs(window, "two_moons_mean_field");
    EXPECT_THAT(captionOf(window, "beta_marginals"),
                testing::AllOf(HasSubstr("Laplace Bridge: projected"), HasSubstr("Logits by sample moments")));
    action(window, "lawVariant/plain")->trigger();
    action(window, "lawLogits/linearisation")->trigger();
    EXPECT_THAT(captionOf(window, "beta_marginals"),
                testing::AllOf(HasSubstr("Laplace Bridge: plain"), HasSubstr("Logits by linearisation")));
    EXPECT_THAT(captionOf(window, "simplex"), HasSubstr("by linearising the network"));
    EXPECT_EQ(window.simplex().editor().state().variant, BridgeVariant::plain);
    window->context().document.undo().undo();
    EXPECT_TRUE(action(window, "lawVariant/projected")->isChecked());
    for (const char* view : {"simplex", "beta_marginals", "list_lengths"})
        EXPECT_THAT(window.find<QToolButton>(QStringLiteral("lawChoice/") + QLatin1String(view))->text().toStdString(),
                    HasSubstr("projected"))
            << view;
}

TEST_F(LogitChoiceTest, IsRemembered)
{
    {
        WindowDriver window;
        action(window, "lawVariant/conditioned")->trigger();
        action(window, "lawLogits/draws")->trigger();
    }
    WindowDriver window;
    EXPECT_TRUE(action(window, "lawVariant/conditioned")->isChecked());
    EXPECT_TRUE(action(window, "lawLogits/draws")->isChecked());
    EXPECT_EQ(window.simplex().editor().state().variant, BridgeVariant::conditioned);
}

TEST_F(LogitChoiceTest, UnavailableChoicesAreDisabledAndStateWhy)
{
    WindowDriver window;
    trainAs(window, "two_moons_mean_field");
    auto* linearised = action(window, "lawLogits/linearisation");
    linearised->trigger();
    EXPECT_TRUE(linearised->isEnabled());
    trainAs(window, "two_moons_bernoulli_dropout");
    EXPECT_FALSE(linearised->isEnabled());
    EXPECT_THAT(linearised->toolTip().toStdString(), HasSubstr("no covariance"));
    EXPECT_TRUE(action(window, "lawLogits/usual")->isChecked());
    EXPECT_THAT(captionOf(window, "beta_marginals"), HasSubstr("Logits by sample moments"));
    trainAs(window, "two_moons_mean_field");   // the request comes back with a family that has it
    EXPECT_THAT(captionOf(window, "beta_marginals"), HasSubstr("Logits by linearisation"));
}
