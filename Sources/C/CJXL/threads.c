// Threads that decode parts of a picture. libjxl_threads ends the process where the system gives no thread; here the others do
// the work then.
#include "CJXL.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct cjxl_threads {
    pthread_mutex_t lock;
    pthread_cond_t begins, ends;
    // The run that there is, and how many threads have not ended their part.
    uint64_t run;
    size_t working;
    int is_ending;
    // What a run consists of: calls with numbers below a limit.
    JxlParallelRunFunction part;
    void *decoder;
    _Atomic uint64_t next;
    uint64_t limit;
    size_t count;
    struct worker {
        struct cjxl_threads *pool;
        size_t number;
        pthread_t thread;
    } workers[];
};

static void take_parts(struct cjxl_threads *pool, size_t number) {
    uint64_t part;
    while ((part = atomic_fetch_add(&pool->next, 1)) < pool->limit) pool->part(pool->decoder, (uint32_t)part, number);
}

static void *work(void *argument) {
    const struct worker *worker = argument;
    struct cjxl_threads *pool = worker->pool;
    uint64_t done = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->run == done && !pool->is_ending) pthread_cond_wait(&pool->begins, &pool->lock);
        if (pool->is_ending) break;
        done = pool->run;
        pthread_mutex_unlock(&pool->lock);
        take_parts(pool, worker->number);
        pthread_mutex_lock(&pool->lock);
        if (--pool->working == 0) pthread_cond_signal(&pool->ends);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

// One run at a time; the calling thread has number 0, and takes parts, too.
static JxlParallelRetCode run(
    void *threads, void *decoder, JxlParallelRunInit init, JxlParallelRunFunction part, uint32_t first, uint32_t end) {
    struct cjxl_threads *pool = threads;
    if (first >= end) return 0;
    JxlParallelRetCode status = init(decoder, pool->count + 1);
    if (status) return status;
    pthread_mutex_lock(&pool->lock);
    (pool->part = part), (pool->decoder = decoder), (pool->limit = end);
    atomic_store(&pool->next, first);
    pool->working = pool->count;
    pool->run++;
    pthread_cond_broadcast(&pool->begins);
    pthread_mutex_unlock(&pool->lock);
    take_parts(pool, 0);
    pthread_mutex_lock(&pool->lock);
    while (pool->working) pthread_cond_wait(&pool->ends, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    return 0;
}

void *cjxl_add_threads(JxlDecoder *decoder, size_t count) {
    if (count < 2) return NULL;
    struct cjxl_threads *pool = calloc(1, sizeof *pool + (count - 1) * sizeof *pool->workers);
    if (!pool) return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begins, NULL);
    pthread_cond_init(&pool->ends, NULL);
    while (pool->count < count - 1) {
        struct worker *worker = &pool->workers[pool->count];
        *worker = (struct worker){.pool = pool, .number = pool->count + 1};
        if (pthread_create(&worker->thread, NULL, work, worker)) break;
        pool->count++;
    }
    if (pool->count && cjxl_table()->JxlDecoderSetParallelRunner(decoder, run, pool) == JXL_DEC_SUCCESS) return pool;
    cjxl_free_threads(pool);
    return NULL;
}

void cjxl_free_threads(void *threads) {
    struct cjxl_threads *pool = threads;
    pthread_mutex_lock(&pool->lock);
    pool->is_ending = 1;
    pthread_cond_broadcast(&pool->begins);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->count; i++) pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->begins);
    pthread_cond_destroy(&pool->ends);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}
