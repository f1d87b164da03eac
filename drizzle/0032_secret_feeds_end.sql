ALTER TABLE "inboxes" DROP CONSTRAINT "inboxes_feed_key_unique";--> statement-breakpoint
-- Drops the secret addresses of accounts' Atom feeds: what was in them is on the pages Following and Notices.
ALTER TABLE "inboxes" DROP COLUMN "feed_key";
