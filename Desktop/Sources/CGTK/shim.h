#include <gtk/gtk.h>
#include <gsk/gl/gskglrenderer.h>
