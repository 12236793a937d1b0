// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/tex_text.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace credence {

namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr std::array<Entry, 10> specials{{{"\\", "\\textbackslash{}"},
                                          {"{", "\\{"},
                                          {"}", "\\}"},
                                          {"$", "\\$"},
                                          {"&", "\\&"},
                                          {"#", "\\#"},
                                          {"%", "\\%"},
                                          {"_", "\\_"},
                                          {"^", "\\textasciicircum{}"},
                                          {"~", "\\textasciitilde{}"}}};

// The right-hand sides are math mode.
constexpr std::array<Entry, 60> mathematics{
    {{"α", "\\alpha"},  {"β", "\\beta"},  {"γ", "\\gamma"},   {"δ", "\\delta"},   {"ε", "\\varepsilon"},
     {"ζ", "\\zeta"},   {"η", "\\eta"},   {"θ", "\\theta"},   {"κ", "\\kappa"},   {"λ", "\\lambda"},
     {"μ", "\\mu"},     {"ν", "\\nu"},    {"ξ", "\\xi"},      {"π", "\\pi"},      {"ρ", "\\rho"},
     {"σ", "\\sigma"},  {"τ", "\\tau"},   {"φ", "\\varphi"},  {"ψ", "\\psi"},     {"ω", "\\omega"},
     {"Γ", "\\Gamma"},  {"Δ", "\\Delta"}, {"Φ", "\\Phi"},     {"Σ", "\\Sigma"},   {"Ω", "\\Omega"},
     {"±", "\\pm"},     {"−", "-"},       {"≥", "\\ge"},      {"≤", "\\le"},      {"≠", "\\ne"},
     {"≈", "\\approx"}, {"·", "\\cdot"},  {"×", "\\times"},   {"√", "\\surd"},    {"∞", "\\infty"},
     {"‖", "\\Vert"},   {"∼", "\\sim"},   {"→", "\\to"},      {"∈", "\\in"},      {"∂", "\\partial"},
     {"∇", "\\nabla"},  {"∑", "\\sum"},   {"½", "\\tfrac12"}, {"¼", "\\tfrac14"}, {"²", "^2"},
     {"³", "^3"},       {"¹", "^1"},      {"⁻", "^{-}"},      {"₀", "_0"},        {"₁", "_1"},
     {"₂", "_2"},       {"₃", "_3"},      {"₄", "_4"},        {"₅", "_5"},        {"ₖ", "_k"},
     {"ᵢ", "_i"},       {"°", "^\\circ"}, {"ᵀ", "^{\\top}"},  {"⁴", "^4"},        {"∫", "\\int"}}};

constexpr std::string_view macron = "\u0304";

std::size_t length_of(std::string_view text)
{
    const auto lead     = static_cast<unsigned char>(text.front());
    const std::size_t n = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    return n < text.size() ? n : text.size();
}

template <std::size_t n>
const Entry* find(const std::array<Entry, n>& entries, std::string_view character)
{
    for (const auto& entry : entries)
        if (entry.first == character)
            return &entry;
    return nullptr;
}

}   // namespace

std::string tex_text(const std::string& text)
{
    std::string out;
    for (std::string_view rest = text; !rest.empty();) {
        const auto character = rest.substr(0, length_of(rest));
        rest.remove_prefix(character.size());
        const auto* math = find(mathematics, character);
        if (rest.starts_with(macron)) {
            rest.remove_prefix(macron.size());
            out.append("\\ensuremath{\\bar{").append(math ? math->second : character).append("}}");
        } else if (math)
            out.append("\\ensuremath{").append(math->second).append("}");
        else if (const auto* special = find(specials, character))
            out += special->second;
        else
            out += character;
    }
    return out;
}

}   // namespace credence
