// libjpeg-turbo.
