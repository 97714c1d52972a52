"""What these tests share with others of leaderboards."""

from board_fixtures import halves, sent, small

__all__ = ["halves", "sent", "small"]
