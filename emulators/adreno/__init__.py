"""Adreno a6xx and a7xx behind the msm shim."""
