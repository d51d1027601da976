// Loops over samples and bytes, and checksums; each header is for the folder that wraps it.

#include "Checksum.h"
#include "Cluster.h"
#include "Color.h"
#include "Deinterlace.h"
#include "Digest.h"
#include "Scaling.h"
#include "Scanline.h"
