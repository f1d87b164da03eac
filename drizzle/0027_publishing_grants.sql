CREATE TABLE "publishing_grants" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"agent" text COLLATE "C" NOT NULL,
	"name" text NOT NULL,
	"kinds" text[] NOT NULL,
	"publications" integer NOT NULL,
	"budget" numeric(78, 0) NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "sponsored_transactions" ADD COLUMN "grant_id" text COLLATE "C";--> statement-breakpoint
CREATE INDEX "publishing_grants_owner" ON "publishing_grants" USING btree ("owner","created_at");--> statement-breakpoint
CREATE INDEX "sponsored_transactions_grant" ON "sponsored_transactions" USING btree ("grant_id") WHERE grant_id is not null;