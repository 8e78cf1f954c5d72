// SPDX-License-Identifier: MIT
#include "demo_branch.h"

#include <forkmunk/base/hasher.h>
#include <forkmunk/chipmunk/arena_state.h>

#include <map>

namespace forkmunk::space {
namespace {

using arena_alloc::Arena;

// Copies words, because AddressSanitizer watches gaps between the variables.
__attribute__((no_sanitize("address"))) void copy_variables(volatile unsigned char* to,
                                                            const volatile unsigned char* from, std::size_t size) {
  using Word = std::uintptr_t;
  std::size_t i = 0;
  for (; i + sizeof(Word) <= size; i += sizeof(Word)) {
    *reinterpret_cast<volatile Word*>(to + i) = *reinterpret_cast<const volatile Word*>(from + i);
  }
  for (; i < size; ++i) to[i] = from[i];
}

std::size_t size_of_variables(const DemoUnit& unit) {
  return static_cast<std::size_t>(unit.variables_end - unit.variables_begin);
}

void read_variables(const DemoUnit& unit, Variables& variables) {
  const std::size_t size = size_of_variables(unit);
  variables.assign((size + sizeof(std::uintptr_t) - 1) / sizeof(std::uintptr_t), 0);
  copy_variables(reinterpret_cast<unsigned char*>(variables.data()), unit.variables_begin, size);
}

void write_variables(const DemoUnit& unit, const Variables& variables) {
  copy_variables(unit.variables_begin, reinterpret_cast<const unsigned char*>(variables.data()),
                 size_of_variables(unit));
}

const Variables& first_variables(const DemoUnit& unit) {
  static const auto all = [] {
    std::map<const DemoUnit*, Variables> variables;
    for (const DemoProgram* program : {&demos_of_space, &demos_of_stock, &demos_of_ids}) {
      for (std::size_t i = 0; i < program->unit_count; ++i) {
        read_variables(*program->units[i], variables[program->units[i]]);
      }
    }
    return variables;
  }();
  return all.at(&unit);
}

bool is_in(std::uintptr_t word, const Space& world) {
  const Arena* arena = Arena::containing(reinterpret_cast<const void*>(word));
  return arena != nullptr && arena == Arena::containing(world.space());
}

std::uintptr_t address_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace

Branch::Branch(const DemoUnit& unit, int scene, std::uint32_t seed) : unit_(&unit), variables_(first_variables(unit)) {
  world_.set_defects(Defects::stock);
  run([&] { unit.start(scene, seed); });
}

Branch::Branch(const DemoUnit& unit, Space world, Variables variables)
    : unit_(&unit), world_(std::move(world)), variables_(std::move(variables)) {}

template <typename Action>
void Branch::run(Action action) {
  write_variables(*unit_, variables_);
  {
    const auto scope = world_.enter();
    action();
  }
  read_variables(*unit_, variables_);
}

void Branch::tick() { run(unit_->tick); }

cpSpace* Branch::demo_space() const { return world_.spaces().at(1); }

std::uint64_t Branch::hash() const {
  Hasher hasher;
  hasher.add(world_.hash());
  const std::uintptr_t base = address_of(world_.space());
  for (const std::uintptr_t word : variables_) hasher.add(is_in(word, world_) ? ~(word - base) : word);
  return hasher.value();
}

DemoCensus Branch::census() const {
  write_variables(*unit_, variables_);
  DemoCensus census = demos_of_space.census(demo_space());
  census.constraint_count -= unit_->grabbed_count();
  return census;
}

void Branch::save(Saved& saved) const {
  world_.save(saved.snapshot);
  saved.variables = variables_;
}

bool Branch::restore(const Saved& saved) {
  variables_ = saved.variables;
  return world_.restore(saved.snapshot);
}

Branch Branch::fork() const {
  Space twin = world_.fork();
  Variables variables = variables_;
  const std::uintptr_t distance = address_of(twin.space()) - address_of(world_.space());
  for (std::uintptr_t& word : variables) {
    if (is_in(word, world_)) word += distance;
  }
  return {*unit_, std::move(twin), std::move(variables)};
}

bool Branch::finish() {
  run(unit_->finish);
  return world_.spaces().size() == 1;
}

StockScene::StockScene(std::size_t unit_index, int scene, std::uint32_t seed, Order order)
    : program_(order == Order::of_addresses ? &demos_of_stock : &demos_of_ids),
      unit_(program_->units[unit_index]),
      variables_(first_variables(*unit_)) {
  run([&] { unit_->start(scene, seed); });
}

StockScene::~StockScene() {
  run([&] { unit_->finish(); });
}

template <typename Action>
void StockScene::run(Action action) {
  write_variables(*unit_, variables_);
  action();
  read_variables(*unit_, variables_);
}

void StockScene::tick() { run(unit_->tick); }

std::uint64_t StockScene::positions() const {
  write_variables(*unit_, variables_);
  return program_->positions(unit_->space());
}

}  // namespace forkmunk::space
