// The memory that decoders may take, which FFmpeg itself bounds only by pixels of one picture.

/// The memory that the pictures of one decoder take together, and the most they may.
typedef struct LZPictures LZPictures;

/// Makes a count of nothing; null where there is no memory.
LZPictures *lz_pictures_new(int64_t most);

/// Gives the count up; pictures that are still alive keep it.
void lz_pictures_release(LZPictures *pictures);

/// The bytes that were asked for in all when a picture was refused, or 0.
int64_t lz_pictures_refused(const LZPictures *pictures);

/// Makes a context that is not open yet take its pictures' memory from a count.
void lz_codec_bound(AVCodecContext *context, LZPictures *pictures);

/// Lets single allocations of FFmpeg be so large, in this process and from now on.
void lz_allow_allocations(size_t size);

/// The largest single allocation of FFmpeg now.
size_t lz_allowed_allocation(void);

/// Examines the streams; `pixels` has the most pixels of a picture for each that is known now.
int lz_examine(AVFormatContext *format, const int64_t *pixels, int count);
