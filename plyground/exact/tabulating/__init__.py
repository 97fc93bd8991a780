"""The making of tablebases: the order of the tasks, the tasks, the worker, its threads."""
