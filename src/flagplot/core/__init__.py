"""The machine: asks, forms, runner, tape, dice, events. It knows nothing of ships."""
