// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/dataset.h"
#include "sources/mushroom_bandit.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace credence {

enum class WorldKind {
    mushrooms,   ///< rows of the UCI Mushroom table (Blundell et al. 2015, section 5.3)
    plane,       ///< points in the plane, made up: no file is needed, and what the agent believes can be drawn as a map
};

/// Where the points of the plane lie. Those of class 0 are good to eat.
enum class PlaneShape { two_moons, circles, xor_squares };

struct WorldOptions {
    WorldKind kind = WorldKind::plane;
    std::string file =
        {};   ///< mushrooms: agaricus-lepiota.data; empty: mushroom/agaricus-lepiota.data in one of data_folders()
    PlaneShape shape = PlaneShape::two_moons;   ///< plane
    double noise     = 0.15;                    ///< plane: standard deviation of the points' distance from the shape

    bool operator==(const WorldOptions&) const = default;
};

/// What an agent meets in one interaction.
struct BanditContext {
    std::vector<float> inputs;   ///< [n_features]: what the agent sees
    bool edible     = false;     ///< what it does not see
    std::size_t row = 0;         ///< mushrooms: of the table, 0-based
    bool lucky      = false;     ///< the side of the coin on which a poisonous one does no harm

    bool operator==(const BanditContext&) const = default;
};

/// A bandit with contexts: in each interaction a mushroom comes by, and the agent eats it or leaves it. Rewards are those of mushroom_bandit. Immutable, may be read from many threads.
/// What comes by is a pure function of (seed, t): all agents with the same seed meet the same mushrooms with the same luck.
class BanditWorld {
public:
    /// @throws Error (field "world.file") if the table is not there, is no table of mushrooms (e or p in the first column, then 22 attributes) or cannot be read; (field "world.noise")
    explicit BanditWorld(const WorldOptions& options);

    const WorldOptions& options() const { return options_; }
    bool is_plane() const { return options_.kind == WorldKind::plane; }
    /// Numbers of a context: 2 in the plane; of mushrooms one column for each value of each attribute, `?` among them: 117 of the whole table.
    std::size_t n_features() const;
    const std::vector<std::string>& feature_names() const { return names_; }
    /// Rows of the table; 0 in the plane, where contexts have no end.
    std::size_t n_rows() const { return table_ ? table_->n_rows : 0; }

    /// Interaction t = 0, 1, … of the courses with this seed: row, class and place from (seed, Stream::bandit_contexts, t), the coin from (seed, Stream::bandit_coins, t).
    BanditContext context(std::uint64_t seed, long t) const;
    /// The same without allocation. @param[out] into  its `inputs` have [n_features]
    void context(std::uint64_t seed, long t, BanditContext& into) const;

    /// What a person sees of a context: its attributes and their values, {"odor", "foul"}; of the plane its coordinates, {"x1", "0.52"}.
    std::vector<std::pair<std::string, std::string>> description(const BanditContext& context) const;

    /// The part of the plane that is looked at: [x1 from, x1 to, x2 from, x2 to]. @pre is_plane()
    struct Extent {
        double x1_from, x1_to, x2_from, x2_to;
    };
    Extent extent() const;

private:
    WorldOptions options_;
    std::shared_ptr<const Dataset> table_;   // mushrooms; class 0 is edible
    std::vector<std::string> names_;
};

/// The file that a world of mushrooms reads: the one that is named, else mushroom/agaricus-lepiota.data of the first of data_folders() that has it; empty: it is nowhere.
std::filesystem::path mushroom_file(const WorldOptions& options);

}   // namespace credence
