CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "direct_uploads" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"size" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "direct_uploads_owner" ON "direct_uploads" USING btree ("owner","expires_at");--> statement-breakpoint
CREATE INDEX "direct_uploads_expiry" ON "direct_uploads" USING btree ("expires_at");