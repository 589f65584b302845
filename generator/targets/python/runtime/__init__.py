"""Internal modules. Import from the package instead."""
