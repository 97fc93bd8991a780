"""One game between two players: referee, records, files, levels, and audits against every reply."""
