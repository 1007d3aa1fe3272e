"""Where words stand: sentences cut, a judge's sentences aligned, quotations placed."""
