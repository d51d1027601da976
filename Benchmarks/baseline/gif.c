// The baseline of reading a GIF: the pixels of every image by giflib, without composing frames.
//
//   gif FILE
#include <gif_lib.h>
#include <stdio.h>

int main(int count, char **words) {
    int error = 0;
    GifFileType *gif = count == 2 ? DGifOpenFileName(words[1], &error) : NULL;
    if (gif && DGifSlurp(gif) == GIF_OK) return 0;
    fputs("baseline: cannot read the GIF\n", stderr);
    return 1;
}
