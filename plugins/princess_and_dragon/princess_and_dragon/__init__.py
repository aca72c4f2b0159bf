"""The Princess & the Dragon, as a plug-in of Bastide."""
