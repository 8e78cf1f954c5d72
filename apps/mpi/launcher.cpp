#include "apps/mpi/launcher.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <thread>

namespace forkmunk::mpi {
namespace {

std::optional<std::size_t> number_in(const char* variable) noexcept {
  const char* text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits = text;
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

Launch launch() noexcept {
  // Slurm sets its variables for every task; only together with PMIx are the tasks MPI ranks.
  static constexpr std::array<std::array<const char*, 2>, 3> kVariables{
      {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
       {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
       {"PMI_RANK", "PMI_SIZE"}}};
  for (const auto& [rank_variable, count_variable] : kVariables) {
    const auto rank = number_in(rank_variable);
    const auto count = number_in(count_variable);
    if (rank && count && *rank < *count) return {*rank, *count};
  }
  return {};
}

std::size_t default_concurrency() noexcept {
  return launch().count > 1 ? 1 : std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace forkmunk::mpi
