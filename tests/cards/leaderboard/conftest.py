"""What these tests share with others of leaderboards."""

from board_fixtures import halves, hub, sent, small

__all__ = ["halves", "hub", "sent", "small"]
