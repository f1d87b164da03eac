CREATE TABLE "piece_stills" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"content_hash" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"bytes" "bytea" NOT NULL,
	"taken_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "piece_stills_hash" ON "piece_stills" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "piece_stills_owner" ON "piece_stills" USING btree ("owner");