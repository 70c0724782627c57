"""What the body of a request may say, wherever it is sent."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Body(BaseModel):
    """What a request may say, and nothing else."""

    model_config = ConfigDict(extra="forbid")
