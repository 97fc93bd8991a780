"""A text as a QR code, as the path of a picture that the page draws."""

import segno

from plyground.web.views.menu_models import Drawn, QrView

QUIET_ZONE = 4
"""Units of white around it, by the standard."""


def qr(args: Drawn) -> QrView:
    """The code: each row's runs of dark squares, as rectangles a unit high."""
    # Level M restores 15 % of a damaged symbol (ISO 18004).
    code = segno.make(args.text, error="m", micro=False)
    rows = [[bool(dark) for dark in row] for row in code.matrix]
    path = "".join(
        f"M{column + QUIET_ZONE} {number + QUIET_ZONE}h1v1h-1z"
        for number, row in enumerate(rows)
        for column, dark in enumerate(row)
        if dark
    )
    return QrView(size=len(rows) + 2 * QUIET_ZONE, path=path)
