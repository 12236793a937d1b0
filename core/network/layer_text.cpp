// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/layer_text.h"

#include "foundation/error.h"
#include "foundation/number_text.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace credence {
namespace {

constexpr const char* known = "conv, max, average, norm, dense, dropout, flatten, relu, tanh, sigmoid, softplus, elu or identity";

/// The words of one layer, taken one after the other.
class Words {
public:
    Words(std::string_view text, std::size_t layer) : text_(text), layer_(layer)
    {
        for (std::size_t i = 0; i < text.size();) {
            const std::size_t begin = text.find_first_not_of(" \t\r\n", i);
            if (begin == std::string_view::npos) break;
            i = std::min(text.find_first_of(" \t\r\n", begin), text.size());
            words_.push_back(text.substr(begin, i - begin));
        }
    }

    bool empty() const { return words_.empty(); }
    bool more() const { return next_ < words_.size(); }
    std::string_view word() const { return more() ? words_[next_] : std::string_view{}; }
    std::string_view take()
    {
        const std::string_view found = word();
        if (more()) ++next_;
        return found;
    }
    template <class Number>
    Number number(const char* what)
    {
        const std::string_view found = take();
        Number value{};
        const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), value);
        if (error != std::errc{} || end != found.data() + found.size() || found.empty())
            refuse(std::string("expected ") + what + (found.empty() ? " after it." : ", which '" + std::string(found) + "' is not."));
        return value;
    }
    [[noreturn]] void refuse(const std::string& why) const
    {
        const std::size_t begin = text_.find_first_not_of(" \t\r\n"), end = text_.find_last_not_of(" \t\r\n");
        const std::string shown(begin == std::string_view::npos ? std::string_view{} : text_.substr(begin, end - begin + 1));
        throw Error("network.layers", "Layer " + std::to_string(layer_ + 1) + " of the network: found '" + shown + "', " + why);
    }

private:
    std::string_view text_;
    std::size_t      layer_, next_ = 0;
    std::vector<std::string_view> words_;
};

Layer layer_of(Words& words)
{
    const std::string_view kind = words.take();
    if (kind == "dense") return Dense{words.number<int>("the number of units")};
    if (kind == "dropout") return Dropout{words.number<double>("the rate")};
    if (kind == "flatten") return Flatten{};
    if (kind == "conv") {
        Conv2d conv{words.number<int>("the number of filters"), words.number<int>("the size of the kernel"), 1, 0};
        while (words.more()) {
            const std::string_view option = words.take();
            if (option == "stride") conv.stride = words.number<int>("the stride");
            else if (option == "pad" || option == "padding") conv.padding = words.number<int>("the padding");
            else words.refuse("expected stride or pad in place of '" + std::string(option) + "'.");
        }
        return conv;
    }
    if (kind == "max" || kind == "average") {
        const int kernel = words.number<int>("the size of the window");
        if (words.word() == "stride") words.take();
        const int stride = words.more() ? words.number<int>("the stride") : kernel;
        return Pool{kind == "max" ? Pool::Kind::maximum : Pool::Kind::average, kernel, stride};
    }
    if (kind == "norm" || kind == "lrn") {
        const int size = words.number<int>("the size");
        const double alpha = words.number<double>("alpha");
        return ResponseNorm{size, alpha, words.number<double>("beta")};
    }
    for (const ActivationKind activation : {ActivationKind::relu, ActivationKind::tanh, ActivationKind::sigmoid, ActivationKind::softplus, ActivationKind::elu,
                                            ActivationKind::identity})
        if (kind == name_of(activation)) return Activation{activation};
    words.refuse(std::string("expected ") + known + ".");
}

std::string text_of(const Dense& dense) { return "dense " + std::to_string(dense.units); }
std::string text_of(const Activation& activation) { return name_of(activation.kind); }
std::string text_of(const Dropout& dropout) { return "dropout " + shortest_text(dropout.rate); }
std::string text_of(const Conv2d& conv)
{
    std::string text = "conv " + std::to_string(conv.filters) + " " + std::to_string(conv.kernel);
    if (conv.stride != 1) text += " stride " + std::to_string(conv.stride);
    if (conv.padding != 0) text += " pad " + std::to_string(conv.padding);
    return text;
}
std::string text_of(const Pool& pool)
{
    std::string text = (pool.kind == Pool::Kind::maximum ? "max " : "average ") + std::to_string(pool.kernel);
    return pool.stride == pool.kernel ? text : text + " " + std::to_string(pool.stride);
}
std::string text_of(const ResponseNorm& norm) { return "norm " + std::to_string(norm.size) + " " + shortest_text(norm.alpha) + " " + shortest_text(norm.beta); }
std::string text_of(const Flatten&) { return "flatten"; }

}  // namespace

std::vector<Layer> layers_from_text(const std::string& text)
{
    std::vector<Layer> layers;
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) return layers;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        Words words(std::string_view(text).substr(begin, end - begin), layers.size());
        if (words.empty()) words.refuse(std::string("expected ") + known + ".");
        layers.push_back(layer_of(words));
        if (words.more()) words.refuse("expected a comma before '" + std::string(words.word()) + "'.");
        begin = end + 1;
    }
    return layers;
}

std::string layers_text(const std::vector<Layer>& layers)
{
    std::string text;
    for (const Layer& layer : layers) {
        if (!text.empty()) text += ", ";
        text += std::visit([](const auto& one) { return text_of(one); }, layer);
    }
    return text;
}

std::string layers_text(const Architecture& architecture) { return layers_text(architecture.layers); }

}  // namespace credence
