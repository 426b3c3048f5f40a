"""The optional second reader: a language model that extracts facts, never codes. Off unless the operator
turns it on."""
