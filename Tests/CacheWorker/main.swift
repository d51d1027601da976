// A process that writes into a cache until it is killed.
print("usage: CacheWorker FOLDER SEED")
