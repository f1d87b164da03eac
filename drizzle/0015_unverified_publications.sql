CREATE TABLE "unverified_publications" (
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"address" text COLLATE "C" NOT NULL,
	"content_hash" text COLLATE "C" NOT NULL,
	"reason" text NOT NULL,
	"block_number" bigint NOT NULL,
	"tx_hash" text COLLATE "C" NOT NULL,
	CONSTRAINT "unverified_publications_kind_name_pk" PRIMARY KEY("kind","name"),
	CONSTRAINT "unverified_publications_kind" CHECK (kind in ('connector', 'transformation', 'condition'))
);
--> statement-breakpoint
ALTER TABLE "entities" ADD COLUMN "metadata" "bytea";--> statement-breakpoint
CREATE INDEX "unverified_publications_block" ON "unverified_publications" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "entities_address" ON "entities" USING btree ("address");