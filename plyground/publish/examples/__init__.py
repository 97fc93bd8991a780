"""Rules to begin with, in the page where rules are written: each file stands for itself."""
