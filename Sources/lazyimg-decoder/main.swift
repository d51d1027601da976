import LazyKit

DecoderProgram.run()
