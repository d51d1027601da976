internal import CGTK
internal import LazyGTK
internal import LazyKit

/// Zooms a player to the pointer by wheel and pinch, and moves it by dragging.
@MainActor enum PlayerGestures {
    /// Where pointer and fingers are.
    private final class Pointers {
        var pointer: (x: Double, y: Double)?
        var pinch = 1.0
        var drag = (x: 0.0, y: 0.0)
    }

    static func add(to player: Player) {
        let pointers = Pointers()
        addMotion(player, pointers)
        addScroll(player, pointers)
        addPinch(player, pointers)
        addDrag(player, pointers)
        addClick(player)
    }

    private static func addMotion(_ player: Player, _ pointers: Pointers) {
        guard let motion = gtk_event_controller_motion_new() else { return }
        Signal.connectPoint(motion.raw, "motion") { x, y in
            pointers.pointer = (x, y)
            return false
        }
        Signal.connect(motion.raw, "leave") { pointers.pointer = nil }
        gtk_widget_add_controller(player.view.widget, motion)
    }

    private static func addScroll(_ player: Player, _ pointers: Pointers) {
        guard let scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL)
        else { return }
        Signal.connectPoint(scroll.raw, "scroll") { [weak player] _, y in
            // A wheel counts notches, a touchpad pixels.
            let isWheel = gtk_event_controller_scroll_get_unit(scroll) == GDK_SCROLL_UNIT_WHEEL
            let notches = isWheel ? y : y / 40
            player?.zoom(by: power(0.8, notches), around: pointers.pointer)
            return true
        }
        gtk_widget_add_controller(player.view.widget, scroll)
    }

    private static func addPinch(_ player: Player, _ pointers: Pointers) {
        guard let pinch = gtk_gesture_zoom_new() else { return }
        Signal.connect(pinch.raw, "begin") { pointers.pinch = 1 }
        Signal.connectNumber(pinch.raw, "scale-changed") { [weak player] scale in
            var (x, y) = (0.0, 0.0)
            guard gtk_gesture_get_bounding_box_center(pinch, &x, &y) != 0, scale > 0 else { return }
            player?.zoom(by: scale / pointers.pinch, around: (x, y))
            pointers.pinch = scale
        }
        gtk_widget_add_controller(player.view.widget, pinch)
    }

    private static func addDrag(_ player: Player, _ pointers: Pointers) {
        guard let drag = gtk_gesture_drag_new() else { return }
        Signal.connectPoint(drag.raw, "drag-begin") { _, _ in
            pointers.drag = (0, 0)
            return false
        }
        Signal.connectPoint(drag.raw, "drag-update") { [weak player] x, y in
            guard let player, player.view.magnification.scale > 1 else { return false }
            player.move(by: (x - pointers.drag.x, y - pointers.drag.y))
            pointers.drag = (x, y)
            return false
        }
        gtk_widget_add_controller(player.view.widget, drag)
    }

    private static func addClick(_ player: Player) {
        guard let click = gtk_gesture_click_new() else { return }
        Signal.connectPress(click.raw, "pressed") { [weak player] count, x, y in
            guard let player, count == 2 else { return }
            if player.view.magnification.scale > 1 {
                player.fit()
            } else {
                player.zoom(by: 2, around: (x, y))
            }
        }
        gtk_widget_add_controller(player.view.widget, click)
    }

    /// A power with any exponent, by the logarithm that Magnification's factors multiply to.
    private static func power(_ base: Double, _ exponent: Double) -> Double {
        var result = 1.0
        var rest = abs(exponent)
        while rest >= 1 {
            result *= base
            rest -= 1
        }
        result *= 1 + (base - 1) * rest
        return exponent < 0 ? 1 / result : result
    }
}
