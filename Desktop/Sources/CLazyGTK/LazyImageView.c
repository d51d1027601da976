#include "CLazyGTK.h"

typedef struct {
    GtkWidget parent;
    void *content;
    char *uri;
    char *alternativeText;
    const char *phase;
} LazyImageView;

typedef struct {
    GtkWidgetClass parent;
} LazyImageViewClass;

enum { PROPERTY_URI = 1, PROPERTY_ALTERNATIVE_TEXT, PROPERTY_PHASE, PROPERTY_COUNT };

static LazyImageViewClassTable table;
static GParamSpec *properties[PROPERTY_COUNT];

G_DEFINE_TYPE(LazyImageView, lazy_image_view, GTK_TYPE_WIDGET)

#define VIEW(object) ((LazyImageView *)(object))

void lazy_image_view_set_table(const LazyImageViewClassTable *functions) { table = *functions; }

static void map(GtkWidget *widget) {
    GTK_WIDGET_CLASS(lazy_image_view_parent_class)->map(widget);
    if (VIEW(widget)->content) table.map(VIEW(widget)->content);
}

static void unmap(GtkWidget *widget) {
    if (VIEW(widget)->content) table.unmap(VIEW(widget)->content);
    GTK_WIDGET_CLASS(lazy_image_view_parent_class)->unmap(widget);
}

static void allocate(GtkWidget *widget, int width, int height, int baseline) {
    (void)baseline;
    if (VIEW(widget)->content) table.allocate(VIEW(widget)->content, width, height);
}

static void measure(
    GtkWidget *widget, GtkOrientation orientation, int forSize, int *minimum, int *natural,
    int *minimumBaseline, int *naturalBaseline) {
    *minimumBaseline = *naturalBaseline = -1;
    *minimum = *natural = 0;
    if (VIEW(widget)->content)
        table.measure(VIEW(widget)->content, orientation, forSize, minimum, natural);
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    if (VIEW(widget)->content) table.snapshot(VIEW(widget)->content, snapshot);
}

static void dispose(GObject *object) {
    void *content = VIEW(object)->content;
    VIEW(object)->content = NULL;
    if (content) table.dispose(content);
    G_OBJECT_CLASS(lazy_image_view_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
    g_free(VIEW(object)->uri);
    g_free(VIEW(object)->alternativeText);
    G_OBJECT_CLASS(lazy_image_view_parent_class)->finalize(object);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
    LazyImageView *view = VIEW(object);
    switch (id) {
    case PROPERTY_URI: g_value_set_string(value, view->uri); break;
    case PROPERTY_ALTERNATIVE_TEXT: g_value_set_string(value, view->alternativeText); break;
    case PROPERTY_PHASE: g_value_set_string(value, view->phase); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
    LazyImageView *view = VIEW(object);
    switch (id) {
    case PROPERTY_URI:
        g_free(view->uri);
        view->uri = g_value_dup_string(value);
        if (view->content) table.set_uri(view->content, view->uri);
        break;
    case PROPERTY_ALTERNATIVE_TEXT:
        g_free(view->alternativeText);
        view->alternativeText = g_value_dup_string(value);
        if (view->content) table.set_alternative_text(view->content, view->alternativeText);
        break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
}

static void lazy_image_view_class_init(LazyImageViewClass *class) {
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);
    widget->map = map;
    widget->unmap = unmap;
    widget->size_allocate = allocate;
    widget->measure = measure;
    widget->snapshot = snapshot;
    GObjectClass *object = G_OBJECT_CLASS(class);
    object->dispose = dispose;
    object->finalize = finalize;
    object->get_property = get_property;
    object->set_property = set_property;
    properties[PROPERTY_URI] = g_param_spec_string(
        "uri", "URI", "The address of the image", NULL,
        G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
    properties[PROPERTY_ALTERNATIVE_TEXT] = g_param_spec_string(
        "alternative-text", "Alternative text", "What the image shows, for those who do not see it",
        NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
    properties[PROPERTY_PHASE] = g_param_spec_string(
        "phase", "Phase", "empty, inProgress, preview, success or failure", "empty",
        G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object, PROPERTY_COUNT, properties);
    gtk_widget_class_set_css_name(widget, "lazyimage");
    gtk_widget_class_set_accessible_role(widget, GTK_ACCESSIBLE_ROLE_IMG);
}

static void lazy_image_view_init(LazyImageView *view) {
    view->phase = "empty";
    gtk_widget_set_overflow(GTK_WIDGET(view), GTK_OVERFLOW_HIDDEN);
    view->content = table.create(GTK_WIDGET(view));
}

GtkWidget *lazy_image_view_new(const char *uri) {
    return g_object_new(lazy_image_view_get_type(), "uri", uri, NULL);
}

void *lazy_image_view_get_content(GtkWidget *widget) { return VIEW(widget)->content; }

void lazy_image_view_set_uri_text(GtkWidget *widget, const char *uri) {
    if (g_strcmp0(VIEW(widget)->uri, uri) == 0) return;
    g_free(VIEW(widget)->uri);
    VIEW(widget)->uri = g_strdup(uri);
    g_object_notify_by_pspec(G_OBJECT(widget), properties[PROPERTY_URI]);
}

void lazy_image_view_set_phase(GtkWidget *widget, const char *phase) {
    const char *kept = g_intern_string(phase);
    if (VIEW(widget)->phase == kept) return;
    VIEW(widget)->phase = kept;
    g_object_notify_by_pspec(G_OBJECT(widget), properties[PROPERTY_PHASE]);
}
