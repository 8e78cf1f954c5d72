// A Chipmunk scene of one's own, saved and restored.
#include <forkmunk/chipmunk/clonable_space.h>

int main() {
  forkmunk::chipmunk::ClonableSpace world(forkmunk::chipmunk::chipmunk_api(forkmunk::Arithmetic::strict), 1 << 18);
  world.renew(0);
  const forkmunk::chipmunk::ChipmunkApi& api = world.api();
  const auto scope = world.enter();  // the body is to be in the arena, too
  cpBody* ball = api.cpSpaceAddBody(world.space(), api.cpBodyNew(1, 1));
  api.cpSpaceSetGravity(world.space(), cpv(0, -10));
  std::vector<std::byte> saved(world.arena().live_bytes());
  world.arena().save_live(saved.data());
  for (int i = 0; i < 10; ++i) api.cpSpaceStep(world.space(), 0.1);
  const bool fell = ball->p.y < 0;
  world.arena().restore_live(saved);
  return fell && ball->p.y == 0 ? 0 : 1;
}
