CREATE TABLE "blob_leases" (
	"lease_id" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "blob_leases_lease_id_hash_pk" PRIMARY KEY("lease_id","hash")
);
--> statement-breakpoint
CREATE TABLE "blob_parts" (
	"hash" text COLLATE "C" NOT NULL,
	"part" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "blob_parts_hash_part_pk" PRIMARY KEY("hash","part")
);
--> statement-breakpoint
CREATE TABLE "blobs" (
	"hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"size" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "world_files" (
	"world_id" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"size" integer NOT NULL,
	CONSTRAINT "world_files_world_id_path_pk" PRIMARY KEY("world_id","path")
);
--> statement-breakpoint
CREATE TABLE "worlds" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"slug" text COLLATE "C" NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"status" text NOT NULL,
	"version" text NOT NULL,
	"bundle_hash" text COLLATE "C" NOT NULL,
	"manifest_hash" text COLLATE "C" NOT NULL,
	"entry_path" text COLLATE "C" NOT NULL,
	"surfaces" text[] NOT NULL,
	"permissions" text[] NOT NULL,
	"manifest" jsonb NOT NULL,
	"search_text" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "worlds_status" CHECK (status in ('active', 'deleted'))
);
--> statement-breakpoint
ALTER TABLE "blob_leases" ADD CONSTRAINT "blob_leases_hash_blobs_hash_fk" FOREIGN KEY ("hash") REFERENCES "public"."blobs"("hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "world_files" ADD CONSTRAINT "world_files_world_id_worlds_id_fk" FOREIGN KEY ("world_id") REFERENCES "public"."worlds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "world_files" ADD CONSTRAINT "world_files_hash_blobs_hash_fk" FOREIGN KEY ("hash") REFERENCES "public"."blobs"("hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "blob_leases_hash" ON "blob_leases" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "blob_leases_expiry" ON "blob_leases" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "world_files_hash" ON "world_files" USING btree ("hash");--> statement-breakpoint
CREATE UNIQUE INDEX "worlds_active_slug" ON "worlds" USING btree ("slug") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "worlds_newest" ON "worlds" USING btree ("updated_at" DESC NULLS FIRST,"id") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "worlds_newest_pages" ON "worlds" USING btree ("updated_at" DESC NULLS FIRST,"id") WHERE status = 'active' and surfaces @> '{world-page}';--> statement-breakpoint
CREATE INDEX "worlds_newest_plugins" ON "worlds" USING btree ("updated_at" DESC NULLS FIRST,"id") WHERE status = 'active' and surfaces @> '{studio-plugin}';--> statement-breakpoint
CREATE INDEX "worlds_owner" ON "worlds" USING btree ("owner","updated_at" DESC NULLS FIRST,"id") WHERE status = 'active';