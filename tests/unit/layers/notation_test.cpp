// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/layer.h"

#include "foundation/error.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace credence {
namespace {

using testing::EndsWith;
using testing::StartsWith;

// Only the beginning and end of the message are checked: a new kind adds a word between.
TEST(Notation, AnUnknownWordIsRejectedByTheListOfAllKinds)
{
    LayerWords words("pool 2", 1);
    const std::string sentence = sentence_of_error([&] { layer_from_text(words); });
    EXPECT_THAT(
        sentence,
        StartsWith(
            "Layer 2 of the network: found 'pool 2', expected conv, max, average, norm, dense, dropout, flatten, "));
    EXPECT_THAT(sentence, EndsWith(", relu, tanh, sigmoid, softplus, elu or identity."));
}

TEST(Notation, AnUnknownMemberIsRejectedByTheListOfAllKinds)
{
    const std::string sentence = sentence_of_error([] { layer_from_json({{"attention", 3}}, 0); });
    EXPECT_THAT(
        sentence,
        StartsWith("Layer 1 of the network: found {\"attention\":3}, expected conv, pool, response_norm, dense, "
                   "dropout, flatten"));
    EXPECT_THAT(sentence, EndsWith(" or activation."));
}

TEST(Notation, TheHelpNamesEveryKind)
{
    EXPECT_THAT(
        layer_syntax(),
        StartsWith("conv FILTERS KERNEL [stride S] [pad P], max KERNEL [STRIDE], average KERNEL [STRIDE], norm SIZE "
                   "ALPHA BETA, "
                   "dense UNITS, dropout RATE, flatten, "));
    EXPECT_THAT(layer_syntax(), EndsWith(", relu, tanh, sigmoid, softplus, elu, identity"));
}

}   // namespace
}   // namespace credence
