// The compiled part of Boost.Process v2. Everything else in this room defines the same macro before
// its headers.
#define BOOST_PROCESS_V2_SEPARATE_COMPILATION 1

// Boost 1.81 uses these without including them.
#include <algorithm>
#include <limits>
#include <memory>

#include <boost/process/v2/src.hpp>
