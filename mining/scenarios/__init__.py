"""Clusters of openings → seed scenarios."""
