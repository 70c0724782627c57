"""The rulebook that runs. The laws of rule code stand at the top of table.py."""
