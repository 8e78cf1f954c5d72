// SPDX-License-Identifier: MIT
#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <zlib.h>

/// Recordings as text that tests modify.
namespace forkmunk::io::testing {

inline std::string wheel_text(const std::string& prefix) {
  const std::string key = "\"" + prefix;
  return key + R"(_mass":50,)" + key + R"(_radius":12,)" + key + R"(_position":[29,-5],)" + key + R"(_friction":1,)" +
         key + R"(_elasticity":0.8,)" + key + R"(_joint":[1,2],)" + key + R"(_groove_offset":6,)" + key +
         R"(_damp_position":[29,20],)" + key + R"(_damp_length":25,)" + key + R"(_damp_stiffness":5e4,)" + key +
         R"(_damp_damping":3000.0)";
}

inline std::string new_match_text() {
  return R"({"type":"new_match","params":{"lives":{"1":5,"2":4},"proto_map":{"external_id":5,"segments":)"
         R"([[[100,100],[1100,100.5],10]]},"proto_car":{"car_body_poly":[[0,6],[0,25],[33,42],[85,42],[20,0]],)"
         R"("button_poly":[[40,42],[40,43],[78,43],[78,42]],"external_id":3,"car_body_mass":200,)"
         R"("car_body_friction":0.9,"car_body_elasticity":0.5,"max_speed":70,"max_angular_speed":2,)"
         R"("torque":14000000,"drive":2,"squared_wheels":true,)" +
         wheel_text("rear_wheel") + "," + wheel_text("front_wheel") + "}}}";
}

/// The number is a part of the first car's height.
inline std::string tick_text(int number) {
  return R"({"type":"tick","params":{"cars":{"1":[[300.25,)" + std::to_string(300 + number) +
         R"(],-0.5,1,[329,295,0.125],[422,296,1e-3],true],"2":[[900,300],0.5,-1,[871,295,0],[778,295,0],false]},)"
         R"("deadline_position":10.5,"tick_num":)" +
         std::to_string(number) + "}}";
}

inline std::string end_game_text() { return R"({"type":"end_game","params":{"1":5,"2":0}})"; }

/// `commands` is the list's text; "" omits it.
inline std::string recording_text(const std::vector<std::string>& events, const std::string& commands) {
  std::string text = R"({"config":{"1":"anna","2":11756},"matches":["IslandMap,Buggy"],"visio_info":[)";
  for (std::size_t i = 0; i < events.size(); ++i) text += (i == 0 ? "" : ",") + events[i];
  text += "]";
  if (!commands.empty()) text += ",\"commands\":" + commands;
  return text + "}";
}

inline std::string small_recording_text() {
  return recording_text({new_match_text(), tick_text(0), tick_text(1), end_game_text()},
                        R"([["left","right"],[null,"stop"]])");
}

inline std::string with(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("no such text: " + std::string(from));
  return text.replace(at, from.size(), to);
}

inline std::string gzipped(std::string text) {
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string bytes(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  const int status = deflate(&stream, Z_FINISH);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::logic_error("deflate did not finish");
  return bytes;
}

}  // namespace forkmunk::io::testing
