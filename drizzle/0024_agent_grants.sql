CREATE TABLE "agent_grants" (
	"selector" text PRIMARY KEY NOT NULL,
	"address" text COLLATE "C" NOT NULL,
	"client_name" text COLLATE "C" NOT NULL,
	"redirect_uri" text NOT NULL,
	"code_hash" text NOT NULL,
	"code_challenge" text NOT NULL,
	"refresh_hash" text,
	"created_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agent_grants" ADD CONSTRAINT "agent_grants_address_users_address_fk" FOREIGN KEY ("address") REFERENCES "public"."users"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_grants_address" ON "agent_grants" USING btree ("address","created_at");--> statement-breakpoint
CREATE INDEX "agent_grants_expiry" ON "agent_grants" USING btree ("expires_at");