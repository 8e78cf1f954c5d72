// SPDX-License-Identifier: MIT
#include <forkmunk/planning/planner.h>

#include <gtest/gtest.h>

namespace forkmunk::planning {
namespace {

using engine::Command;

TEST(Plan, IsWrittenInRunLengths) {
  Plan plan(20, Command::right);
  plan.fill(5, 17, Command::left);
  plan.fill(17, 99, Command::stop);
  EXPECT_EQ(to_string(plan), "R5 L12 S3");
  EXPECT_EQ(to_string(Plan()), "");
}

TEST(Plan, GoesOnWithItsLastCommand) {
  Plan plan(3, Command::left);
  plan.set(2, Command::right);
  EXPECT_EQ(plan.at(2), Command::right);
  EXPECT_EQ(plan.at(1000), Command::right);
  EXPECT_EQ(Plan().at(0), Command::stop);
}

TEST(Plan, ShiftsByATick) {
  Plan plan(4, Command::left);
  plan.set(1, Command::stop);
  plan.shift(Command::right);
  EXPECT_EQ(to_string(plan), "S1 L2 R1");
  Plan empty;
  empty.shift(Command::right);
  EXPECT_EQ(empty, Plan());
}

TEST(Plan, IsComparedByItsTicksOnly) {
  Plan a(10, Command::left);
  Plan b(5, Command::left);
  EXPECT_NE(a, b);
  a.fill(5, 10, Command::right);
  b = a;
  EXPECT_EQ(a, b);
  b.set(9, Command::stop);
  EXPECT_NE(a, b);
}

}  // namespace
}  // namespace forkmunk::planning
