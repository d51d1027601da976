#ifndef CCURL_H
#define CCURL_H
// libcurl behind a table of function pointers that is filled on first use.
#include <curl/curl.h>
#endif
