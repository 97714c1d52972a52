"""Whole numbers in replies of a judge: `true` is none, though Python takes it for 1."""

from typing import Annotated, Literal

from pydantic import BeforeValidator


def _number(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("it must be a number")
    return value


OneToFive = Annotated[Literal[1, 2, 3, 4, 5], BeforeValidator(_number)]
ZeroToTen = Annotated[Literal[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], BeforeValidator(_number)]
OneOrTwo = Annotated[Literal[1, 2], BeforeValidator(_number)]
