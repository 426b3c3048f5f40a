"""What kind of visit it was, whether it took place, and how the patient was reached."""
