"""What exists, without rules: ships, forces, the state of a battle, events, and what one side knows."""
