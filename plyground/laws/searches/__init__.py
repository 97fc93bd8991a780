"""Laws of a search by windows and values: its recording, held event by event against what is due."""
