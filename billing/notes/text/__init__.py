"""From characters to words: what was typed, put as a person writes it; numbers and times told in words."""
