"""24 to 26: the strategic war of submarines, raiders, bombers and rockets, and of the yards."""
