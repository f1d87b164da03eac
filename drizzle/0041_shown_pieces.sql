CREATE TABLE "shown_pieces" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"content_hash" text COLLATE "C" NOT NULL,
	"title" text COLLATE "C",
	"search_title" text COLLATE "C",
	"presentation" jsonb,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "shown_pieces_owner" ON "shown_pieces" USING btree ("owner");--> statement-breakpoint
CREATE INDEX "shown_pieces_world_version" ON "shown_pieces" USING btree (((presentation -> 'world' ->> 'bundle_hash') collate "C")) WHERE presentation is not null;--> statement-breakpoint
CREATE INDEX "shown_pieces_title" ON "shown_pieces" USING btree ("search_title") WHERE search_title is not null;--> statement-breakpoint
-- As for published titles.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "shown_pieces_title_trigrams" ON "shown_pieces" USING gin ("search_title" gin_trgm_ops) WHERE search_title is not null;
EXCEPTION WHEN others THEN
  RAISE NOTICE 'search of titles goes without pg_trgm: %', SQLERRM;
END $$;
--> statement-breakpoint
-- As its owner shows it, where that was changed.
CREATE OR REPLACE FUNCTION "piece_scopes"("its_name" text, "its_owner" text, "its_hash" text, "its_title" text, "its_presentation" jsonb, "is_remix" boolean) RETURNS text[] LANGUAGE sql STABLE AS $$
	SELECT CASE
		WHEN s."name" IS NOT NULL THEN "public"."wall_scopes"(s."presentation", "is_remix")
		WHEN "its_title" IS NOT NULL OR "its_presentation" IS NOT NULL THEN "public"."wall_scopes"("its_presentation", "is_remix")
		ELSE '{}'::text[]
	END
	FROM (VALUES (true)) AS one LEFT JOIN "public"."shown_pieces" s
		ON s."name" = "its_name" AND s."owner" = "its_owner" AND s."content_hash" = "its_hash"
$$;
--> statement-breakpoint
-- Moves a piece to the lists that have it as it is shown now.
CREATE FUNCTION "track_shown_pieces"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	piece record;
	known text[];
	listed text[];
	its_scope text;
BEGIN
	-- Turns are counted over what the indexer's transaction adds meanwhile, or before it adds that.
	LOCK TABLE "public"."wall_places" IN SHARE ROW EXCLUSIVE MODE;
	SELECT e.*, EXISTS (
		SELECT FROM "public"."entity_origins" o WHERE o."kind" = 'connector' AND o."name" = e."name"
	) AS "is_remix" INTO piece
	FROM "public"."entities" e
	WHERE e."kind" = 'connector' AND e."name" = CASE WHEN TG_OP = 'DELETE' THEN OLD."name" ELSE NEW."name" END;
	IF NOT FOUND THEN
		RETURN NULL;
	END IF;
	known := "public"."wall_scopes"(piece."presentation", true);
	IF TG_OP <> 'INSERT' THEN
		known := known || "public"."wall_scopes"(OLD."presentation", true);
	END IF;
	listed := "public"."piece_scopes"(
		piece."name", piece."owner", piece."content_hash", piece."title", piece."presentation", piece."is_remix"
	);
	DELETE FROM "public"."wall_places" WHERE "scope" = ANY(known) AND "name" = piece."name" AND "scope" <> ALL(listed);
	INSERT INTO "public"."wall_places"
	SELECT s."scope", piece."name", piece."owner", 10, piece."block_number", piece."tx_index", piece."log_index"
	FROM unnest(listed) s("scope")
	ON CONFLICT DO NOTHING;
	FOR its_scope IN SELECT DISTINCT s."scope" FROM unnest(known || listed) s("scope") LOOP
		PERFORM "public"."settle_wall_turns"(its_scope, piece."owner");
	END LOOP;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "wall_shown" AFTER INSERT OR UPDATE OR DELETE ON "shown_pieces"
FOR EACH ROW EXECUTE FUNCTION "track_shown_pieces"();
