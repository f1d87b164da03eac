CREATE TABLE "worker_instances" (
	"instance" text PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"role_since_ms" bigint NOT NULL,
	"heartbeat_at" timestamp with time zone NOT NULL,
	"backend_pid" integer,
	"head_seen_at_ms" bigint,
	"problem_code" text,
	"problem" text,
	CONSTRAINT "worker_instances_role" CHECK (role in ('writer', 'standby'))
);
--> statement-breakpoint
ALTER TABLE "worker_state" ADD COLUMN "processed_timestamp_ms" bigint;--> statement-breakpoint
ALTER TABLE "worker_state" ADD COLUMN "head_timestamp_ms" bigint;--> statement-breakpoint
ALTER TABLE "worker_state" ADD COLUMN "reorg_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "worker_state" ADD COLUMN "reorg_deepest" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "worker_state" ADD COLUMN "reorg_last_depth" integer;--> statement-breakpoint
ALTER TABLE "worker_state" ADD COLUMN "reorg_last_at_ms" bigint;--> statement-breakpoint
ALTER TABLE "worker_state" ADD COLUMN "frozen_reason" text;--> statement-breakpoint
ALTER TABLE "worker_state" ADD COLUMN "frozen_since_ms" bigint;