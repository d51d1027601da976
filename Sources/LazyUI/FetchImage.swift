// Observable models.
