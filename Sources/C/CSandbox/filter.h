#ifndef LAZYIMG_FILTER_H
#define LAZYIMG_FILTER_H

/// Denies this process, for good, every system call that decoding does not need; 0, or an error number.
int sandbox_install_filter(void);

#endif
