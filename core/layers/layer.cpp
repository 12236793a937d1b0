// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/layer.h"

#include <nlohmann/json.hpp>

#include <type_traits>

namespace credence {
namespace {

/// Calls body(std::type_identity<Kind>{}) for each kind until one returns true.
template <class Body, class... Kinds>
bool first_kind(std::type_identity<std::variant<Kinds...>>, Body body)
{
    return (body(std::type_identity<Kinds>{}) || ...);
}
template <class Body>
bool first_kind(Body body)
{
    return first_kind(std::type_identity<Layer>{}, body);
}

/// Collects a property of all kinds.
template <class Of>
std::string of_all_kinds(Of of)
{
    std::string all;
    first_kind([&](auto kind) {
        all += (all.empty() ? "" : ", ") + std::string(of(kind));
        return false;
    });
    return all;
}

std::string with_or(std::string list) { return list.replace(list.rfind(", "), 2, " or "); }

}   // namespace

bool has_weights(const Layer& layer)
{
    return std::visit([](const auto& kind) { return kind.has_weights; }, layer);
}
bool needs_image(const Layer& layer)
{
    return std::visit([](const auto& kind) { return kind.needs_image; }, layer);
}
SecondDerivative second_derivative(const Layer& layer)
{
    return std::visit([](const auto& kind) { return kind.second_derivative(); }, layer);
}

bool has_noise(const Layer& layer)
{
    return std::visit([](const auto& kind) { return kind.has_noise(); }, layer);
}

LayerWeights layer_weights(const Layer& layer, ImageShape in, ImageShape out)
{
    return std::visit(
        [&]<class Kind>(const Kind& kind) -> LayerWeights {
            if constexpr (Kind::has_weights)
                return kind.layer_weights(in, out);
            else
                return {};
        },
        layer);
}

void pass(const Layer& layer, Flow& flow)
{
    const ImageShape in = flow.shape;
    const bool saved    = flow.saved.channels > 0;
    flow.saved.step     = 1;
    std::visit([&](const auto& kind) { kind.pass(flow); }, layer);
    if (saved)
        flow.require_fit(in);
}

Layer layer_from_text(LayerWords& words)
{
    Layer layer;
    const bool known = first_kind([&]<class Kind>(std::type_identity<Kind>) {
        const std::optional<Kind> found = Kind::from_text(words);
        if (found)
            layer = *found;
        return found.has_value();
    });
    if (!known)
        words.refuse("expected " + layer_words() + ".");
    return layer;
}

Layer layer_from_json(const nlohmann::json& json, std::size_t number)
{
    Layer layer;
    const LayerJson members(json, number);
    const bool known = first_kind([&]<class Kind>(std::type_identity<Kind>) {
        if (!members.has(Kind::json_name))
            return false;
        layer = Kind::from_json(members);
        return true;
    });
    if (!known)
        members.refuse("found " + json.dump() + ", expected "
                       + with_or(of_all_kinds([]<class Kind>(std::type_identity<Kind>) { return Kind::json_name; }))
                       + ".");
    return layer;
}

std::string text_of(const Layer& layer)
{
    return std::visit([](const auto& kind) { return kind.text(); }, layer);
}

nlohmann::json json_of(const Layer& layer)
{
    nlohmann::json json;
    for (const auto& [name, value] : std::visit([](const auto& kind) { return kind.json(); }, layer))
        std::visit([&, name = name](const auto& one) { json[name] = one; }, value);
    return json;
}

std::string layer_words()
{
    return with_or(of_all_kinds([]<class Kind>(std::type_identity<Kind>) { return Kind::words; }));
}

std::string layer_syntax()
{
    return of_all_kinds([]<class Kind>(std::type_identity<Kind>) { return Kind::syntax; });
}

}   // namespace credence
