/// The project whose tests run.
public enum Project {
    /// Its folder, with a slash at the end.
    public static let folder =
        String(#filePath.dropLast("Tests/Support/Programs/Project.swift".count))
}
