package import LazyMedia

/// Where pictures of any size lie on a canvas: a crop, a scale, a second crop, extensions and a border, by one rule.
///
/// It is what a service's URLs ask for, whose sizes depend on those of the source in more ways than a target size, a
/// crop and a border can say. `layout(of:)` says what it means for a size; an edit with one has no size or padding.
package struct Placement: Hashable, Sendable {
    /// How pictures are scaled to a width and a height.
    package enum Resizing: String, CaseIterable, Hashable, Sendable {
        /// The largest size that fits inside.
        case fit
        /// The smallest size that covers; the excess is cropped.
        case fill
        /// The same, with the ratio of the target where the picture is too small.
        case fillDown = "fill-down"
        /// Both sides apart.
        case force
        /// `fill` where picture and target are both wide or both high, else `fit`.
        case auto
    }

    /// A place, and pixels or shares of the outer side to move from it.
    package struct Anchor: Hashable, Sendable {
        /// The place.
        package var gravity: Gravity
        /// How far from it in pixels, below 1 in shares; inwards from the right and lower edges.
        package var x = 0.0, y = 0.0

        /// Makes an anchor.
        package init(_ gravity: Gravity = .center, x: Double = 0, y: Double = 0) {
            (self.gravity, self.x, self.y) = (gravity, x, y)
        }
    }

    /// A part of the source; below 1 a share of a side, 0 all of it, else pixels.
    package struct Crop: Hashable, Sendable {
        /// The sides.
        package var width = 0.0, height = 0.0
        /// The place; nil for that of the placement.
        package var anchor: Anchor?

        /// Makes a part.
        package init(width: Double = 0, height: Double = 0, anchor: Anchor? = nil) {
            (self.width, self.height, self.anchor) = (width, height, anchor)
        }
    }

    /// A ratio of width to height that the crop gets.
    package struct Ratio: Hashable, Sendable {
        /// Width to height.
        package var value: Double
        /// Whether the crop gets larger for it, as far as the source goes, and not smaller.
        package var enlarges: Bool

        /// Makes a ratio.
        package init(_ value: Double, enlarges: Bool = false) {
            (self.value, self.enlarges) = (value, enlarges)
        }
    }

    /// Pixels on the sides of a picture.
    package struct Border: Hashable, Sendable {
        /// The sides.
        package var top = 0, right = 0, bottom = 0, left = 0

        /// Makes a border.
        package init(top: Int = 0, right: Int = 0, bottom: Int = 0, left: Int = 0) {
            (self.top, self.right, self.bottom, self.left) = (top, right, bottom, left)
        }
    }

    /// How pictures are scaled.
    package var resizing = Resizing.fit
    /// The target; 0 follows from the other side.
    package var width = 0, height = 0
    /// Sides that are not fallen short of, whatever the target; 0 for none.
    package var minWidth = 0, minHeight = 0
    /// Factors of the target.
    package var zoomX = 1.0, zoomY = 1.0
    /// Pixels of the result for each pixel of the target, of an offset and of the border.
    package var density = 1.0
    /// Whether pictures may get larger than they are.
    package var enlarges = false
    /// Whether the canvas has the target's size, and where pictures are on it.
    package var extends: Anchor?
    /// Whether the canvas has the target's ratio, and where pictures are on it.
    package var extendsRatio: Anchor?
    /// What a crop keeps.
    package var anchor = Anchor()
    /// What of the source is kept, before it is scaled.
    package var crop: Crop?
    /// The ratio of that part; nil for its own.
    package var cropRatio: Ratio?
    /// What is done to pixels before they are put on the canvas.
    package var filter = PictureFilter()
    /// What is around the canvas.
    package var border = Border()
    /// The most pixels of a side of the result; 0 for any number.
    package var limit = 0
    /// The color behind the picture and around it; nil for transparency.
    package var background: PixelColor?

    /// Makes a placement that changes nothing.
    package init() {}

    /// The size of pictures that is enough, by which a variant of a stream is chosen.
    package var sizeHint: TargetSize? {
        guard width > 0 || height > 0 else { return nil }
        func side(_ length: Int, _ zoom: Double) -> Int? {
            length > 0 ? Int(bounded: (Double(length) * zoom * density).rounded(.up)) : nil
        }
        return TargetSize(
            width: side(width, zoomX), height: side(height, zoomY),
            fit: resizing == .fit ? .contain : .cover)
    }
}
