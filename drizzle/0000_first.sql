CREATE TABLE "chain_blocks" (
	"number" bigint PRIMARY KEY NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"parent_hash" text COLLATE "C" NOT NULL,
	"timestamp_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "feed_items" (
	"feed_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"event_type" text NOT NULL,
	"status" text NOT NULL,
	"visible" boolean NOT NULL,
	"tx_hash" text COLLATE "C" NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text COLLATE "C" NOT NULL,
	"tx_index" integer NOT NULL,
	"log_index" integer NOT NULL,
	"history_cursor" text COLLATE "C" NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL,
	"projector_version" integer NOT NULL,
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	CONSTRAINT "feed_items_status" CHECK (status in ('observed', 'safe', 'finalized', 'removed'))
);
--> statement-breakpoint
CREATE TABLE "feed_outbox" (
	"stream_seq" bigint PRIMARY KEY NOT NULL,
	"feed_id" text COLLATE "C" NOT NULL,
	"event_type" text NOT NULL,
	"status" text NOT NULL,
	"history_cursor" text COLLATE "C" NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"owner" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registry_logs" (
	"block_number" bigint NOT NULL,
	"block_hash" text COLLATE "C" NOT NULL,
	"tx_hash" text COLLATE "C" NOT NULL,
	"tx_index" integer NOT NULL,
	"log_index" integer NOT NULL,
	"topics" jsonb NOT NULL,
	"data" text NOT NULL,
	CONSTRAINT "registry_logs_block_hash_log_index_pk" PRIMARY KEY("block_hash","log_index")
);
--> statement-breakpoint
CREATE TABLE "worker_state" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"chain_id" bigint NOT NULL,
	"registry" text COLLATE "C" NOT NULL,
	"processed_block" bigint NOT NULL,
	"head_block" bigint NOT NULL,
	"safe_block" bigint NOT NULL,
	"finalized_block" bigint NOT NULL,
	"last_stream_seq" bigint DEFAULT 0 NOT NULL,
	"updated_at_ms" bigint NOT NULL,
	CONSTRAINT "worker_state_single" CHECK (id = 1)
);
--> statement-breakpoint
CREATE TABLE "chain_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"address" text COLLATE "C" NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "publications" (
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"content_hash" text COLLATE "C" NOT NULL,
	"stage" text NOT NULL,
	"address" text COLLATE "C" NOT NULL,
	"calldata" text NOT NULL,
	"gas" bigint NOT NULL,
	"publication_nonce" bigint NOT NULL,
	"deadline" bigint NOT NULL,
	"tx_hash" text COLLATE "C",
	"failure" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "publications_kind_name_owner_content_hash_pk" PRIMARY KEY("kind","name","owner","content_hash"),
	CONSTRAINT "publications_stage" CHECK (stage in ('prepared', 'pending', 'mined', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"address" text COLLATE "C" PRIMARY KEY NOT NULL,
	"published" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "artifacts" (
	"content_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"body" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "artifacts_kind" CHECK (kind in ('connector', 'transformation', 'condition'))
);
--> statement-breakpoint
CREATE TABLE "drafts" (
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"content_hash" text COLLATE "C" NOT NULL,
	"source" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "drafts_kind_name_pk" PRIMARY KEY("kind","name"),
	CONSTRAINT "drafts_kind" CHECK (kind in ('connector', 'transformation', 'condition'))
);
--> statement-breakpoint
CREATE TABLE "entities" (
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"address" text COLLATE "C" NOT NULL,
	"content_hash" text COLLATE "C" NOT NULL,
	"metadata_hash" text COLLATE "C" NOT NULL,
	"artifact_hash" text COLLATE "C",
	"format_hash" text COLLATE "C",
	"block_number" bigint NOT NULL,
	"block_hash" text COLLATE "C" NOT NULL,
	"tx_hash" text COLLATE "C" NOT NULL,
	"tx_index" integer NOT NULL,
	"log_index" integer NOT NULL,
	CONSTRAINT "entities_kind_name_pk" PRIMARY KEY("kind","name"),
	CONSTRAINT "entities_kind" CHECK (kind in ('connector', 'transformation', 'condition'))
);
--> statement-breakpoint
CREATE TABLE "formats" (
	"format_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"scalars" jsonb NOT NULL,
	"connectors" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_content_hash_artifacts_content_hash_fk" FOREIGN KEY ("content_hash") REFERENCES "public"."artifacts"("content_hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entities" ADD CONSTRAINT "entities_artifact_hash_artifacts_content_hash_fk" FOREIGN KEY ("artifact_hash") REFERENCES "public"."artifacts"("content_hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feed_items_history" ON "feed_items" USING btree ("history_cursor");--> statement-breakpoint
CREATE INDEX "feed_items_open" ON "feed_items" USING btree ("block_number") WHERE status in ('observed', 'safe');--> statement-breakpoint
CREATE INDEX "registry_logs_block" ON "registry_logs" USING btree ("block_number","log_index");--> statement-breakpoint
CREATE INDEX "chain_nonces_address" ON "chain_nonces" USING btree ("address","created_at");--> statement-breakpoint
CREATE INDEX "chain_nonces_expiry" ON "chain_nonces" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "drafts_owner" ON "drafts" USING btree ("owner","kind","name");--> statement-breakpoint
CREATE INDEX "entities_owner" ON "entities" USING btree ("owner","kind","name");--> statement-breakpoint
CREATE INDEX "entities_format" ON "entities" USING btree ("format_hash","name");--> statement-breakpoint
CREATE INDEX "entities_block" ON "entities" USING btree ("block_number");