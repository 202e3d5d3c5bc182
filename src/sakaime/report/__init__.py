"""How a judgement is told."""
