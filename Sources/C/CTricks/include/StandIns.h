// Loading a library without those of its dependencies that are never called.
#ifndef LAZYIMG_STAND_INS_H
#define LAZYIMG_STAND_INS_H

/// Puts empty libraries into the process under the names of what `libraries` depend on, but for `kept`.
///
/// The dynamic loader then finds these when `libraries` are opened, and neither maps nor initializes the real
/// ones. Each function that `libraries` would get from them returns zero, but for those named in `texts`, which
/// return an empty text. All lists end with a null pointer; `libraries` are names such as `libavcodec.so.59`, `kept`
/// beginnings of names such as `libz.so`.
///
/// Only for programs that choose what they load: later, the real libraries cannot be loaded any more under
/// these names. Where one is loaded already, it stays.
///
/// Returns 0, or -1 where it cannot be done here, with nothing changed: a file of `libraries` is not in a usual
/// folder, or is of another kind than expected, or the environment chooses libraries, or `tricks_applies` says no.
int tricks_stand_in(const char *const *libraries, const char *const *kept, const char *const *texts);

/// The path of one of the `libraries` that were examined, or `name` itself.
const char *tricks_path(const char *name);

/// Closes what `tricks_stand_in` opened; libraries that were loaded beside it keep theirs.
void tricks_remove_stand_ins(void);

/// Whether a name begins with one of `kept`; upper case is lower case.
int tricks_is_kept(const char *name, const char *const *kept);

#endif
