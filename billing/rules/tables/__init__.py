"""The fixed tables that the claim rules stand on, written down as plain facts."""
