// SPDX-License-Identifier: MIT

#include "apps/mpi/together.h"

#include <forkmunk/base/error.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string_view>
#include <thread>

#include <dlfcn.h>
#include <fmt/format.h>

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

// A plugin, so that the program loads no MPI without a launcher.
std::unique_ptr<referee::RankLink> connect(const Launch& job) {
  void* plugin = dlopen("forkmunk_mpi.so", RTLD_NOW | RTLD_GLOBAL);
  if (plugin == nullptr) {
    throw Error(
        fmt::format("started as one of {} MPI processes, but cannot load MPI ({}); build with FORKMUNK_MPI=ON "
                    "(package libopenmpi-dev), or start one process, or use --shard",
                    job.count, dlerror()));
  }
  void* const connect_mpi = dlsym(plugin, kConnectSymbol);
  if (connect_mpi == nullptr)
    throw Error(fmt::format("forkmunk_mpi.so is of another version ({}); install both from one build", dlerror()));
  std::unique_ptr<referee::RankLink> link;
  reinterpret_cast<ConnectFunction*>(connect_mpi)(job, link);
  return link;
}

}  // namespace

Launch launch() noexcept {
  // Slurm's tasks are MPI ranks only if PMIx's variables are set too.
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

int together(const std::function<int(referee::Ranks*)>& run) {
  const Launch job = launch();
  if (job.count == 1) return run(nullptr);
  const std::unique_ptr<referee::RankLink> link = connect(job);
  referee::Ranks ranks(*link);
  try {
    const int code = run(&ranks);
    ranks.end();
    return code;
  } catch (const std::exception& error) {
    if (!ranks.lead()) ranks.fail(error.what());
    ranks.end();
    throw;
  }
}

}  // namespace forkmunk::mpi
