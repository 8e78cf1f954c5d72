// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pybind11/eval.h>
#include <pybind11/pybind11.h>

namespace forkmunk::python {

struct DocumentedArgument {
  const char* name;
  const char* value;  // Python's text of the default; null: none
  bool is_by_name;
};
/// A class, function or property of the contest, by its entry in madcars.json.
struct Documented {
  std::string_view name;
  const char* doc;
  std::vector<DocumentedArgument> arguments;
};
/// \param name  such as "World.step", or "play". \throws Error for a name without an entry.
[[nodiscard]] const Documented& documented(std::string_view name);

}  // namespace forkmunk::python

namespace pybind11::detail {

/// Lets a Documented stand for the text and the arguments in definitions.
template <>
struct process_attribute<forkmunk::python::Documented> : process_attribute_default<forkmunk::python::Documented> {
  static void init(const forkmunk::python::Documented& by, type_record* record) { record->doc = by.doc; }
  static void init(const forkmunk::python::Documented& by, function_record* record) {
    record->doc = const_cast<char*>(by.doc);
    bool is_by_name = false;
    for (const auto& [name, value, only_by_name] : by.arguments) {
      if (only_by_name && !std::exchange(is_by_name, true)) process_attribute<kw_only>::init(kw_only(), record);
      if (value == nullptr) {
        process_attribute<arg>::init(arg(name), record);
      } else {
        process_attribute<arg_v>::init(arg(name) = eval(value), record);
      }
    }
  }
};

}  // namespace pybind11::detail

namespace forkmunk::python {

/// A class whose members have entries in madcars.json.
template <typename T, typename... Options>
class DocumentedClass : public pybind11::class_<T, Options...> {
 public:
  DocumentedClass(pybind11::module_& module, const char* name)
      : pybind11::class_<T, Options...>(module, name, documented(name)), name_(name) {}
  /// \param init  pybind11::init().
  template <typename Init>
  DocumentedClass& constructor(Init&& init) {
    this->def(std::forward<Init>(init), of_member("__init__"));
    return *this;
  }
  template <typename Function>
  DocumentedClass& method(const char* name, const Function& function) {
    this->def(name, function, of_member(name));
    return *this;
  }
  template <typename Getter>
  DocumentedClass& property(const char* name, const Getter& getter) {
    this->def_property_readonly(name, getter, of_member(name));
    return *this;
  }

 private:
  [[nodiscard]] const Documented& of_member(const char* name) const { return documented(name_ + "." + name); }

  std::string name_;
};

}  // namespace forkmunk::python
