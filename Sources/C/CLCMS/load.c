#include "CLCMS.h"
#include "CLibrary.h"

// Written once by `clcms_load`; all readers have gone through it.
static CLCMSTable lcms;

const CLCMSTable *clcms_table(void) { return &lcms; }

static int fill(char *message, size_t size) {
    static const char name[] = "liblcms2.so.2";
    CLCMSTable *table = &lcms;
    void *library = clibrary_open(
        name, "This color profile needs the library", "liblcms2-2", "; the colors are shown as sRGB",
        message, size);
    if (!library) return -1;
#define FIND(function) CLIBRARY_FIND(function, "Little CMS")
    CLCMS_FUNCTIONS(FIND)
    return 0;
}

CLIBRARY_LOAD(clcms, fill)

static cmsUInt32Number layout_of(cmsColorSpaceSignature space, clcms_layout layout) {
    if (layout == CLCMS_RGBA16) {
        switch (space) {
        case cmsSigRgbData: return TYPE_RGBA_16;
        case cmsSigGrayData:
            return COLORSPACE_SH(PT_GRAY) | EXTRA_SH(3) | CHANNELS_SH(1) | BYTES_SH(2);
        default: return 0;
        }
    }
    switch (space) {
    case cmsSigRgbData: return TYPE_RGBA_8;
    case cmsSigGrayData:
        return COLORSPACE_SH(PT_GRAY) | EXTRA_SH(3) | CHANNELS_SH(1) | BYTES_SH(1);
    case cmsSigCmykData: return TYPE_CMYK_8_REV;
    default: return 0;
    }
}

cmsHTRANSFORM clcms_open(const void *bytes, size_t size, clcms_layout layout) {
    if (size > UINT32_MAX) return NULL;
    cmsHPROFILE profile = lcms.cmsOpenProfileFromMem(bytes, (cmsUInt32Number)size);
    if (!profile) return NULL;
    cmsHTRANSFORM transform = NULL;
    cmsUInt32Number format = layout_of(lcms.cmsGetColorSpace(profile), layout);
    cmsHPROFILE target = format ? lcms.cmsCreate_sRGBProfile() : NULL;
    if (target) {
        // Into a profile of version 4 the library scales black by itself.
        lcms.cmsSetProfileVersion(target, 2.1);
        transform = lcms.cmsCreateTransform(
            profile, format, target, TYPE_RGBA_8, INTENT_PERCEPTUAL, cmsFLAGS_NOCACHE);
        lcms.cmsCloseProfile(target);
    }
    lcms.cmsCloseProfile(profile);
    return transform;
}

void clcms_convert(
    cmsHTRANSFORM transform, const uint32_t *source, uint32_t *target, size_t count,
    int keeps_alpha) {
    enum { STEP = 4096 };
    uint32_t converted[STEP];
    for (size_t start = 0; start < count; start += STEP) {
        size_t part = count - start < STEP ? count - start : STEP;
        lcms.cmsDoTransform(transform, source + start, converted, (cmsUInt32Number)part);
        for (size_t i = 0; i < part; i++) {
            uint32_t alpha = keeps_alpha ? source[start + i] & 0xFF000000u : 0xFF000000u;
            target[start + i] = (converted[i] & 0xFFFFFFu) | alpha;
        }
    }
}

void clcms_convert16(
    cmsHTRANSFORM transform, const uint16_t *source, uint32_t *target, size_t count) {
    enum { STEP = 4096 };
    for (size_t start = 0; start < count; start += STEP) {
        size_t part = count - start < STEP ? count - start : STEP;
        lcms.cmsDoTransform(
            transform, source + 4 * start, target + start, (cmsUInt32Number)part);
        for (size_t i = start; i < start + part; i++) {
            uint32_t alpha = ((uint32_t)source[4 * i + 3] * 255 + 32767) / 65535;
            target[i] = (target[i] & 0xFFFFFFu) | alpha << 24;
        }
    }
}
