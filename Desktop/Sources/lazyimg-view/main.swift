internal import LazyViewer

// GTK runs on the main thread until the last window is closed.
ViewerProgram.main()
