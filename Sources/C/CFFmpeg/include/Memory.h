// Limits the memory of decoders; FFmpeg itself limits only the pixels of one picture.

/// The memory of one decoder's pictures together, and its limit.
typedef struct LZPictures LZPictures;

/// Makes an empty account; null where there is no memory.
LZPictures *lz_pictures_new(int64_t most);

/// Releases the account; existing pictures keep it alive.
void lz_pictures_release(LZPictures *pictures);

/// The total that was requested when a picture was rejected, or 0.
int64_t lz_pictures_refused(const LZPictures *pictures);

/// Makes a context that is not yet open charge its pictures to an account.
void lz_codec_bound(AVCodecContext *context, LZPictures *pictures);

/// Sets the largest single allocation of FFmpeg, for the whole process.
void lz_allow_allocations(size_t size);

/// The largest single allocation of FFmpeg.
size_t lz_allowed_allocation(void);

/// Examines the streams; `pixels` has the limit of pixels for each stream that is known now.
int lz_examine(AVFormatContext *format, const int64_t *pixels, int count);
