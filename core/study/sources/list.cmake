# SPDX-License-Identifier: GPL-3.0-or-later
# Where data come from, in the order in which the window shows them. SOURCE stands for core/study/sources/SOURCE.cpp, which says everything the program knows of it
# in one function SOURCE_source(), and for tests/unit/study/sources/SOURCE_test.cpp, if there is one.
# What makes or reads the data (generators, strokes, sets at hand, formats) stands in core/sources and core/formats, and knows no Study.
set(CREDENCE_SOURCES
    toy
    drawn
    csv
    strokes
    traffic_signs
    images)
