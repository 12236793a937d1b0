// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/layer_text.h"

#include <algorithm>
#include <string_view>

namespace credence {

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
