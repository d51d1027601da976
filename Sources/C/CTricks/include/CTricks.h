#ifndef LAZYIMG_CTRICKS_H
#define LAZYIMG_CTRICKS_H

#include "Conformances.h"
#include "StandIns.h"
#include "Tricks.h"

#endif
