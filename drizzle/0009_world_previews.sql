CREATE TABLE "world_preview_files" (
	"preview_id" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"size" integer NOT NULL,
	CONSTRAINT "world_preview_files_preview_id_path_pk" PRIMARY KEY("preview_id","path")
);
--> statement-breakpoint
CREATE TABLE "world_previews" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"owner" text COLLATE "C",
	"lease_id" text COLLATE "C" NOT NULL,
	"bundle_hash" text COLLATE "C" NOT NULL,
	"manifest" jsonb NOT NULL,
	"bytes" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "world_preview_files" ADD CONSTRAINT "world_preview_files_preview_id_world_previews_id_fk" FOREIGN KEY ("preview_id") REFERENCES "public"."world_previews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "world_previews_owner" ON "world_previews" USING btree ("owner");--> statement-breakpoint
CREATE INDEX "world_previews_expiry" ON "world_previews" USING btree ("expires_at");