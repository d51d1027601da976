import LazyCLI

CommandLineTool.decodeIfAsked()
CommandLineTool.main()
