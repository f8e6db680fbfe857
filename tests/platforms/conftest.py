"""What the tests of this folder share."""

# The seconds after which a wait fails: no test is about time, so this only says that something hangs.
HUNG = 600
