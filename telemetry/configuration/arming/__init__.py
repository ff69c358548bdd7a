"""Arming: checklists before it, and the procedure that arms and takes off."""
