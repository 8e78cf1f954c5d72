// SPDX-License-Identifier: MIT
#include <forkmunk/io/gzip.h>

int main() { return forkmunk::io::gunzip(forkmunk::io::gzip("text"), 100) == "text" ? 0 : 1; }
