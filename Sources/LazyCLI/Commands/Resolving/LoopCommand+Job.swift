internal import LazyMedia

extension LoopCommand {
    func job(_ inputs: [Input]) throws -> LoopJob {
        if delay != nil, speed != nil {
            throw CommandFailure.usage("--delay cannot be combined with --speed.")
        }
        if loop != nil, set != nil {
            throw CommandFailure.usage("--set is the old name of --loop: use one of them.")
        }
        if options.limits.track != .main {
            throw CommandFailure.usage("The loop of a motion photo's film cannot be changed.")
        }
        let plays = loop ?? set
        let delays = delay.map { TimingChange.Delays.each($0) } ?? speed.map { .speed($0) }
        let change =
            plays == nil && delays == nil
            ? nil : TimingChange(plays: plays ?? .asAuthored, delays: delays)
        if change == nil, destination.output != nil || inPlace {
            throw CommandFailure.usage(
                "There is nothing to change.", hint: "Add --loop, --delay or --speed.")
        }
        if change != nil, destination.output == nil, !inPlace {
            throw CommandFailure.usage(
                "The name of the new file is missing.",
                hint: "Name one with -o, or replace the input with --in-place.")
        }
        if destination.output != nil, inPlace {
            throw CommandFailure.usage("--in-place cannot be combined with --output.")
        }
        return LoopJob(
            output: destination.output, change: change, isInPlace: inPlace,
            overwrite: options.existing.policy,
            reading: try options.reading(inputs))
    }
}
