# SPDX-License-Identifier: GPL-3.0-or-later
# Formats of image data sets, in the order in which a path is tried. FORMAT means
# core/formats/FORMAT_format.cpp, which describes the format completely in one function FORMAT_format(),
# and tests/unit/formats/FORMAT_format_test.cpp, if it exists.
set(CREDENCE_IMAGE_FORMATS
    mnist
    cifar10
    npz
    gtsrb
    cifar10_archive
    pictures)
