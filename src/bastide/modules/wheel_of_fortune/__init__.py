"""The Wheel of Fortune."""
