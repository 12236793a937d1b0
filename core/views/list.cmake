# SPDX-License-Identifier: GPL-3.0-or-later
# The pictures that can be made of a run, in the order of the window. VIEW stands for core/views/VIEW.cpp, which says everything the program knows of it in one
# function VIEW_view(), and for tests/unit/views/VIEW_test.cpp, if there is one.
set(CREDENCE_VIEWS
    decision_map
    regression_band
    boxplots
    intervals
    simplex
    verdict
    beta_marginals
    nearest_images
    disturbance_curve
    layers
    layers_over_training
    laplace_evidence
    weights
    signal_to_noise
    one_weight
    prior_and_start
    kernels
    training_curves
    certainty
    certain_but_wrong
    image_list
    confusion
    roc
    calibration
    out_of_distribution
    list_lengths
    laplace_maps
    bridge_scores
    chain_convergence
    chain_traces
    compare_truth
    truth_boxplots
    scores)
