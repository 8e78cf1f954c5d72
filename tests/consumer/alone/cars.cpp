// SPDX-License-Identifier: MIT
#include <forkmunk/cars/catalogue.h>

int main() { return forkmunk::cars::find("Bus") != nullptr ? 0 : 1; }
