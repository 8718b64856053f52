"""The leaderboard for other programs: one file an export."""
