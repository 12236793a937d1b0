// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/lint.h"

#include "foundation/error.h"
#include "foundation/find_listed.h"
#include "runs/derived_runs.h"

#include <algorithm>
#include <new>
#include <sstream>
#include <string_view>

namespace credence {

std::string_view name_of(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

namespace {

/// The findings about each target; those about the whole run once.
std::optional<LintResult> lint_of_targets(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto names = lint_case.run.experiment->data->training.target_names();
    LintResult result;
    for (std::size_t t = 0; t < names.size(); ++t) {
        LintCase one = lint_case;
        one.run      = run_of_target(lint_case.run, t);
        for (RunSnapshot& other : one.others)
            if (t < other.experiment->data->training.n_targets())
                other = run_of_target(other, t);
        auto found = lint(one, stop);
        if (!found)
            return {};
        for (Finding& finding : found->findings)
            if (std::ranges::find(result.findings, finding) == result.findings.end())
                result.findings.push_back(std::move(finding));
        for (NotJudged& sentence : found->not_judged)
            if (std::ranges::find(result.not_judged, sentence) == result.not_judged.end())
                result.not_judged.push_back(std::move(sentence));
    }
    std::ranges::stable_sort(result.findings, {}, &Finding::severity);
    return result;
}

}   // namespace

std::optional<LintResult> lint(const LintCase& lint_case, const std::stop_token& stop)
{
    if (lint_case.run.experiment->data->training.n_targets() > 1)
        return lint_of_targets(lint_case, stop);
    const auto& experiment = *lint_case.run.experiment;
    LintResult result;
    for (const auto& rule : lint_rules()) {
        if (stop.stop_requested())
            return {};
        std::optional<Finding> finding;
        try {
            finding = rule.check(lint_case, stop);
        } catch (const Error& error) {
            result.not_judged.push_back({rule.id, error.what()});
        } catch (const std::bad_alloc&) {
            result.not_judged.push_back({rule.id, "There was not enough memory to check this rule."});
        }
        if (!finding)
            continue;
        if (experiment.target_of > 0 && rule.about_target)
            finding->evidence = "Target " + experiment.data->training.target_name + ": " + finding->evidence;
        finding->rule      = rule.id;
        finding->idea      = rule.idea;
        finding->threshold = rule.threshold;
        result.findings.push_back(std::move(*finding));
    }
    if (stop.stop_requested())
        return {};
    std::ranges::stable_sort(result.findings, {}, &Finding::severity);
    return result;
}

Study with_remedy(Study study, const Remedy& remedy)
{
    for (const auto& [path, value] : remedy.settings)
        set_field(study, path + "=" + value);
    return study;
}

std::string origin_of(const Finding& finding)
{
    std::string text = finding.idea.empty() ? "" : "Idea: " + finding.idea + ".";
    if (!finding.threshold.empty())
        text += (text.empty() ? "" : " ") + ("Threshold: " + finding.threshold + ".");
    return text;
}

std::vector<std::string> not_judged_lines(const LintResult& result)
{
    std::vector<NotJudged> by_reason;   // the ids of all rules with the same reason, separated by commas
    for (const auto& one : result.not_judged) {
        const auto same = std::ranges::find(by_reason, one.sentence, &NotJudged::sentence);
        if (same == by_reason.end())
            by_reason.push_back(one);
        else
            same->rule += ", " + one.rule;
    }
    std::vector<std::string> lines;
    for (const auto& [rules, sentence] : by_reason)
        lines.push_back(rules + ": " + sentence);
    return lines;
}

std::string findings_text(const LintResult& result)
{
    if (result == LintResult())
        return "The linter found nothing wrong.\n";
    std::string text;
    for (const auto& finding : result.findings) {
        text += text.empty() ? "" : "\n";
        text += (finding.severity == Severity::error ? "Error: " : "Warning: ") + finding.title + '\n';
        text += "  " + finding.evidence + '\n';
        text += "  " + finding.reason + '\n';
        if (const auto origin = origin_of(finding); !origin.empty())
            text += "  " + origin + '\n';
        for (const auto& [path, value] : finding.remedy.settings)
            text += "  --set " + path + "=" + value + '\n';
        if (!finding.remedy.view.empty())
            text += "  --view " + finding.remedy.view + '\n';
    }
    const auto lines = not_judged_lines(result);
    if (!lines.empty())
        text += text.empty() ? "" : "\n";
    for (const auto& line : lines)
        text += "Could not be checked: " + line + '\n';
    return text;
}

std::vector<LintRule> listed_lint_rules();   // made from core/linter/list.cmake

const std::vector<LintRule>& lint_rules()
{
    static const auto all = listed_lint_rules();
    return all;
}

const LintRule& lint_rule(const std::string& id)
{
    if (const auto* found = find_listed(lint_rules(), id))
        return *found;
    throw Error("There is no linter rule \"" + id + "\", expected one of " + listed_ids(lint_rules()) + ".");
}

namespace {

const char* const about_the_linter =
    "# The linter\n"
    "\n"
    "After every run the linter looks for errors and suspicious results. `credence run` and `credence open` print its "
    "findings after the scores and write them into `results.json` (`findings`). A finding shows the measured number, "
    "why it matters, and a remedy: settings (`--set`), or a view that shows it (`--view`). An *error* means that some "
    "numbers of this run do not measure what their names suggest. A *warning* means that you should check it before "
    "you rely on the run. In `results.json`, `severity` is `error` or `warning`; older builds used other words for "
    "these.\n"
    "\n"
    "A rule that applies to the run but cannot be checked, for example because an output is not finite, is listed "
    "under *Could not be checked* (`not_judged`). The linter reports that it found "
    "nothing wrong only if every rule was checked.\n"
    "\n"
    "Rules look at the Study, the recorded training, the final posterior, and the predictions that the scores are "
    "computed from. If there are none yet, they use some rows and fewer samples, so that a large network takes a few "
    "seconds. *Idea* names the paper that defines the rule's quantity, and *threshold* the source of the value at "
    "which it reports a finding; the papers are in [references.md](references.md). [architecture.md](architecture.md) "
    "describes how to add a rule. `credence linter --write` writes this page from the rules.\n";

/// Measured on 2026-11-26 by the command in the text.
const char* const error_rates =
    "\n"
    "## Error rates\n"
    "\n"
    "This table shows how often a rule has a finding without a fault (false alarms), and how often with a fault "
    "(power), in simulations with fixed seeds. `packaging/check` runs them with fewer repeats and checks bounds. This "
    "command prints the table:\n"
    "\n"
    "```console\n"
    "$ CREDENCE_ERROR_RATES=full build/release/tests/linter_error_rates | grep '^|'\n"
    "```\n"
    "\n"
    "| rule | without a fault | findings | with a fault | findings |\n"
    "| --- | --- | --- | --- | --- |\n"
    "| `r_hat` | 50 predictions of 2 to 8 converged AR(1) chains, 50 to 2,000 samples, φ 0 to 0.9 | 0.1 % of 7800 | "
    "one of 4 chains of 500 samples (φ = 0.5) is 1 standard deviation away | 100.0 % of 400 |\n"
    "| `r_hat` | 2 chains of 50 samples (φ = 0), converged | 0.0 % of 200 | 2 chains of 50 samples (φ = 0), one stuck "
    "3 standard deviations away | 100.0 % of 200 |\n"
    "| `r_hat` | 4 chains of 100 samples (φ = 0.5), converged | 1.0 % of 200 | 4 chains of 100 samples (φ = 0.5), one "
    "stuck 3 standard deviations away | 100.0 % of 200 |\n"
    "| `r_hat` | 4 chains of 500 samples (φ = 0.9), converged | 0.0 % of 200 | 4 chains of 500 samples (φ = 0.9), one "
    "stuck 3 standard deviations away | 100.0 % of 200 |\n"
    "| `r_hat` | 8 chains of 200 samples (φ = 0.7), converged | 0.5 % of 200 | 8 chains of 200 samples (φ = 0.7), one "
    "stuck 3 standard deviations away | 100.0 % of 200 |\n"
    "| `ess` | 4 chains of 500 independent samples (ESS 2,000) | 0.0 % of 400 | 4 chains of 500 samples, φ = 0.9 (ESS "
    "105) | 100.0 % of 400 |\n"
    "| `e_bfmi` | 4 chains of 200 energies, φ = 0.5 (E-BFMI 1) | 0.0 % of 2000 | φ = 0.9 (E-BFMI 0.2) | 100.0 % of "
    "2000 |\n"
    "| `difference_of_runs` | identical settings, 2 and 1 seeds: a difference is claimed | 5.3 % of 20000 | 4 "
    "standard deviations of a run apart | 20.6 % of 20000 |\n"
    "| `difference_of_runs` | identical settings, 2 and 2 seeds: a difference is claimed | 2.5 % of 20000 | 4 "
    "standard deviations of a run apart | 30.5 % of 20000 |\n"
    "| `difference_of_runs` | identical settings, 3 and 2 seeds: a difference is claimed | 3.6 % of 20000 | 4 "
    "standard deviations of a run apart | 59.4 % of 20000 |\n"
    "| `difference_of_runs` | identical settings, 3 and 3 seeds: a difference is claimed | 3.6 % of 20000 | 4 "
    "standard deviations of a run apart | 88.6 % of 20000 |\n"
    "| `difference_of_runs` | identical settings, 3 shared seeds: a difference is claimed | 5.1 % of 20000 | 4 "
    "standard deviations of a run apart | 70.7 % of 20000 |\n"
    "| `difference_of_runs` | identical settings, 5 shared seeds: a difference is claimed | 4.8 % of 20000 | 4 "
    "standard deviations of a run apart | 99.5 % of 20000 |\n"
    "| `comparisons of a sweep` | five identical settings, 5 seeds each, ten raw p values: any claim | 33.5 % of "
    "10000 | – | – |\n"
    "| `comparisons of a sweep` | the same with Holm's adjustment: any claim | 4.9 % of 10000 | one setting is 6 "
    "standard deviations of a run away | 99.9 % of 10000 |\n"
    "| `no_better_than_guessing` | 80 % correct with a confidence of 80 %, 100 rows, two classes | 1.2 % of 1000 | "
    "guesses with a confidence of 55 % | 99.8 % of 1000 |\n"
    "| `no_better_than_guessing` | the same | 1.2 % of 1000 | 80 % correct with a confidence of 99.99 % | 92.1 % of "
    "1000 |\n"
    "| `no_better_than_guessing` | 66.1 % correct with a confidence of 80 %, 8 rows, two classes | 2.5 % of 1000 | "
    "50 % correct with a confidence of 99.99 % | 41.0 % of 1000 |\n"
    "| `class_imbalance` | 70 % in one class, 85 % of each class correct, 200 rows | 0.0 % of 1000 | 90 % in one "
    "class, 30 % of the other class correct | 99.6 % of 1000 |\n"
    "| `calibration_bins` | 200 rows, confidence 70 % | 0.0 % of 1000 | 4 rows | 100.0 % of 1000 |\n"
    "| `interval_coverage` | the correct normal distribution, 100 test rows, level 95 % | 0.0 % of 10000 | standard "
    "deviation half of the true one | 100.0 % of 10000 |\n"
    "| `interval_coverage` | the same | 0.0 % of 10000 | standard deviation 2.5 times the true one | 100.0 % of 10000 "
    "|\n"
    "| `evidence_precision` | 200 rows, 5 % become wrong and 5 % right | 0.1 % of 10000 | 20 % become wrong and 2 % "
    "right | 100.0 % of 10000 |\n"
    "| `r_hat` | logistic regression by HMC, 4 chains of 200 and of 500 samples, 4 leapfrog steps | 2.5 % of 40 | its "
    "finding of too few samples (`ess`) | 77.5 % of 40 |\n"
    "| `divergences` | the same runs | 0.0 % of 40 | little noise (preset `cubic`) by NUTS, 50 warm-up iterations, "
    "target acceptance 0.5 | 90.0 % of 20 |\n"
    "| `interval_coverage` | two layers of 32 tanh units trained on a noisy sine, the correct noise, 80 test rows | "
    "0.0 % of 200 | half the correct noise | 100.0 % of 200 |\n"
    "| `interval_coverage` | the same | 0.0 % of 200 | 2.5 times the correct noise | 100.0 % of 200 |\n"
    "| `no_better_than_guessing` | a noisy sine, learned by two layers of 32 tanh units, 80 test rows | 0.0 % of 200 | "
    "noise of 50 times the amplitude: nothing to learn | 100.0 % of 200 |\n"
    "| `no_better_than_guessing` | the same | 0.0 % of 200 | a fifth of the correct noise | 100.0 % of 200 |\n"
    "| `noise_scale` | a trained sine, the correct noise, 1 % of the standard deviation of the targets | 0.0 % of "
    "100 | noise 13 times too small | 100.0 % of 100 |\n"
    "| `noise_scale` | the same | 0.0 % of 100 | noise of twice the standard deviation of the targets | 100.0 % of "
    "100 |\n"
    "| `posterior_at_prior` | two moons by mean field, 1,500 steps of Adam | 0.0 % of 50 | prior sd 0.05 (preset "
    "`bad_narrow_prior`) | 100.0 % of 50 |\n"
    "| `posterior_at_start` | two moons by mean field, 1,500 steps of Adam | 0.0 % of 50 | spreads left at their "
    "start by SGD (preset `bad_still_spreads`) | 100.0 % of 50 |\n"
    "| `draws_alike` | two moons by mean field, 1,500 steps of Adam | 0.0 % of 50 | initial sd 10⁻⁷ and SGD | "
    "100.0 % of 50 |\n"
    "| `step_size` | two moons by mean field, 1,500 steps of Adam | 0.0 % of 50 | 4 chains of 100 samples, a mean "
    "acceptance probability of 0.3 | 100.0 % of 50 |\n"
    "| `tau_still_moves` | two moons with one τ per block, 1,500 steps, a learning rate that falls to 0 | 0.0 % of "
    "50 | a constant learning rate of 0.03 (preset `bad_learning_rate`) | 100.0 % of 50 |\n"
    "| `draws_alike` | 4 chains of 200 samples, 50 % of the proposals are accepted | 0.0 % of 500 | 15 % are "
    "accepted | 100.0 % of 500 |\n"
    "| `bridge_region` | 50 rows of 3 logits, means of standard deviation 3, variance 0.1 | 0.0 % of 500 | means "
    "of standard deviation 0.3, variance 10 | 100.0 % of 500 |\n"
    "| `class_untrained` | exact: a count of rows | – | – | – |\n"
    "| `depth_limit` | exact: a count of trajectories; the error rates of its second condition are those of `ess` "
    "| – | – | – |\n"
    "| `evidence_range` | exact: λ with the ends of its range | – | – | – |\n"
    "| `foreign_resampled` | exact: the sizes of images | – | – | – |\n"
    "| `funnel_unseen` | exact: the findings of `r_hat` and `e_bfmi`, whose error rates it has | – | – | – |\n"
    "| `interval_level` | exact: the number of samples with the level | – | – | – |\n"
    "| `kl_weight` | exact: a setting with 1/N | – | – | – |\n"
    "| `lost_digits` | exact: the spacing of float32 with the spread of a column | – | – | – |\n"
    "| `not_finite` | exact: numbers that are not finite | – | – | – |\n"
    "| `ood_without_own_rows` | exact: which arrays a file has | – | – | – |\n"
    "| `rare_categories` | exact: a count of categories | – | – | – |\n"
    "| `table_changed` | exact: size and hash of a file | – | – | – |\n"
    "| `tau_at_guard` | exact: τ with its smallest allowed value | – | – | – |\n"
    "| `test_rows_seen` | exact: a count of equal rows | – | – | – |\n"
    "| `test_rows_trained_on` | exact: the split of a continued run | – | – | – |\n"
    "\n"
    "`difference_of_runs` and sweeps claim differences, so their false alarms are claimed differences between "
    "identical settings. Exact rules compare numbers without statistics, so they have no error rates. All rules are "
    "also tested on healthy presets and on presets with a fault (`tests/unit/linter/bad_runs_test.cpp`).\n";

/// Returns the number of characters of UTF-8 text.
std::size_t columns_of(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Wraps paragraphs at 100 columns. Tables, headings and code blocks are left as they are.
std::string wrapped_page(const std::string& page)
{
    std::istringstream lines(page);
    std::string result, line;
    bool code = false;
    while (std::getline(lines, line)) {
        const bool fence = line.starts_with("```");
        code             = code != fence;
        if (code || fence || line.starts_with('|') || line.starts_with('#')) {
            result += line + '\n';
            continue;
        }
        std::istringstream words(line);
        std::string word, part;
        while (words >> word) {
            if (!part.empty() && columns_of(part) + 1 + columns_of(word) > 100) {
                result += part + '\n';
                part.clear();
            }
            part += (part.empty() ? "" : " ") + word;
        }
        result += part + '\n';
    }
    return result;
}

}   // namespace

std::string linter_document()
{
    std::string page = about_the_linter;
    page += error_rates;
    for (const auto& rule : lint_rules())
        page += "\n## " + rule.title + "\n\n`" + rule.id + "`: " + rule.what + "\n\n*Idea:* "
                + (rule.idea.empty() ? "none from a paper" : rule.idea) + ". *Threshold:* " + rule.threshold + ".\n";
    return wrapped_page(page);
}

}   // namespace credence
