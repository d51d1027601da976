internal import ArgumentParser

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Tell which libraries and codecs are here, their licences, and the terminal.")
    @OptionGroup var report: ReportOptions
    func run() throws {}
}
