# SPDX-License-Identifier: GPL-3.0-or-later
# Methods, in the order in which the window shows them. METHOD stands for core/methods/METHOD.cpp with its one function METHOD_method(),
# and for tests/unit/methods/METHOD_test.cpp, if there is one.
# They are part of the library study, on whose Study, fields and experiments they depend; nothing there includes a header from here.
set(CREDENCE_METHODS
    point_estimate
    bernoulli_dropout
    mean_field
    layer_scale
    tridiagonal
    laplace
    nuts
    hmc
    sgld
    psgld
    sghmc
    cyclical_sgld
    sgfuncrld
    deep_ensemble
    swag)
