import LazyCommands

CommandLineTool.answerVersion()
await CommandLineTool.main()
