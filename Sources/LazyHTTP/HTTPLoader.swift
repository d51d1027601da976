// libcurl as a DataLoading.
