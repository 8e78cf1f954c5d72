#include <forkmunk/base/error.h>
#include <forkmunk/io/output_file.h>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace forkmunk::io {

void check_output(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw Error(path + ": found a directory, expected the name of a file to write");
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, error)) {
    throw Error(path + ": found no directory " + folder.string() + ", expected one to write into");
  }
}

void write_file(const std::string& path, std::string_view bytes, std::string_view what) {
  const std::filesystem::path part = path + ".part";
  std::ofstream file(part, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(part, path, error);
  if (!file || error) {
    std::filesystem::remove(part, error);
    throw Error(path + ": found no way to write there, expected a place for " + std::string(what));
  }
}

}  // namespace forkmunk::io
