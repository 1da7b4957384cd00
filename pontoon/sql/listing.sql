-- How rare rounds are listed among many, newest first. Run as the owner of the tables.
CREATE INDEX pontoon_round_voided ON pontoon_round (id) WHERE state = 'voided';
