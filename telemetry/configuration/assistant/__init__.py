"""Set-up assistant: questions and answers, and the values of settings that follow."""
