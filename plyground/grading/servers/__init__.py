"""Grades of servers: a student's Connector, over which clients play."""
