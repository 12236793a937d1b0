# SPDX-License-Identifier: GPL-3.0-or-later
# Noise models of regressions, in the order in which the window shows them. NAME stands for core/network/likelihoods/NAME.cpp with its one
# function NAME_noise_model(), and for tests/unit/network/likelihoods/NAME_test.cpp, if there is one. The id in files can differ: gaussian is "given".
set(CREDENCE_NOISE_MODELS
    gaussian
    gaussian_level
    gaussian_learned
    student_t)
