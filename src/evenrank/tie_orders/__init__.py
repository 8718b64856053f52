"""Sums over all orders of tied items in closed form: what the formulas of the metrics are made of."""
