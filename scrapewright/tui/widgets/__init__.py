"""Small widgets that show outside text safely."""
