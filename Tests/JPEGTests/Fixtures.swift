/// Pictures that the encoder does not write.
enum Fixtures {
    /// Inks of 16 x 16: cyan, magenta, yellow, half black in quarters; as Adobe writes them.
    static let inks = bytes(
        "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcG"
            + "BggLCAkKCgoKCgYICwwLCgwJCgoK/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAAB"
            + "AgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNi"
            + "coIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SV"
            + "lpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4E"
            + "QwBNAFkASwAAPwD+f+v38r9/K/fyv7/K/gDooor+/wAr+AOiiiv7/K/n/r//2Q==")
    /// The same as YCCK.
    static let ycck = bytes(
        "/9j/7gAOQWRvYmUAZAAAAAAC/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcG"
            + "BggLCAkKCgoKCgYICwwLCgwJCgoK/9sAQwECAgICAgIFAwMFCgcGBwoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK"
            + "CgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK/8AAFAgAEAAQBAEiAAIRAQMRAQQiAP/EAB8AAAEFAQEBAQEBAAAAAAAA"
            + "AAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHw"
            + "JDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqS"
            + "k5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/E"
            + "AB8BAAMBAQEBAQEBAQEAAAAAAAABAgMEBQYHCAkKC//EALURAAIBAgQEAwQHBQQEAAECdwABAgMRBAUhMQYSQVEH"
            + "YXETIjKBCBRCkaGxwQkjM1LwFWJy0QoWJDThJfEXGBkaJicoKSo1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdo"
            + "aWpzdHV2d3h5eoKDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uLj"
            + "5OXm5+jp6vLz9PX29/j5+v/aAA4EAQACEQMRBAAAPwD4vr9KK/BuvC6PpMfQZ/4hx/ZX/GQe39v7f/mE5OXk9j/1"
            + "Ezvfn8rW630X0weJf+J0f7E/df2V/ZX1n7X1r2v1r6v5Yfk5Pq/9/m5/s8vvfv5RRX8/9f/Z")
    /// The same without Adobe's mark, not inverted.
    static let plainInks = bytes(
        "/9j/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsK"
            + "DAkKCgr/wAAUCAAQABAEQxEATREAWREASxEA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAA"
            + "AgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0"
            + "NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKz"
            + "tLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oADgRDAE0AWQBLAAA/AP38r+f+"
            + "v5/6/n/r+AOv7/KKKK/gDr+/yiiiv4A6/oAr/9k=")
    /// A lossless JPEG of 8 x 8 with 16 bits: black around a square, which is a difference of 32,768; by imagecodecs.
    static let wideDifference = bytes(
        "/9j/4AAQSkZJRgABAQAAAQABAAD/wwALEAAIAAgBAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAA8Q/9oACAEBAAEAAMAACOH4"
            + "seAI4fix4Ajh+LHgCOH4seAAAD//2Q==")
    /// The same without one: a little lighter than the middle around the square.
    static let narrowDifferences = bytes(
        "/9j/4AAQSkZJRgABAQAAAQABAAD/wwALEAAIAAgBAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAA0I/9oACAEBAAEAANkAAAtv"
            + "AiQ4tvAiQ4tvAiQ4tvAiQ4AAP//Z")
    /// A lossless JPEG of 16 x 16, by FFmpeg.
    static let lossless = bytes(
        "/9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/xAGiAAABBQEBAQEBAQAAAAAAAAAAAQIDBAUG"
            + "BwgJCgsBAAMBAQEBAQEBAQEAAAAAAAABAgMEBQYHCAkKCxAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1Fh"
            + "ByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlq"
            + "c3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl"
            + "5ufo6erx8vP09fb3+Pn6EQACAQIEBAMEBwUEBAABAncAAQIDEQQFITEGEkFRB2FxEyIygQgUQpGhscEJIzNS8BVi"
            + "ctEKFiQ04SXxFxgZGiYnKCkqNTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqCg4SFhoeIiYqS"
            + "k5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2dri4+Tl5ufo6ery8/T19vf4+fr/wwAR"
            + "CAAQABADASIAAhEAAxEA/9oADAMBAAIQAxABAAD5/AD0w9MPlP3/ANKPSuS2/lL0w8zPpfrvjo+xQPTDzMD0o3T6"
            + "b8Q9MPTD5n9vAA9M9n+sz0/h/NTzU/Qf6i8zPMz6v+fvsU+xT+APrvMzzM+i/nHzU81Puf7m+szzP7/+l/EAPv8A"
            + "D6zPMz67+f8AzU81Pp/7s8zPMz6r+fvsU+xT+APqvMzzM+s/n/zU81PqP7q8z+//ADM+s/AD7/Pv8PMzzM+r/n/z"
            + "U81Pqf7r8zPMz6v+f/sU+xT+APqvMzzM+s/n/wA1PNT6n+6vMzzM+r/AD7/Pv9z5meZn1n4D5qean1X92+ZnmZ9R"
            + "/P8A9in2KfwB9T5meZn1P8++anmp9V/dfmZ5mfW/z8ff59/5dPmZ5mfS/gXmp5qfUf2t5meZn1v4J9in2Kfwr9P5"
            + "meZn1n4b5qean039xeZnmZ9J+Femdydz8R+ydxt9xt/Hfj2HhYeF6H5y2223+g/EW+Gt8N+qdPD4nD4n3H6hubu5"
            + "u+V+2OqOqfn/ANCdz5me78X3G36YfGexh4XpXJe9+GNt+Zn7F87b4b7FPzD2eHxPMz7Ly9zd3T7b6J1T0w+G/W//"
            + "2Q==")

    private static func bytes(_ base64: String) -> [UInt8] {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var result: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for letter in base64.utf8 {
            guard let value = letters.firstIndex(of: letter) else { break }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return result
    }
}
