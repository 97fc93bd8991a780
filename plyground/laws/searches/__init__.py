"""Laws of a search: its recording, event by event, against due windows, depths, values and moves."""
