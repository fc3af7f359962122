"""From a source to batches of heads: files, layouts, and nothing else."""

from verify.checkpoints.checkpoint import Checkpoint, Named, open_checkpoint
from verify.checkpoints.plan import LayerPlan, Status

__all__ = ["Checkpoint", "LayerPlan", "Named", "Status", "open_checkpoint"]
