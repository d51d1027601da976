#ifndef LAZY_GTK_H
#define LAZY_GTK_H

#include <gtk/gtk.h>
#include <stdbool.h>

G_BEGIN_DECLS

/// What a LazyImageView does. The Swift module sets it before the first one is made.
typedef struct {
    /// Makes the content of a widget, which owns it.
    void *(*create)(GtkWidget *widget);
    /// The widget is going; its content is released.
    void (*dispose)(void *content);
    void (*map)(void *content);
    void (*unmap)(void *content);
    void (*allocate)(void *content, int width, int height);
    void (*measure)(
        void *content, GtkOrientation orientation, int forSize, int *minimum, int *natural);
    void (*snapshot)(void *content, GtkSnapshot *snapshot);
    void (*set_uri)(void *content, const char *uri);
    void (*set_alternative_text)(void *content, const char *text);
} LazyImageViewClassTable;

void lazy_image_view_set_table(const LazyImageViewClassTable *table);

/// A widget that loads and shows an image, an animation or a silent video.
GType lazy_image_view_get_type(void);
GtkWidget *lazy_image_view_new(const char *uri);
/// The content made by `create`, or NULL after the widget was disposed.
void *lazy_image_view_get_content(GtkWidget *widget);
/// Sets the phase that the property "phase" shows; notifies of a change.
void lazy_image_view_set_phase(GtkWidget *widget, const char *phase);
void lazy_image_view_set_uri_text(GtkWidget *widget, const char *uri);

/// Sets what assistive technologies read: the label, a description, and whether it is loading.
void lazy_widget_set_accessible(
    GtkWidget *widget, const char *label, const char *description, bool isBusy);
/// Sets the label of any widget for assistive technologies.
void lazy_widget_set_label(GtkWidget *widget, const char *label);

/// Runs Swift's main actor on the default main context of GLib, without polling.
void lazy_main_actor_attach(void);
/// Nanoseconds of the main thread: those that it ran, and those that passed.
typedef struct {
    int64_t cpu, wall;
} LazyWork;
/// Measures jobs of the main actor, and what is between `begin` and `end`, which may be nested; `take` returns
/// the time since the last call.
void lazy_work_measure(bool isMeasured);
void lazy_work_begin(void);
void lazy_work_end(void);
LazyWork lazy_work_take(void);

/// A texture that reads memory until `release` is called with the owner; never copies.
GdkTexture *lazy_texture_new(
    int width, int height, size_t stride, bool isPremultiplied, const void *pixels,
    void *owner, void (*release)(void *owner));

/// Converts straight RGBA to premultiplied BGRA, the pixels of cairo on little-endian machines.
void lazy_pixels_convert(const void *rgba, void *bgra, size_t count, bool isOpaque);
/// A surface of cairo that reads such pixels until `release` is called with the owner.
cairo_surface_t *lazy_surface_new(
    int width, int height, size_t stride, bool isOpaque, const void *pixels, void *owner,
    void (*release)(void *owner));
/// Draws a surface into a rectangle.
void lazy_snapshot_append_surface(
    GtkSnapshot *snapshot, cairo_surface_t *surface, const graphene_rect_t *bounds);

/// The number of textures and surfaces that have been made here and not been freed.
int lazy_texture_count(void);

/// Whether an instance is of a type, or of one derived from it.
bool lazy_is(void *instance, GType type);

/// Whether GL of a display is computed by the processor; false where there is none.
bool lazy_gl_is_software(GdkDisplay *display);

/// Whether the desktop asks for no animations.
bool lazy_reduces_motion(GtkSettings *settings);

/// What a drag or the clipboard hands over: a file, a picture.
GdkContentProvider *lazy_content_for_file(const char *path);
GdkContentProvider *lazy_content_for_texture(GdkTexture *texture);

/// The addresses of a dropped list of files, ended by NULL; for `g_strfreev`.
char **lazy_file_list_addresses(const GValue *value);

G_END_DECLS

#endif
