CREATE TABLE "world_version_files" (
	"world_id" text COLLATE "C" NOT NULL,
	"bundle_hash" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"size" integer NOT NULL,
	CONSTRAINT "world_version_files_world_id_bundle_hash_path_pk" PRIMARY KEY("world_id","bundle_hash","path")
);
--> statement-breakpoint
CREATE TABLE "world_versions" (
	"world_id" text COLLATE "C" NOT NULL,
	"bundle_hash" text COLLATE "C" NOT NULL,
	"manifest_hash" text COLLATE "C" NOT NULL,
	"manifest" jsonb,
	"replaced_at" timestamp with time zone NOT NULL,
	CONSTRAINT "world_versions_world_id_bundle_hash_pk" PRIMARY KEY("world_id","bundle_hash")
);
--> statement-breakpoint
ALTER TABLE "worlds" ADD COLUMN "hidden_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "world_version_files" ADD CONSTRAINT "world_version_files_hash_blobs_hash_fk" FOREIGN KEY ("hash") REFERENCES "public"."blobs"("hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "world_version_files" ADD CONSTRAINT "world_version_files_version_fk" FOREIGN KEY ("world_id","bundle_hash") REFERENCES "public"."world_versions"("world_id","bundle_hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "world_versions" ADD CONSTRAINT "world_versions_world_id_worlds_id_fk" FOREIGN KEY ("world_id") REFERENCES "public"."worlds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "world_version_files_hash" ON "world_version_files" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "world_versions_bundle" ON "world_versions" USING btree ("bundle_hash");--> statement-breakpoint
CREATE INDEX "world_versions_replaced" ON "world_versions" USING btree ("replaced_at") WHERE manifest is not null;--> statement-breakpoint
CREATE INDEX "worlds_bundle" ON "worlds" USING btree ("bundle_hash");