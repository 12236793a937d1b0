// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "network/architecture.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace credence {

using nlohmann::json;

void to_json(json& out, const Architecture& architecture)
{
    out = {{"inputs", architecture.inputs}, {"layers", json::array()}};
    if (const auto& image = architecture.image)
        out["image"] = {image->channels, image->height, image->width};
    for (const Layer& layer : architecture.layers)
        out["layers"].push_back(json_of(layer));
}

void from_json(const json& in, Architecture& architecture)
{
    Architecture read;
    try {
        read.inputs = in.at("inputs").get<int>();
        if (in.contains("image")) {
            const json& image = in.at("image");
            read.image        = ImageShape{image.at(0).get<int>(), image.at(1).get<int>(), image.at(2).get<int>()};
        }
        const json& layers = in.at("layers");
        for (std::size_t l = 0; l < layers.size(); ++l)
            read.layers.push_back(layer_from_json(layers.at(l), l));
    } catch (const json::exception& mistake) {
        throw Error("network", std::string("The network's description is not readable: ") + mistake.what() + ".");
    }
    read.check();
    architecture = std::move(read);
}

}   // namespace credence
