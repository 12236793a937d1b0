// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/state_bytes.h"

#include "foundation/aligned_vector.h"
#include "foundation/error.h"
#include "foundation/hashes.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace credence {
namespace {

enum class Fruit { apple, pear };

struct Basket {
    long count    = 0;
    double weight = 0;
    bool ripe     = false;
    Fruit fruit   = Fruit::apple;
    std::string label{};
    std::optional<double> price{};
    std::vector<int> sizes{};
    std::vector<std::string> owners{};
    std::vector<double> fixed   = std::vector<double>(3);
    aligned_vector<float> large = aligned_vector<float>(40000);

    void serialise(StateBytes& state)
    {
        state.section("basket");
        state.value(count);
        state.value(weight);
        state.value(ripe);
        state.within(fruit, 0, 1);
        state.value(label);
        state.value(price);
        state.list(sizes);
        state.list(owners, [](StateBytes& s, std::string& owner) { s.value(owner); });
        state.values(std::span(fixed));
        state.lasting(large);
    }
    bool operator==(const Basket&) const = default;
};

Basket full_basket()
{
    Basket basket{7, 1.0 / 3, true, Fruit::pear, "τ", 2.5, {1, 2, 3}, {"a", ""}, {0.1, 0.2, 0.3}};
    std::iota(basket.large.begin(), basket.large.end(), 0.5f);
    return basket;
}

/// Pieces in memory.
class Shelf final : public StateBytes::Pieces {
public:
    std::uint32_t put(std::string_view bytes) override
    {
        ++asked;
        const auto at = std::find(pieces.begin(), pieces.end(), bytes);
        if (at != pieces.end())
            return static_cast<std::uint32_t>(at - pieces.begin());
        pieces.emplace_back(bytes);
        return static_cast<std::uint32_t>(pieces.size() - 1);
    }
    void get(std::uint32_t number, std::span<char> bytes) override
    {
        const std::string& piece = pieces.at(number);
        std::copy(piece.begin(), piece.end(), bytes.begin());
    }
    std::vector<std::string> pieces;
    int asked = 0;
};

}   // namespace

TEST(StateBytes, RoundTrip)
{
    Shelf shelf;
    for (StateBytes::Pieces* pieces :
         {static_cast<StateBytes::Pieces*>(nullptr), static_cast<StateBytes::Pieces*>(&shelf)}) {
        Basket basket = full_basket(), empty;
        StateBytes writing(pieces);
        basket.serialise(writing);
        StateBytes reading(writing.bytes(), pieces);
        empty.serialise(reading);
        EXPECT_NO_THROW(reading.end());
        EXPECT_TRUE(empty == basket);
        EXPECT_TRUE(basket == full_basket()) << "writing changes nothing";
    }
    EXPECT_EQ(shelf.pieces.size(), 2u) << "160,000 bytes: two whole pieces, the rest among the others";
}

TEST(StateBytes, StoresEqualPiecesOnce)
{
    Shelf shelf;
    aligned_vector<float> growing(20000, 1.0f);
    std::iota(growing.begin(), growing.end(), 0.0f);
    for (const std::size_t n : {17000u, 18000u, 20000u}) {
        StateBytes writing(&shelf);
        writing.lasting(std::span(growing).first(n));
    }
    EXPECT_EQ(shelf.asked, 3);
    EXPECT_EQ(shelf.pieces.size(), 1u);
}

TEST(StateBytes, RejectsWrongLengthsAndTypes)
{
    Basket basket = full_basket();
    basket.large.resize(10);
    StateBytes writing;
    basket.serialise(writing);
    const std::string whole = writing.bytes();
    const auto reads        = [](const std::string& bytes) {
        Basket read;
        read.large.resize(10);
        StateBytes state(bytes, nullptr);
        read.serialise(state);
        state.end();
    };
    EXPECT_NO_THROW(reads(whole));
    for (std::size_t n = 0; n < whole.size(); ++n)
        EXPECT_THROW(reads(whole.substr(0, n)), Error) << n;
    EXPECT_THROW(reads(whole + '\0'), Error);
    for (std::size_t i = 0; i < whole.size(); ++i)   // a number can change, but nothing else happens
        try {
            auto flipped = whole;
            flipped[i]   = static_cast<char>(flipped[i] ^ 0xff);
            reads(flipped);
        } catch (const Error&) {}
    StateBytes of_another;
    of_another.section("box");
    EXPECT_THROW(reads(of_another.bytes()), Error);
}

TEST(TextHash, HasThePublishedValuesOfFnv1a)
{
    EXPECT_EQ(text_hash(""), "cbf29ce484222325");
    EXPECT_EQ(text_hash("a"), "af63dc4c8601ec8c");
    EXPECT_EQ(text_hash("foobar"), "85944171f73967e8");
    Fnv1a<std::uint32_t> hash;
    hash.add_text("foobar");
    EXPECT_EQ(hex_digits(hash.value()), "bf9cf968");
}

TEST(StateHash, ChangesWithEachFlippedBit)
{
    std::string bytes(100, 'a');
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    const auto add = [&] {
        const auto hash = hash_of(bytes);
        return seen.insert({hash.a, hash.b}).second;
    };
    EXPECT_TRUE(add());
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
        EXPECT_TRUE(add()) << bit;
        bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    }
    for (int n = 0; n < 70; ++n) {
        bytes.push_back('\0');
        EXPECT_TRUE(add()) << n;
    }
}

}   // namespace credence
