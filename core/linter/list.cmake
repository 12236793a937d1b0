# SPDX-License-Identifier: GPL-3.0-or-later
# Linter rules, in the order in which findings are shown. RULE stands for the function RULE_rule() in
# core/linter/SUBJECT_rules.cpp, tested in tests/unit/linter/SUBJECT_rules_test.cpp.
set(CREDENCE_LINT_RULES
    not_finite
    noise_scale
    lost_digits
    test_rows_seen
    test_rows_trained_on
    table_changed
    kl_weight
    step_size
    draws_alike
    posterior_at_prior
    posterior_at_start
    tau_at_guard
    tau_still_moves
    divergences
    r_hat
    ess
    e_bfmi
    depth_limit
    funnel_unseen
    interval_level
    interval_coverage
    bridge_region
    evidence_precision
    evidence_range
    class_untrained
    rare_categories
    class_imbalance
    no_better_than_guessing
    calibration_bins
    ood_without_own_rows
    ood_resampled
    difference_of_runs)
