#pragma once

#include <string>
#include <type_traits>

/// Pointers in what lies in an arena.
namespace forkmunk::arena_alloc {

/// Shown the pointers of an object, one by one.
class PointerVisitor {
 public:
  template <typename T>
  void operator()(T*& pointer) {
    visit(reinterpret_cast<void*&>(const_cast<std::remove_const_t<T>*&>(pointer)));
  }
  virtual void visit(void*& pointer) = 0;

 protected:
  ~PointerVisitor() = default;
};

/// A pointer that leads out of the arena.
struct OutsidePointer {
  std::string place;  ///< "body 3: userData": the kind, its number among its kind, the field.
  const void* address;
  bool is_user_data;  ///< The user's own business; else Chipmunk follows it, and a copy would share what is there.
};

}  // namespace forkmunk::arena_alloc
