/// What commands print of what they made: text for people, and the JSON of what is no rendition.
enum Reports {}
