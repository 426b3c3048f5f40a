"""Invented sessions in any number, for measuring; nobody in them exists."""
