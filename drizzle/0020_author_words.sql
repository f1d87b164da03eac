CREATE TABLE "entity_origins" (
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"origin_kind" text NOT NULL,
	"origin_name" text COLLATE "C" NOT NULL,
	"block_number" bigint NOT NULL,
	"tx_index" integer NOT NULL,
	"log_index" integer NOT NULL,
	CONSTRAINT "entity_origins_kind_name_origin_kind_origin_name_pk" PRIMARY KEY("kind","name","origin_kind","origin_name"),
	CONSTRAINT "entity_origins_kind" CHECK (kind in ('connector', 'transformation', 'condition'))
);
--> statement-breakpoint
CREATE TABLE "source_checks" (
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"content_hash" text COLLATE "C" NOT NULL,
	"metadata_hash" text COLLATE "C" NOT NULL,
	"turn" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"tx_index" integer NOT NULL,
	"log_index" integer NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	CONSTRAINT "source_checks_kind_name_pk" PRIMARY KEY("kind","name"),
	CONSTRAINT "source_checks_kind" CHECK (kind in ('connector', 'transformation', 'condition')),
	CONSTRAINT "source_checks_state" CHECK (state in ('open', 'verified', 'different'))
);
--> statement-breakpoint
CREATE INDEX "entity_origins_newest" ON "entity_origins" USING btree ("origin_kind","origin_name","block_number","tx_index","log_index");--> statement-breakpoint
CREATE INDEX "source_checks_open" ON "source_checks" USING btree ("turn","block_number","tx_index","log_index") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "source_checks_owner" ON "source_checks" USING btree ("owner","turn");