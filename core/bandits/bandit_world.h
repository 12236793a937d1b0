// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/dataset.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace credence {

enum class WorldKind {
    mushrooms,   ///< rows of the UCI Mushroom table (Blundell et al. 2015, section 5.3)
    plane,       ///< synthetic points in the plane: no file is needed, and beliefs can be drawn as
                 ///< a map
};

/// The shape of the points in the plane. Points of class 0 are edible.
enum class PlaneShape { two_moons, circles, xor_squares };

struct WorldOptions {
    WorldKind kind = WorldKind::plane;
    std::string file =
        {};   ///< mushrooms: agaricus-lepiota.data; empty: mushroom/agaricus-lepiota.data in one of data_folders()
    PlaneShape shape = PlaneShape::two_moons;   ///< plane
    double noise     = 0.15;                    ///< plane: standard deviation of the points' distance from the shape

    bool operator==(const WorldOptions&) const = default;
};

/// The UCI Mushroom table as a bandit. Eating an edible mushroom gives 5, a poisonous one −35 or 5
/// with equal probability; leaving it gives 0 (Blundell et al. 2015, section 5.3).
namespace mushroom_bandit {

inline constexpr std::size_t n_attributes = 22;

/// The name of attribute i = 0 … 21, in the order of the table's columns after the class: "odor".
const char* attribute_name(std::size_t i);
/// Meaning of a letter of attribute i: "foul" for "f" of odor; unknown letters are returned unchanged.
std::string value_name(std::size_t i, const std::string& letter);

inline constexpr double eaten_reward = 5, poisoned_reward = -35;

/// @param lucky  true if a poisonous mushroom does no harm
inline double reward(bool edible, bool eat, bool lucky)
{
    return !eat ? 0 : edible || lucky ? eaten_reward : poisoned_reward;
}
/// The expectation of `reward` over `lucky`.
inline double expected_reward(bool edible, bool eat)
{
    return 0.5 * (reward(edible, eat, true) + reward(edible, eat, false));
}
/// Reward of an oracle that eats exactly the edible mushrooms.
inline double oracle_reward(bool edible) { return expected_reward(edible, edible); }

}   // namespace mushroom_bandit

/// What an agent meets in one interaction.
struct BanditContext {
    std::vector<float> inputs;   ///< [n_features]: visible to the agent
    bool edible     = false;     ///< hidden from the agent
    std::size_t row = 0;         ///< mushrooms: of the table, 0-based
    bool lucky      = false;     ///< the outcome of the coin for which a poisonous mushroom does no
                                 ///< harm

    bool operator==(const BanditContext&) const = default;
};

/// A contextual bandit: in each interaction the agent meets a mushroom and eats or leaves it.
/// Rewards are those of mushroom_bandit. Immutable, can be read from many threads. The mushroom is
/// a pure function of (seed, t): all agents with the same seed meet the same mushrooms with the
/// same luck.
class BanditWorld {
public:
    /// @throws Error (field "world.file") if the table is missing, is not a mushroom table (e or p
    /// in the first column, then 22 attributes) or cannot be read; (field "world.noise")
    explicit BanditWorld(const WorldOptions& options);

    const WorldOptions& options() const { return options_; }
    bool is_plane() const { return options_.kind == WorldKind::plane; }
    /// Length of a context: 2 in the plane; for mushrooms one column per value of each attribute,
    /// including `?`: 117 for the whole table.
    std::size_t n_features() const;
    const std::vector<std::string>& feature_names() const { return names_; }
    /// Rows of the table; 0 in the plane, which has unlimited contexts.
    std::size_t n_rows() const { return table_ ? table_->n_rows : 0; }

    /// Interaction t = 0, 1, … of the courses with this seed: row, class and position from (seed,
    /// Stream::bandit_contexts, t), the coin from (seed, Stream::bandit_coins, t).
    BanditContext context(std::uint64_t seed, long t) const;
    /// The same without allocation. @param[out] into  its `inputs` have [n_features]
    void context(std::uint64_t seed, long t, BanditContext& into) const;

    /// A readable context: its attributes and values, {"odor", "foul"}; in the plane its
    /// coordinates, {"x1", "0.52"}.
    std::vector<std::pair<std::string, std::string>> description(const BanditContext& context) const;

    /// The displayed part of the plane: [x1 from, x1 to, x2 from, x2 to]. @pre is_plane()
    struct Extent {
        double x1_from, x1_to, x2_from, x2_to;
    };
    Extent extent() const;

private:
    WorldOptions options_;
    std::shared_ptr<const Dataset> table_;   // mushrooms; class 0 is edible
    std::vector<std::string> names_;
};

/// The mushroom file: the named one, otherwise mushroom/agaricus-lepiota.data in the first of
/// data_folders() that has it; empty: not found.
std::filesystem::path mushroom_file(const WorldOptions& options);

}   // namespace credence
