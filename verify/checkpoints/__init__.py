"""From a source to batches of heads: files, layouts, and nothing else."""

from verify.checkpoints.checkpoint import Checkpoint, open_checkpoint
from verify.checkpoints.plan import LayerPlan, Status

__all__ = ["Checkpoint", "LayerPlan", "Status", "open_checkpoint"]
