-- Unused since 0017. Drops the triggers on drafts, entities, accounts, formats, feed_items, feed_outbox and artifacts.
DROP FUNCTION "stamp_reads"() CASCADE;
--> statement-breakpoint
-- Unused since 0017.
DROP TABLE "read_stamps";
--> statement-breakpoint
-- For sites of the release before: a new stamp at every read, so that they find no cached response valid. A later
-- migration drops it.
CREATE VIEW "read_stamps" AS
SELECT "scope", 0 AS "shard", gen_random_uuid() AS "stamp" FROM unnest(ARRAY['drafts', 'entities', 'feed']) AS "scope";
