# SPDX-License-Identifier: GPL-3.0-or-later
# How data sets of images are kept in files, in the order in which a path is tried. FORMAT stands for core/formats/FORMAT_format.cpp, which says everything the
# program knows of it in one function FORMAT_format(), and for tests/unit/formats/FORMAT_format_test.cpp, if there is one.
set(CREDENCE_IMAGE_FORMATS
    mnist
    cifar10
    npz
    gtsrb
    cifar10_archive
    pictures)
