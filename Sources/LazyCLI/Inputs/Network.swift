internal import FoundationEssentials
import Glibc
internal import LazyKit
internal import LazyLoading
internal import LazyPipeline

/// The network of one run, and what opens its inputs.
final class Network: Sendable {
    let settings: NetworkSettings
    let isQuiet: Bool
    /// What opens inputs; makes one pipeline, for the first URL.
    let opening: MediaOpening

    /// `isProgressive` enables previews during downloads.
    init(_ settings: NetworkSettings, isQuiet: Bool, isProgressive: Bool = false) {
        self.settings = settings
        self.isQuiet = isQuiet
        var configuration = MediaOpening.Configuration.standard {
            settings.pipeline(isProgressive: isProgressive)
        }
        configuration.request = { settings.request($0) }
        // The threads of commands may block.
        configuration.pool = nil
        opening = MediaOpening(configuration)
    }

    /// What loads URLs.
    var loader: any DataLoading { opening.loading.dataLoader }

    /// Follows the network conditions of the system if there is a URL for low data.
    ///
    /// `LAZYIMG_LOW_DATA` in the environment overrides them.
    func askSystem() async {
        guard settings.lowDataURL != nil, getenv("LAZYIMG_LOW_DATA") == nil else { return }
        await NetworkConditions.shared.followSystem()
    }
}
