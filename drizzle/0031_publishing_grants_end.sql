-- Drops grants by which accounts let agents publish at the site's expense, used or not.
DROP TABLE "publishing_grants" CASCADE;--> statement-breakpoint
DROP INDEX "sponsored_transactions_grant";--> statement-breakpoint
-- Drops which sponsored publications were made by a grant: they stay, as the agent's own.
ALTER TABLE "sponsored_transactions" DROP COLUMN "grant_id";
