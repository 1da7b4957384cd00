"""THE DESK: the panel's own pages: the dashboard, the search, and the way between pages."""
