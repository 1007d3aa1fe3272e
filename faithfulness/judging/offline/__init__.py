"""What the lexical baseline is made of: words, passages, five features, two clash rules."""
