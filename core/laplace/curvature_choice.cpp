// SPDX-License-Identifier: GPL-3.0-or-later
#include "laplace/fit_curvature.h"

#include "foundation/number_text.h"
#include "laplace/symmetric_eigen.h"
#include "network/likelihood.h"
#include "network/tiled_network.h"

#include <optional>
#include <string>

namespace credence {

int first_layer_of(const ParameterLayout& layout, CurvatureLayers layers)
{
    return layers == CurvatureLayers::last ? layout.n_layers() - 1 : 0;
}

std::size_t first_weight_of(const ParameterLayout& layout, CurvatureLayers layers)
{
    return layout.layer(first_layer_of(layout, layers)).weights.begin;
}

bool differs_from_ggn(const Model& model, const CurvatureOptions& options)
{
    if (options.kind == CurvatureKind::ggn)
        return false;
    if (!model.likelihood->curvature_is_exact())
        return true;
    return options.layers == CurvatureLayers::all
           && (options.structure != CurvatureStructure::diagonal
               || !piecewise_linear_in_each_weight(model.architecture));
}

namespace {

/// Refusals that concern an exact Hessian that differs from the GGN.
std::optional<std::string> refusal_of_hessian(const Model& model, const CurvatureOptions& options, std::size_t all,
                                              std::size_t covered)
{
    const bool full         = options.structure == CurvatureStructure::full;
    const std::string which = (options.layers == CurvatureLayers::last ? "The last layer has " : "The network has ")
                              + std::to_string(covered) + " weights, and an exact " + (full ? "full" : "diagonal")
                              + " Hessian is made for at most ";
    if (auto refusal = refusal_of_second_derivatives(model.architecture))
        return refusal;
    if (keeps_largest(options, covered))
        return std::nullopt;   // computed by Hessian–vector products
    if (full && covered > most_eigenvectors) {
        const auto last = all - first_weight_of(layout_of(model.architecture), CurvatureLayers::last);
        return which + std::to_string(most_eigenvectors) + " (this one is a matrix of "
               + number_text(8e-9 * static_cast<double>(covered) * static_cast<double>(covered), 2) + " GB): choose "
               + (last < covered
                      ? "the last layer alone (" + std::to_string(last) + " weights), whose exact Hessian is the GGN, "
                      : "")
               + "the structure diagonal, the directions of largest curvature alone (posterior.laplace_rank), or the "
                 "GGN.";
    }
    if (covered > most_hessian_weights)
        return which + std::to_string(most_hessian_weights)
               + (piecewise_linear_in_each_weight(model.architecture)
                      ? ": choose the GGN."
                      : " where activations bend: choose ReLU, under which the diagonals of Hessian and GGN are the "
                        "same at any size, or the GGN.");
    return std::nullopt;
}

}   // namespace

std::optional<std::string> refusal_of_curvature(const Model& model, long n_data, const CurvatureOptions& options)
{
    const ParameterLayout layout = layout_of(model.architecture);
    const std::size_t weights    = layout.size() - first_weight_of(layout, options.layers);
    const auto rows              = static_cast<std::size_t>(n_data)
                      * model.likelihood->curvature_columns(model.architecture.outputs());
    const std::string which   = options.layers == CurvatureLayers::last ? "The last layer has " : "The network has ";
    const std::string instead = options.layers == CurvatureLayers::last
                                    ? ": choose Kronecker or diagonal."
                                    : ": choose Kronecker or diagonal, or the last layer alone.";
    if (options.kind == CurvatureKind::hessian && options.structure == CurvatureStructure::kronecker)
        return "An exact Hessian has no Kronecker factors: choose the structure diagonal or full, or the GGN.";
    if (keeps_largest(options, weights)
        && static_cast<std::size_t>(most_products(weights, options.rank)) * weights > most_lanczos_numbers)
        return which + std::to_string(weights) + " weights, and " + std::to_string(options.rank)
               + " directions of largest curvature would hold "
               + std::to_string(static_cast<std::size_t>(most_products(weights, options.rank)) * weights / 1000000)
               + " million numbers, of which at most " + std::to_string(most_lanczos_numbers / 1000000)
               + " million fit: choose fewer directions, Kronecker or diagonal"
               + (options.layers == CurvatureLayers::last ? "." : ", or the last layer alone.");
    if (differs_from_ggn(model, options))
        return refusal_of_hessian(model, options, layout.size(), weights);
    if (options.structure != CurvatureStructure::full || weights <= most_eigenvectors
        || keeps_largest(options, weights))
        return std::nullopt;
    if (rows > most_eigenvectors)
        return which + std::to_string(weights) + " weights and " + std::to_string(n_data) + " training examples ("
               + std::to_string(rows) + " directions), and the full structure is made for at most "
               + std::to_string(most_eigenvectors) + " of one or the other" + instead;
    if (rows * weights > most_eigenvector_numbers)
        return which + std::to_string(weights) + " weights, and with " + std::to_string(n_data)
               + " training examples the full structure would hold " + std::to_string(rows * weights / 1000000)
               + " million numbers, of which at most " + std::to_string(most_eigenvector_numbers / 1000000)
               + " million fit" + instead;
    return std::nullopt;
}

}   // namespace credence
