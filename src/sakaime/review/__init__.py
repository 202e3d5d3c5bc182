"""What a reviewer gets and gives."""
