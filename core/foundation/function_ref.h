// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace credence {

template <class Signature>
class function_ref;

/// A non-owning reference to a callable: no allocation, one indirect call. It must not outlive the
/// callable.
template <class R, class... Args>
class function_ref<R(Args...)> {
public:
    template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, function_ref>) function_ref(F&& f)
    {
        using Target = std::remove_reference_t<F>;
        if constexpr (std::is_function_v<Target>) {
            object_ = reinterpret_cast<void*>(&f);
            call_   = [](void* object, Args... args) -> R {
                return reinterpret_cast<Target*>(object)(std::forward<Args>(args)...);
            };
        } else {
            object_ = const_cast<void*>(static_cast<const void*>(std::addressof(f)));
            call_   = [](void* object, Args... args) -> R {
                return (*static_cast<Target*>(object))(std::forward<Args>(args)...);
            };
        }
    }
    R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

private:
    void* object_;
    R (*call_)(void*, Args...);
};

}   // namespace credence
