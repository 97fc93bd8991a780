"""Laws of a search: its recording is compared event by event with due windows, depths, values and moves."""
