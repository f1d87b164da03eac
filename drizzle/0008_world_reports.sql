CREATE TABLE "world_reports" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"world_id" text COLLATE "C" NOT NULL,
	"bundle_hash" text COLLATE "C" NOT NULL,
	"reason" text NOT NULL,
	"words" text NOT NULL,
	"reporter" text COLLATE "C",
	"created_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "world_reports_reason" CHECK (reason in ('harmful', 'deceptive', 'stolen', 'broken', 'other'))
);
--> statement-breakpoint
ALTER TABLE "world_reports" ADD CONSTRAINT "world_reports_world_id_worlds_id_fk" FOREIGN KEY ("world_id") REFERENCES "public"."worlds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "world_reports_open" ON "world_reports" USING btree ("world_id","reporter") WHERE settled_at is null;--> statement-breakpoint
CREATE INDEX "world_reports_newest" ON "world_reports" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "world_reports_world" ON "world_reports" USING btree ("world_id","created_at");--> statement-breakpoint
CREATE INDEX "world_reports_reporter" ON "world_reports" USING btree ("reporter","created_at");