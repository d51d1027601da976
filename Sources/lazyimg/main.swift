import LazyCLI

CommandLineTool.decodeIfAsked()
CommandLineTool.answerVersion()
CommandLineTool.main()
