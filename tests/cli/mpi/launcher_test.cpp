// SPDX-License-Identifier: MIT
#include "apps/mpi/together.h"

#include <cstdlib>
#include <map>
#include <string>

#include <gtest/gtest.h>

namespace forkmunk::mpi {
namespace {

Launch launch_in(const std::map<std::string, std::string>& environment) {
  for (const char* name :
       {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "SLURM_STEP_NUM_TASKS", "PMI_RANK", "PMI_SIZE"}) {
    unsetenv(name);
  }
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  return launch();
}

TEST(Launcher, IsReadFromTheEnvironment) {
  EXPECT_EQ(launch_in({}).count, 1u);
  EXPECT_GE(default_concurrency(), 1u);
  const Launch mpirun = launch_in({{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "8"}});
  EXPECT_EQ(mpirun.rank, 2u);
  EXPECT_EQ(mpirun.count, 8u);
  EXPECT_EQ(default_concurrency(), 1u);
  EXPECT_EQ(launch_in({{"PMIX_RANK", "3"}, {"SLURM_STEP_NUM_TASKS", "4"}}).rank, 3u);
  EXPECT_EQ(launch_in({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}).count, 2u);
  // Tasks of Slurm without MPI are a job array.
  EXPECT_EQ(launch_in({{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "1"}}).count, 1u);
  for (const char* rank : {"", "x", "-1", "8", "99999999999999999999999"}) {
    EXPECT_EQ(launch_in({{"OMPI_COMM_WORLD_RANK", rank}, {"OMPI_COMM_WORLD_SIZE", "8"}}).count, 1u) << rank;
  }
  launch_in({});
}

}  // namespace
}  // namespace forkmunk::mpi
