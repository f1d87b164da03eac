CREATE TABLE "sessions" (
	"selector" text PRIMARY KEY NOT NULL,
	"secret_hash" text NOT NULL,
	"address" text COLLATE "C" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "siwe_challenges" (
	"message_hash" text PRIMARY KEY NOT NULL,
	"message" text COLLATE "C" NOT NULL,
	"address" text COLLATE "C" NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"address" text COLLATE "C" PRIMARY KEY NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"display_name" text,
	"profile" text DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"last_login_at" timestamp with time zone,
	CONSTRAINT "users_status" CHECK (status in ('active', 'suspended', 'deleted'))
);
--> statement-breakpoint
CREATE TABLE "follows" (
	"follower" text COLLATE "C" NOT NULL,
	"followed" text COLLATE "C" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "follows_follower_followed_pk" PRIMARY KEY("follower","followed"),
	CONSTRAINT "follows_not_oneself" CHECK (follower <> followed)
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_address_users_address_fk" FOREIGN KEY ("address") REFERENCES "public"."users"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_follower_users_address_fk" FOREIGN KEY ("follower") REFERENCES "public"."users"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_followed_users_address_fk" FOREIGN KEY ("followed") REFERENCES "public"."users"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_address" ON "sessions" USING btree ("address");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "siwe_challenges_address" ON "siwe_challenges" USING btree ("address","expires_at");--> statement-breakpoint
CREATE INDEX "siwe_challenges_expiry" ON "siwe_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "follows_followed" ON "follows" USING btree ("followed","follower");