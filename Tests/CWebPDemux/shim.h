// libwebp's own decoder of animations: what ours is compared with.
#include <webp/demux.h>
