// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_world.h"

#include "formats/csv.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "random/noise.h"
#include "sources/image_sources.h"
#include "sources/toy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace credence {
namespace {

constexpr auto file_field   = "world.file";
constexpr auto usual_place  = "mushroom/agaricus-lepiota.data";
constexpr int places_of_arc = 4096;   // noise-free points per class of a shape
constexpr double most_noise = 10;

/// Chooses one of n by a word of 32 random bits.
std::size_t nth_of(std::size_t n, std::uint32_t word)
{
    return static_cast<std::size_t>((std::uint64_t{word} * n) >> 32);
}

double unit_interval(std::uint32_t word) { return (static_cast<double>(word) + 0.5) / 4294967296.0; }

/// Splits a column name into attribute and value: "odor=f".
std::pair<std::string, std::string> parted(const std::string& name)
{
    const auto equals = name.rfind('=');
    return equals == std::string::npos ? std::pair(name, std::string())
                                       : std::pair(name.substr(0, equals), name.substr(equals + 1));
}

/// For each input of the table, which attribute it belongs to.
std::size_t count_attributes(const Dataset& table)
{
    std::size_t n = 0;
    for (std::size_t j = 0; j < table.n_features; ++j)
        n += j == 0 || parted(table.feature_names[j]).first != parted(table.feature_names[j - 1]).first;
    return n;
}

std::shared_ptr<const Dataset> read_mushrooms(const WorldOptions& options)
{
    const auto file = mushroom_file(options);
    if (file.empty())
        throw Error(file_field,
                    "The mushroom data were not found. Expected the path of agaricus-lepiota.data (UCI Mushroom) in "
                    "world.file, or the file at "
                        + std::string(usual_place) + " in the folder that CREDENCE_DATA_DIR names or in "
                        + user_data_folder().string() + ".");
    auto table = std::make_shared<Dataset>();
    try {
        *table = read_csv(file, {.target = "1", .task = Task::classification});
    } catch (const Error& error) {
        throw Error(file_field, error.what());
    }
    const std::size_t attributes = count_attributes(*table);
    if (attributes != mushroom_bandit::n_attributes)
        throw Error(file_field, file.string() + ": found " + std::to_string(attributes)
                                    + " attributes after the first column, expected the 22 of UCI Mushroom.");
    if (table->class_names != std::vector<std::string>{"e", "p"})
        throw Error(file_field,
                    file.string()
                        + ": the first column has values other than e (edible) and p (poisonous), expected only "
                          "these.");
    return table;
}

struct MushroomAttribute {
    const char* name;
    std::string_view letters;   // "b=bell,c=conical,"
};
constexpr std::string_view stalk_surface = "f=fibrous,k=silky,s=smooth,y=scaly,",
                           stalk_colour  = "b=buff,c=cinnamon,e=red,g=grey,n=brown,o=orange,p=pink,w=white,y=yellow,";
/// The words of agaricus-lepiota.names, the description of the table.
constexpr MushroomAttribute mushroom_attributes[mushroom_bandit::n_attributes] = {
    {"cap shape", "b=bell,c=conical,f=flat,k=knobbed,s=sunken,x=convex,"},
    {"cap surface", "f=fibrous,g=grooved,s=smooth,y=scaly,"},
    {"cap colour", "b=buff,c=cinnamon,e=red,g=grey,n=brown,p=pink,r=green,u=purple,w=white,y=yellow,"},
    {"bruises", "f=no,t=yes,"},
    {"odor", "a=almond,c=creosote,f=foul,l=anise,m=musty,n=none,p=pungent,s=spicy,y=fishy,"},
    {"gill attachment", "a=attached,d=descending,f=free,n=notched,"},
    {"gill spacing", "c=close,d=distant,w=crowded,"},
    {"gill size", "b=broad,n=narrow,"},
    {"gill colour",
     "b=buff,e=red,g=grey,h=chocolate,k=black,n=brown,o=orange,p=pink,r=green,u=purple,w=white,y=yellow,"},
    {"stalk shape", "e=enlarging,t=tapering,"},
    {"stalk root", "?=missing,b=bulbous,c=club,e=equal,r=rooted,u=cup,z=rhizomorphs,"},
    {"stalk surface above ring", stalk_surface},
    {"stalk surface below ring", stalk_surface},
    {"stalk colour above ring", stalk_colour},
    {"stalk colour below ring", stalk_colour},
    {"veil type", "p=partial,u=universal,"},
    {"veil colour", "n=brown,o=orange,w=white,y=yellow,"},
    {"ring number", "n=none,o=one,t=two,"},
    {"ring type", "c=cobwebby,e=evanescent,f=flaring,l=large,n=none,p=pendant,s=sheathing,z=zone,"},
    {"spore print", "b=buff,h=chocolate,k=black,n=brown,o=orange,r=green,u=purple,w=white,y=yellow,"},
    {"population", "a=abundant,c=clustered,n=numerous,s=scattered,v=several,y=solitary,"},
    {"habitat", "d=woods,g=grass,l=leaves,m=meadows,p=paths,u=urban,w=waste,"}};

}   // namespace

std::filesystem::path mushroom_file(const WorldOptions& options)
{
    if (!options.file.empty())
        return options.file;
    std::error_code ignored;
    for (const auto& folder : data_folders())
        if (std::filesystem::is_regular_file(folder / usual_place, ignored))
            return folder / usual_place;
    return {};
}

BanditWorld::BanditWorld(const WorldOptions& options) : options_(options)
{
    if (options.kind == WorldKind::mushrooms) {
        table_ = read_mushrooms(options);
        names_ = table_->feature_names;
        return;
    }
    if (!(options.noise >= 0 && options.noise <= most_noise))
        throw Error("world.noise", "world.noise is " + plain_text(options.noise) + ", expected a number from 0 to "
                                       + plain_text(most_noise) + ".");
    names_ = {"x1", "x2"};
}

std::size_t BanditWorld::n_features() const { return names_.size(); }

BanditContext BanditWorld::context(std::uint64_t seed, long t) const
{
    BanditContext made;
    made.inputs.resize(n_features());
    context(seed, t, made);
    return made;
}

void BanditWorld::context(std::uint64_t seed, long t, BanditContext& into) const
{
    const auto index = static_cast<std::uint32_t>(t);
    const NoiseKey key{seed, Stream::bandit_contexts, index};
    std::array<std::uint32_t, 4> words{};
    random_bits(key, 0, words);
    std::array<std::uint32_t, 1> coin{};
    random_bits({seed, Stream::bandit_coins, index}, 0, coin);
    into.lucky = coin[0] >> 31 != 0;
    if (table_) {
        into.row      = nth_of(table_->n_rows, words[0]);
        into.edible   = table_->labels[into.row] == 0;
        const auto at = table_->row(into.row);
        std::copy(at.begin(), at.end(), into.inputs.begin());
        return;
    }
    const int k       = words[0] >> 31 != 0 ? 1 : 0;
    const int i       = static_cast<int>(nth_of(places_of_arc, words[1]));
    const ToyPoint at = options_.shape == PlaneShape::two_moons ? moon(k, i, places_of_arc)
                        : options_.shape == PlaneShape::circles
                            ? circle(k, i, places_of_arc)
                            : xor_square(k, i, unit_interval(words[2]), unit_interval(words[3]));
    std::array<double, 2> z{};
    standard_normals(key, 0, std::span<double>(z));
    into.edible    = k == 0;
    into.row       = 0;
    into.inputs[0] = static_cast<float>(at.x + options_.noise * z[0]);
    into.inputs[1] = static_cast<float>(at.y + options_.noise * z[1]);
}

std::vector<std::pair<std::string, std::string>> BanditWorld::description(const BanditContext& context) const
{
    std::vector<std::pair<std::string, std::string>> words;
    if (!table_) {
        for (std::size_t j = 0; j < names_.size(); ++j)
            words.emplace_back(names_[j], number_text(static_cast<double>(context.inputs[j]), 3));
        return words;
    }
    for (std::size_t j = 0; j < names_.size(); ++j)
        if (context.inputs[j] != 0 && words.size() < mushroom_bandit::n_attributes)
            words.emplace_back(mushroom_bandit::attribute_name(words.size()),
                               mushroom_bandit::value_name(words.size(), parted(names_[j]).second));
    return words;
}

BanditWorld::Extent BanditWorld::extent() const
{
    const double room = 0.4 + 2 * options_.noise;
    switch (options_.shape) {
    case PlaneShape::two_moons: return {-1 - room, 2 + room, -0.5 - room, 1 + room};
    case PlaneShape::circles:
    case PlaneShape::xor_squares: break;
    }
    return {-1 - room, 1 + room, -1 - room, 1 + room};
}

namespace mushroom_bandit {

const char* attribute_name(std::size_t i) { return mushroom_attributes[i].name; }

std::string value_name(std::size_t i, const std::string& letter)
{
    const std::string_view all = mushroom_attributes[i].letters;
    for (std::size_t at = 0; letter.size() == 1 && at < all.size();) {
        const std::size_t end = all.find(',', at);
        if (all[at] == letter.front())
            return std::string(all.substr(at + 2, end - at - 2));
        at = end + 1;
    }
    return letter;
}

}   // namespace mushroom_bandit
}   // namespace credence
