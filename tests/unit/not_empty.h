// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <iterator>
#include <utility>

namespace credence {

/// Returns the list and fails if it is empty, so that a loop over it cannot pass without a comparison.
template <class List>
List not_empty(List&& list)
{
    EXPECT_NE(std::begin(list), std::end(list)) << "there is nothing to compare";
    return std::forward<List>(list);
}

}   // namespace credence
