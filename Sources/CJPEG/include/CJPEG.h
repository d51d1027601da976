#ifndef CJPEG_H
#define CJPEG_H
// libjpeg-turbo as functions that do not jump: its longjmp may not cross Swift frames.
#include <stddef.h>
#include <stdint.h>
#endif
