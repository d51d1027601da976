internal import LazyIsolation

extension DecoderHost.Statistics {
    /// The counts in Prometheus' text format.
    var metrics: String {
        """
        # HELP lazyimg_decoders_started_total Decoders that were started for media.
        # TYPE lazyimg_decoders_started_total counter
        lazyimg_decoders_started_total \(started)
        # HELP lazyimg_decoders_ended_total Decoders that ended by a fault: a crash, their limits, or a kill from outside.
        # TYPE lazyimg_decoders_ended_total counter
        lazyimg_decoders_ended_total{by="crash"} \(crashed)
        lazyimg_decoders_ended_total{by="time"} \(timedOut)
        lazyimg_decoders_ended_total{by="memory"} \(outOfMemory)
        lazyimg_decoders_ended_total{by="kill"} \(killed)
        # HELP lazyimg_decoders Decoders that are alive, and those of them that are in use.
        # TYPE lazyimg_decoders gauge
        lazyimg_decoders{state="live"} \(live)
        lazyimg_decoders{state="used"} \(used)

        """
    }
}
