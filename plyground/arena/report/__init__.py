"""An arena for people: standings, one file of HTML, tables for spreadsheets."""
