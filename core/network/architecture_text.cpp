// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "network/architecture.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
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

std::vector<Layer> layers_from_text(const std::string& text)
{
    std::vector<Layer> layers;
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
        return layers;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        LayerWords words(std::string_view(text).substr(begin, end - begin), layers.size());
        if (words.empty())
            words.refuse("expected " + layer_words() + ".");
        layers.push_back(layer_from_text(words));
        if (words.more())
            words.refuse("expected a comma before '" + std::string(words.word()) + "'.");
        begin = end + 1;
    }
    return layers;
}

std::string layers_text(const std::vector<Layer>& layers)
{
    std::string text;
    for (const Layer& layer : layers) {
        if (!text.empty())
            text += ", ";
        text += text_of(layer);
    }
    return text;
}

std::string layers_text(const Architecture& architecture) { return layers_text(architecture.layers); }

}   // namespace credence
