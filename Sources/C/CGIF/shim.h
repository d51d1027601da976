// giflib 5.2: Swift imports all of it as it is.
#include <gif_lib.h>
