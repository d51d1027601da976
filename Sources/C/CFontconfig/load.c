#include "CFontconfig.h"

#include <stdlib.h>
#include <string.h>

#include "CLibrary.h"

typedef struct _FcConfig FcConfig;
typedef struct _FcPattern FcPattern;
typedef struct _FcCharSet FcCharSet;
typedef unsigned char FcChar8;
typedef int FcBool;
typedef enum { FcResultMatch, FcResultNoMatch, FcResultTypeMismatch, FcResultNoId, FcResultOutOfMemory } FcResult;

typedef struct {
    int nfont;
    int sfont;
    FcPattern **fonts;
} FcFontSet;

enum { FcMatchPattern = 0, FcSetSystem = 0 };

typedef struct {
    FcConfig *(*FcInitLoadConfigAndFonts)(void);
    void (*FcConfigDestroy)(FcConfig *);
    FcFontSet *(*FcConfigGetFonts)(FcConfig *, int);
    FcBool (*FcConfigSubstitute)(FcConfig *, FcPattern *, int);
    void (*FcDefaultSubstitute)(FcPattern *);
    FcFontSet *(*FcFontSort)(FcConfig *, FcPattern *, FcBool, FcCharSet **, FcResult *);
    void (*FcFontSetDestroy)(FcFontSet *);
    FcPattern *(*FcPatternCreate)(void);
    void (*FcPatternDestroy)(FcPattern *);
    FcBool (*FcPatternAddString)(FcPattern *, const char *, const FcChar8 *);
    FcBool (*FcPatternAddBool)(FcPattern *, const char *, FcBool);
    FcBool (*FcPatternDel)(FcPattern *, const char *);
    FcResult (*FcPatternGetString)(const FcPattern *, const char *, int, FcChar8 **);
    FcResult (*FcPatternGetInteger)(const FcPattern *, const char *, int, int *);
    FcResult (*FcPatternGetBool)(const FcPattern *, const char *, int, FcBool *);
    FcResult (*FcPatternGetCharSet)(const FcPattern *, const char *, int, FcCharSet **);
    FcBool (*FcCharSetHasChar)(const FcCharSet *, uint32_t);
} Table;

// Written once by `cfontconfig_load`; all callers have gone through it.
static Table fc;

static int fill(char *message, size_t size) {
    static const char name[] = "libfontconfig.so.1";
    Table *table = &fc;
    void *library =
        clibrary_open(name, "Fonts are found by the library", "libfontconfig1", "", message, size);
    if (!library) return -1;
#define FIND(function) CLIBRARY_FIND(function, "fontconfig")
    FIND(FcInitLoadConfigAndFonts)
    FIND(FcConfigDestroy)
    FIND(FcConfigGetFonts)
    FIND(FcConfigSubstitute)
    FIND(FcDefaultSubstitute)
    FIND(FcFontSort)
    FIND(FcFontSetDestroy)
    FIND(FcPatternCreate)
    FIND(FcPatternDestroy)
    FIND(FcPatternAddString)
    FIND(FcPatternAddBool)
    FIND(FcPatternDel)
    FIND(FcPatternGetString)
    FIND(FcPatternGetInteger)
    FIND(FcPatternGetBool)
    FIND(FcPatternGetCharSet)
    FIND(FcCharSetHasChar)
    return 0;
}

CLIBRARY_LOAD(cfontconfig, fill)

struct cfontconfig_fonts {
    FcConfig *config;
    // Of the configuration.
    FcFontSet *all;
    // Sorted as substitutes of "sans-serif"; made when it is needed.
    FcFontSet *fallbacks;
    // The family whose substitutes were asked for last.
    char *family;
    FcPattern *substitutes;
};

cfontconfig_fonts *cfontconfig_open(void) {
    cfontconfig_fonts *fonts = calloc(1, sizeof *fonts);
    if (!fonts) return NULL;
    fonts->config = fc.FcInitLoadConfigAndFonts();
    fonts->all = fonts->config ? fc.FcConfigGetFonts(fonts->config, FcSetSystem) : NULL;
    if (fonts->all) return fonts;
    cfontconfig_close(fonts);
    return NULL;
}

void cfontconfig_close(cfontconfig_fonts *fonts) {
    if (fonts->fallbacks) fc.FcFontSetDestroy(fonts->fallbacks);
    if (fonts->substitutes) fc.FcPatternDestroy(fonts->substitutes);
    if (fonts->config) fc.FcConfigDestroy(fonts->config);
    free(fonts->family);
    free(fonts);
}

int cfontconfig_count(const cfontconfig_fonts *fonts) { return fonts->all->nfont; }

static const char *text(const FcPattern *pattern, const char *key, int index) {
    FcChar8 *value = NULL;
    return fc.FcPatternGetString(pattern, key, index, &value) == FcResultMatch ? (const char *)value : NULL;
}

static int integer(const FcPattern *pattern, const char *key, int *value) {
    return fc.FcPatternGetInteger(pattern, key, 0, value) == FcResultMatch;
}

int cfontconfig_describe(const cfontconfig_fonts *fonts, int number, cfontconfig_font *font) {
    const FcPattern *pattern = fonts->all->fonts[number];
    FcBool has_outlines = 0;
    if (fc.FcPatternGetBool(pattern, "outline", 0, &has_outlines) != FcResultMatch || !has_outlines) return -1;
    const char *format = text(pattern, "fontformat", 0);
    if (!format || (strcmp(format, "TrueType") && strcmp(format, "CFF"))) return -1;
    font->path = text(pattern, "file", 0);
    int has_numbers = integer(pattern, "index", &font->index) && integer(pattern, "weight", &font->weight)
        && integer(pattern, "slant", &font->slant) && integer(pattern, "width", &font->width);
    return font->path && has_numbers ? 0 : -1;
}

const char *cfontconfig_name_of(const cfontconfig_fonts *fonts, int number, cfontconfig_name kind, int index) {
    static const char *const keys[] = {"family", "fullname", "postscriptname"};
    return text(fonts->all->fonts[number], keys[kind], index);
}

static int has(const FcPattern *pattern, uint32_t character) {
    FcCharSet *set = NULL;
    return fc.FcPatternGetCharSet(pattern, "charset", 0, &set) == FcResultMatch
        && fc.FcCharSetHasChar(set, character);
}

int cfontconfig_has(const cfontconfig_fonts *fonts, int number, uint32_t character) {
    return has(fonts->all->fonts[number], character);
}

// What the configuration makes of a family, up to the families that fit any.
static FcPattern *substituted(const cfontconfig_fonts *fonts, const char *family, const char *end) {
    FcPattern *pattern = fc.FcPatternCreate();
    if (!pattern) return NULL;
    fc.FcPatternAddString(pattern, "family", (const FcChar8 *)family);
    if (end) fc.FcPatternAddString(pattern, "family", (const FcChar8 *)end);
    fc.FcPatternAddBool(pattern, "outline", 1);
    if (fc.FcConfigSubstitute(fonts->config, pattern, FcMatchPattern)) return pattern;
    fc.FcPatternDestroy(pattern);
    return NULL;
}

// A family behind the wanted one: what follows it is not meant for that one.
static const char end[] = "__lazyimg_end";

const char *cfontconfig_substitute(cfontconfig_fonts *fonts, const char *family, int index) {
    if (!fonts->family || strcmp(fonts->family, family)) {
        if (fonts->substitutes) fc.FcPatternDestroy(fonts->substitutes);
        free(fonts->family);
        fonts->family = strdup(family);
        fonts->substitutes = substituted(fonts, family, end);
    }
    if (!fonts->substitutes) return NULL;
    const char *name = text(fonts->substitutes, "family", index);
    return name && strcmp(name, end) ? name : NULL;
}

const char *cfontconfig_fallback(cfontconfig_fonts *fonts, uint32_t character) {
    if (!fonts->fallbacks) {
        FcPattern *pattern = substituted(fonts, "sans-serif", NULL);
        if (!pattern) return NULL;
        fc.FcDefaultSubstitute(pattern);
        // The language of the user would put fonts first that others do not have.
        fc.FcPatternDel(pattern, "lang");
        FcResult result;
        fonts->fallbacks = fc.FcFontSort(fonts->config, pattern, 1, NULL, &result);
        fc.FcPatternDestroy(pattern);
        if (!fonts->fallbacks) return NULL;
    }
    for (int i = 0; i < fonts->fallbacks->nfont; i++)
        if (has(fonts->fallbacks->fonts[i], character)) return text(fonts->fallbacks->fonts[i], "family", 0);
    return NULL;
}
