// SPDX-License-Identifier: MIT
#include <forkmunk/replay/tracker.h>
#include <forkmunk/replay/verification.h>

int main() {
  const forkmunk::replay::Tracker tracker{forkmunk::engine::Physics::flat};
  return tracker.status() == forkmunk::replay::Tracker::Status::waiting ? 0 : 1;
}
