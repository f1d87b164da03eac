CREATE TABLE "marks" (
	"account" text COLLATE "C" NOT NULL,
	"mark" text NOT NULL,
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "marks_account_mark_kind_name_pk" PRIMARY KEY("account","mark","kind","name"),
	CONSTRAINT "marks_mark" CHECK (mark in ('like', 'save', 'follow'))
);
--> statement-breakpoint
CREATE TABLE "piece_counts" (
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"likes" integer DEFAULT 0 NOT NULL,
	"plays" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "piece_counts_kind_name_pk" PRIMARY KEY("kind","name")
);
--> statement-breakpoint
CREATE TABLE "play_days" (
	"day" date PRIMARY KEY NOT NULL,
	"salt" text NOT NULL,
	"plays" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "play_visitors" (
	"day" date NOT NULL,
	"visitor" text COLLATE "C" NOT NULL,
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	CONSTRAINT "play_visitors_day_visitor_kind_name_pk" PRIMARY KEY("day","visitor","kind","name")
);
--> statement-breakpoint
CREATE TABLE "inboxes" (
	"account" text COLLATE "C" PRIMARY KEY NOT NULL,
	"seen_at" timestamp with time zone,
	"feed_key" text COLLATE "C",
	CONSTRAINT "inboxes_feed_key_unique" UNIQUE("feed_key")
);
--> statement-breakpoint
CREATE TABLE "notice_position" (
	"id" integer PRIMARY KEY NOT NULL,
	"stream_seq" bigint NOT NULL,
	CONSTRAINT "notice_position_single" CHECK (id = 1)
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"account" text COLLATE "C" NOT NULL,
	"what" text NOT NULL,
	"actor" text COLLATE "C" NOT NULL,
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"by_kind" text NOT NULL,
	"by_name" text COLLATE "C" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "notices_account_what_actor_kind_name_by_kind_by_name_pk" PRIMARY KEY("account","what","actor","kind","name","by_kind","by_name"),
	CONSTRAINT "notices_what" CHECK (what in ('built', 'remixed', 'followed'))
);
--> statement-breakpoint
ALTER TABLE "world_reports" ALTER COLUMN "world_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "world_reports" ADD COLUMN "kind" text DEFAULT 'world' NOT NULL;--> statement-breakpoint
ALTER TABLE "world_reports" ADD COLUMN "subject" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "marks" ADD CONSTRAINT "marks_account_users_address_fk" FOREIGN KEY ("account") REFERENCES "public"."users"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inboxes" ADD CONSTRAINT "inboxes_account_users_address_fk" FOREIGN KEY ("account") REFERENCES "public"."users"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_account_users_address_fk" FOREIGN KEY ("account") REFERENCES "public"."users"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "marks_newest" ON "marks" USING btree ("mark","kind","created_at","name","account");--> statement-breakpoint
CREATE INDEX "marks_of_account" ON "marks" USING btree ("account","mark","created_at");--> statement-breakpoint
CREATE INDEX "notices_newest" ON "notices" USING btree ("account","created_at");--> statement-breakpoint
CREATE INDEX "world_reports_subject" ON "world_reports" USING btree ("kind","subject","created_at");