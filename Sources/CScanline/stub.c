int lazyimg_stub2;
