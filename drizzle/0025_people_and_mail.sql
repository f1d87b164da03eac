CREATE TABLE "email_requests" (
	"recipient" text COLLATE "C" NOT NULL,
	"account" text COLLATE "C" NOT NULL,
	"requested_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "emails" (
	"account" text COLLATE "C" PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"confirmed_at" timestamp with time zone,
	"due_at" timestamp with time zone,
	"sent_at" timestamp with time zone,
	"read_to" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"stopped" text,
	CONSTRAINT "emails_key_unique" UNIQUE("key")
);
--> statement-breakpoint
ALTER TABLE "emails" ADD CONSTRAINT "emails_account_users_address_fk" FOREIGN KEY ("account") REFERENCES "public"."users"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "email_requests_recipient" ON "email_requests" USING btree ("recipient","requested_at");--> statement-breakpoint
CREATE INDEX "email_requests_account" ON "email_requests" USING btree ("account","requested_at");--> statement-breakpoint
CREATE INDEX "email_requests_age" ON "email_requests" USING btree ("requested_at");--> statement-breakpoint
CREATE INDEX "emails_due" ON "emails" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "worlds_remixes" ON "worlds" USING btree ((("manifest" ->> 'remixOf') collate "C"),"created_at" DESC NULLS FIRST,"id") WHERE status = 'active';