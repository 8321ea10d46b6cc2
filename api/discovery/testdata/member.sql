INSERT INTO near_waits (user_id, town_lat, town_lon, baseline, by_mail, checked_on, told_at) VALUES
    (@member, 45.5, -122.7, 3, true, '2026-01-01', now())
