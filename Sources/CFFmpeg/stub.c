int lazyimg_stub;
