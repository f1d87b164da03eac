CREATE TABLE "marks" (
	"account" text COLLATE "C" NOT NULL,
	"mark" text NOT NULL,
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "marks_account_mark_kind_name_pk" PRIMARY KEY("account","mark","kind","name"),
	CONSTRAINT "marks_mark" CHECK (mark in ('like'))
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
ALTER TABLE "marks" ADD CONSTRAINT "marks_account_users_address_fk" FOREIGN KEY ("account") REFERENCES "public"."users"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "marks_newest" ON "marks" USING btree ("mark","kind","created_at","name","account");