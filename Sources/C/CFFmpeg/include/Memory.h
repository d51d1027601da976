// Limits the memory of decoders; FFmpeg itself limits only the pixels of one picture.

/// The memory of one decoder's pictures together, and its limit.
typedef struct LZPictures LZPictures;

/// Makes an empty account; null where there is no memory.
LZPictures *lz_pictures_new(int64_t most);

/// Releases the account; existing pictures keep it alive.
void lz_pictures_release(LZPictures *pictures);

/// The total that was requested when a picture was rejected, or 0.
int64_t lz_pictures_refused(const LZPictures *pictures);

/// Makes new pictures black, which otherwise begin as what was last decoded into their memory.
void lz_pictures_clear(LZPictures *pictures);

/// The errors that the decoder logged, on any of its threads.
int lz_pictures_errors(const LZPictures *pictures);

/// The first of them in FFmpeg's words; empty without one.
const char *lz_pictures_line(const LZPictures *pictures);

/// The pictures of HEVC since the last call that ended early, without the last ones that may still be decoded.
int lz_pictures_unfinished(LZPictures *pictures, int running);

/// Takes note of what a decoder logs: errors, and pictures that are decoded. Other objects have no account.
void lz_pictures_note(void *object, int level, const char *format, va_list arguments);

/// Makes a context that is not yet open charge its pictures to an account.
void lz_codec_bound(AVCodecContext *context, LZPictures *pictures);

/// Sets the largest single allocation of FFmpeg, for the whole process.
void lz_allow_allocations(size_t size);

/// The largest single allocation of FFmpeg.
size_t lz_allowed_allocation(void);

/// Examines the streams; `pixels` has the limit of pixels for each stream that is known now.
int lz_examine(AVFormatContext *format, const int64_t *pixels, int count);
