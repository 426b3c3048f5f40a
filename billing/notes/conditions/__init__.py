"""Which conditions a note states of its patient, firmly and now, and the leaf that each comes to."""
