"""The searches, one idea a file, each written as its textbook has it."""
