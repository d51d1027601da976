#define _GNU_SOURCE
#include "CLazyGTK.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

void lazy_widget_set_accessible(
    GtkWidget *widget, const char *label, const char *description, bool isBusy) {
    GtkAccessible *accessible = GTK_ACCESSIBLE(widget);
    gtk_accessible_update_property(
        accessible, GTK_ACCESSIBLE_PROPERTY_LABEL, label ? label : "",
        GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description ? description : "", -1);
    gtk_accessible_update_state(accessible, GTK_ACCESSIBLE_STATE_BUSY, (gboolean)isBusy, -1);
}

void lazy_widget_set_label(GtkWidget *widget, const char *label) {
    gtk_accessible_update_property(
        GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

bool lazy_is(void *instance, GType type) { return G_TYPE_CHECK_INSTANCE_TYPE(instance, type); }

bool lazy_reduces_motion(GtkSettings *settings) {
    gboolean isEnabled = TRUE;
    g_object_get(settings, "gtk-enable-animations", &isEnabled, NULL);
    return !isEnabled;
}

static atomic_int textures;

static void didFree(gpointer data, GObject *texture) {
    (void)data, (void)texture;
    atomic_fetch_sub(&textures, 1);
}

GdkTexture *lazy_texture_new(
    int width, int height, size_t stride, bool isPremultiplied, const void *pixels, void *owner,
    void (*release)(void *owner)) {
    GBytes *bytes = g_bytes_new_with_free_func(pixels, stride * (size_t)height, release, owner);
    GdkTexture *texture = gdk_memory_texture_new(
        width, height,
        isPremultiplied ? GDK_MEMORY_R8G8B8A8_PREMULTIPLIED : GDK_MEMORY_R8G8B8A8, bytes, stride);
    g_bytes_unref(bytes);
    atomic_fetch_add(&textures, 1);
    g_object_weak_ref(G_OBJECT(texture), didFree, NULL);
    return texture;
}

int lazy_texture_count(void) { return atomic_load(&textures); }

typedef struct {
    void *owner;
    void (*release)(void *owner);
} Owner;

static void didFreeSurface(void *data) {
    Owner *owner = data;
    owner->release(owner->owner);
    g_free(owner);
    atomic_fetch_sub(&textures, 1);
}

cairo_surface_t *lazy_surface_new(
    int width, int height, size_t stride, bool isOpaque, const void *pixels, void *owner,
    void (*release)(void *owner)) {
    static const cairo_user_data_key_t key;
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        (unsigned char *)pixels, isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32, width, height,
        (int)stride);
    Owner *kept = g_new(Owner, 1);
    *kept = (Owner){owner, release};
    atomic_fetch_add(&textures, 1);
    if (cairo_surface_set_user_data(surface, &key, kept, didFreeSurface) != CAIRO_STATUS_SUCCESS)
        didFreeSurface(kept);
    return surface;
}

void lazy_snapshot_append_surface(
    GtkSnapshot *snapshot, cairo_surface_t *surface, const graphene_rect_t *bounds) {
    cairo_t *cairo = gtk_snapshot_append_cairo(snapshot, bounds);
    int width = cairo_image_surface_get_width(surface);
    int height = cairo_image_surface_get_height(surface);
    cairo_translate(cairo, bounds->origin.x, bounds->origin.y);
    cairo_scale(cairo, bounds->size.width / width, bounds->size.height / height);
    cairo_set_source_surface(cairo, surface, 0, 0);
    cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD);
    cairo_rectangle(cairo, 0, 0, width, height);
    cairo_fill(cairo);
    cairo_destroy(cairo);
}

// The product of a color and its alpha, rounded: what (color * alpha + 127) / 255 is.
static inline uint32_t scaled(uint32_t color, uint32_t alpha) {
    uint32_t product = color * alpha + 128;
    return (product + (product >> 8)) >> 8;
}

void lazy_pixels_convert(const void *rgba, void *bgra, size_t count, bool isOpaque) {
    const uint32_t *input = rgba;
    uint32_t *output = bgra;
    if (isOpaque) {
        for (size_t i = 0; i < count; i++) {
            uint32_t pixel = input[i];
            output[i] = (pixel & 0xFF00FF00) | (pixel & 0xFF) << 16 | (pixel >> 16 & 0xFF);
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t pixel = input[i], alpha = pixel >> 24;
        output[i] = alpha << 24 | scaled(pixel & 0xFF, alpha) << 16 |
            scaled(pixel >> 8 & 0xFF, alpha) << 8 | scaled(pixel >> 16 & 0xFF, alpha);
    }
}

GdkContentProvider *lazy_content_for_file(const char *path) {
    GFile *file = g_file_new_for_path(path);
    GSList files = {.data = file, .next = NULL};
    GdkFileList *list = gdk_file_list_new_from_list(&files);
    GdkContentProvider *content = gdk_content_provider_new_typed(GDK_TYPE_FILE_LIST, list);
    g_boxed_free(GDK_TYPE_FILE_LIST, list);
    g_object_unref(file);
    return content;
}

GdkContentProvider *lazy_content_for_texture(GdkTexture *texture) {
    return gdk_content_provider_new_typed(GDK_TYPE_TEXTURE, texture);
}

char **lazy_file_list_addresses(const GValue *value) {
    if (!G_VALUE_HOLDS(value, GDK_TYPE_FILE_LIST)) return NULL;
    GPtrArray *addresses = g_ptr_array_new();
    for (GSList *item = g_value_get_boxed(value); item; item = item->next)
        g_ptr_array_add(addresses, g_file_get_uri(item->data));
    g_ptr_array_add(addresses, NULL);
    return (char **)g_ptr_array_free(addresses, FALSE);
}

// libepoxy, which GTK is linked with, has the functions of GL as pointers.
static const char *gl_renderer_name(void) {
    const unsigned char *(**get_string)(unsigned) = dlsym(RTLD_DEFAULT, "epoxy_glGetString");
    const unsigned renderer = 0x1F01;  // GL_RENDERER
    return get_string && *get_string ? (const char *)(*get_string)(renderer) : NULL;
}

bool lazy_gl_is_software(GdkDisplay *display) {
    GdkGLContext *context = gdk_display_create_gl_context(display, NULL);
    if (!context) return false;
    bool is_software = false;
    if (gdk_gl_context_realize(context, NULL)) {
        gdk_gl_context_make_current(context);
        const char *name = gl_renderer_name();
        is_software = name
            && (strstr(name, "llvmpipe") || strstr(name, "softpipe") || strstr(name, "SWR"));
        gdk_gl_context_clear_current();
    }
    g_object_unref(context);
    return is_software;
}
