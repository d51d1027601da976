#include "CLazyGTK.h"

#include <stdatomic.h>

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
