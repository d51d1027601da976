#ifndef CTESTISOLATION_H
#define CTESTISOLATION_H

/// The empty folder in which tests run; the user's folders are replaced by ones beside it.
const char *ctestisolation_folder(void);

#endif
