# SPDX-License-Identifier: GPL-3.0-or-later
# What can be wrong with a run, in the order in which findings are shown. RULE stands for core/linter/RULE.cpp, which says everything the program knows of it in
# one function RULE_rule(), and for tests/unit/linter/RULE_test.cpp.
set(CREDENCE_LINT_RULES
    kl_weight)
