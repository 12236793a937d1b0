# SPDX-License-Identifier: GPL-3.0-or-later
# Data sources, in the order in which the window shows them. SOURCE stands for core/study/sources/SOURCE.cpp with its one function
# SOURCE_source(), and for tests/unit/study/sources/SOURCE_test.cpp, if there is one.
# Generators, strokes, installed data sets and file formats are in core/sources and core/formats, which do not know Study.
set(CREDENCE_SOURCES
    toy
    drawn
    csv
    strokes
    traffic_signs
    images)
