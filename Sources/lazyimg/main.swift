import LazyCommands

CommandLineTool.decodeIfAsked()
CommandLineTool.answerVersion()
CommandLineTool.main()
