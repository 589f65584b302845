"""What every client of this kind is made of, whatever its document. Not meant to be imported."""
