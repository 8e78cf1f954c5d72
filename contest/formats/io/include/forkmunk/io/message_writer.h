#pragma once

#include <forkmunk/engine/match_setup.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/io/json_writer.h>

/// Writes the values that the contest's messages and recordings share.
namespace forkmunk::io {

/// A `proto_map`: {"external_id":…,"segments":[…]}
void write_map(JsonWriter& json, const engine::MapSetup& map);
/// A `proto_car`.
void write_car_setup(JsonWriter& json, const engine::CarSetup& car);
/// A car's state, with its alive flag if known.
void write_car_state(JsonWriter& json, const formats::RecordedCar& car);

}  // namespace forkmunk::io
