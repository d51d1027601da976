#ifndef CFILESYSTEM_H
#define CFILESYSTEM_H

// Linux calls whose constants and prototypes Swift's Glibc module does not have.

/// Opens a file without a name in a folder (`O_TMPFILE`); it is gone if it is never given one.
int lazy_open_unnamed(const char *folder, unsigned mode);

/// Gives an unnamed file its name; fails with `EEXIST` where the name is taken.
int lazy_link_unnamed(int descriptor, const char *path);

/// Renames unless the new name is taken (`EEXIST`).
int lazy_rename_new(const char *from, const char *to);

#endif
