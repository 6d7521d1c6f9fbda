-- Registrations that anybody may make are told from the others: they end when nobody uses them. In a migration of its
-- own, because a new value can be used after it was committed alone.
ALTER TYPE "client_origin" ADD VALUE 'open_registration' AFTER 'registration';
