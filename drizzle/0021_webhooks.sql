CREATE TABLE "webhook_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"endpoint_id" text COLLATE "C" NOT NULL,
	"message_id" text COLLATE "C" NOT NULL,
	"stream_seq" bigint,
	"event_type" text NOT NULL,
	"attempt" integer NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"duration_ms" integer NOT NULL,
	"status" integer,
	"error" text,
	"answer" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"filter_kind" text,
	"filter_owner" text COLLATE "C",
	"filter_format" text COLLATE "C",
	"filter_name" text COLLATE "C",
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_secret_until" timestamp with time zone,
	"state" text DEFAULT 'active' NOT NULL,
	"disabled_reason" text,
	"position" bigint NOT NULL,
	"generation" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp with time zone,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"slow" boolean DEFAULT false NOT NULL,
	"lease_token" text,
	"lease_until" timestamp with time zone,
	"test_id" text COLLATE "C",
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_endpoints_state" CHECK (state in ('active', 'paused', 'disabled'))
);
--> statement-breakpoint
ALTER TABLE "feed_items" ADD COLUMN "format_hash" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "feed_outbox" ADD COLUMN "format_hash" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_owner_users_address_fk" FOREIGN KEY ("owner") REFERENCES "public"."users"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint" ON "webhook_deliveries" USING btree ("endpoint_id","id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_owner" ON "webhook_endpoints" USING btree ("owner","created_at");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_behind" ON "webhook_endpoints" USING btree ("position") WHERE state = 'active';--> statement-breakpoint
CREATE INDEX "webhook_endpoints_test" ON "webhook_endpoints" USING btree ("test_id") WHERE test_id is not null;--> statement-breakpoint
CREATE INDEX "feed_items_format" ON "feed_items" USING btree ("format_hash","history_cursor","feed_id") WHERE format_hash is not null;--> statement-breakpoint
UPDATE "feed_items" i SET "format_hash" = e."format_hash" FROM "entities" e WHERE i."kind" = 'connector' AND e."kind" = 'connector' AND e."name" = i."name";--> statement-breakpoint
UPDATE "feed_outbox" o SET "format_hash" = e."format_hash" FROM "entities" e WHERE o."kind" = 'connector' AND e."kind" = 'connector' AND e."name" = o."name";
