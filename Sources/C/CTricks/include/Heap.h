#ifndef LAZYIMG_HEAP_H
#define LAZYIMG_HEAP_H

// What a fork has of the memory of the process that forks it. A page that it takes anew costs a fault, and a hundred of those as
// much as the fork itself.

/// Lets forks take their memory in large pages that nobody has touched.
///
/// What is free before the end of the heap lies between what is used: a fork that writes there copies page after page. Here
/// the gaps are filled, and the rest of the last large page.
void tricks_fill_heap(void);

#endif
