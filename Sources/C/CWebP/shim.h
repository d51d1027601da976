// libwebp 1.2: Swift imports all of it as it is.
#include <webp/decode.h>
#include <webp/encode.h>
