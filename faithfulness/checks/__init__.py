"""What a program can check by itself: marks for people, never labels."""
