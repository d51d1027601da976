import LazyCommands

CommandLineTool.decodeIfAsked()
CommandLineTool.answerVersion()
await CommandLineTool.main()
