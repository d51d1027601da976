// libavif behind a table of function pointers: it brings three AV1 libraries, which only a job that
// opens or writes an AVIF shall load.
#ifndef LAZYIMG_CAVIF_H
#define LAZYIMG_CAVIF_H

#include <avif/avif.h>

#endif
