// A list of types, by which policies are named once.
#pragma once

namespace starpath {

template <class... Types>
struct TypeList {};

template <class... First, class... Then>
constexpr TypeList<First..., Then...> operator+(TypeList<First...>, TypeList<Then...>) {
  return {};
}

}  // namespace starpath
