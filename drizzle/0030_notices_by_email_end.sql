-- Drops the addresses that accounts gave for notices by e-mail, confirmed or not: notices stay, on the site.
DROP TABLE "email_requests" CASCADE;--> statement-breakpoint
-- Drops the same addresses' keys and times.
DROP TABLE "emails" CASCADE;
