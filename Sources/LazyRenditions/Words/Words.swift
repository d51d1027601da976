/// The grammars of all values that users write.
///
/// Command lines, viewers and services read them here, so that a value is spelled alike everywhere:
///
///     let size = try Words.size.parse("640x360>")
///     print(Words.size.text(size))
public enum Words {}
