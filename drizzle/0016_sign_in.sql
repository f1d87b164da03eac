-- "chain_nonces" is unused from here on. The release before still writes it, so a later migration drops it.
CREATE TABLE "used_chain_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "siwe_challenges_address";--> statement-breakpoint
ALTER TABLE "siwe_challenges" ADD COLUMN "client" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "used_chain_nonces_expiry" ON "used_chain_nonces" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "siwe_challenges_client" ON "siwe_challenges" USING btree ("address","client","expires_at");