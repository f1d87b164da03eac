ALTER TABLE "piece_stills" ADD COLUMN "unpublished_since" timestamp with time zone;
--> statement-breakpoint
-- Holds off other writers of the walls of these accounts until the transaction ends: turns of an account are counted over
-- what others add meanwhile, or before they add it. A lock stands for a 64th of all accounts, since a batch may have more
-- accounts than the server has locks.
CREATE FUNCTION "lock_walls"("owners" text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_advisory_xact_lock(hashtext('wall_places'), buckets."bucket")
	FROM (SELECT DISTINCT hashtext(o."owner") & 63 AS "bucket" FROM unnest("owners") o("owner") ORDER BY 1) buckets;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "track_wall"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	touched record;
BEGIN
	IF TG_OP = 'TRUNCATE' THEN
		DELETE FROM "public"."wall_places";
		RETURN NULL;
	END IF;
	-- All of them at once, in one order: two updates that move names in opposite directions wait, and block each other never.
	IF TG_OP = 'DELETE' THEN
		PERFORM "public"."lock_walls"(ARRAY(SELECT "owner" FROM old_rows WHERE "kind" = 'connector'));
	ELSIF TG_OP = 'INSERT' THEN
		PERFORM "public"."lock_walls"(ARRAY(SELECT "owner" FROM new_rows WHERE "kind" = 'connector'));
	ELSE
		PERFORM "public"."lock_walls"(ARRAY(
			SELECT "owner" FROM old_rows WHERE "kind" = 'connector'
			UNION SELECT "owner" FROM new_rows WHERE "kind" = 'connector'
		));
	END IF;
	IF TG_OP IN ('DELETE', 'UPDATE') THEN
		FOR touched IN
			WITH gone AS (
				DELETE FROM "public"."wall_places" w
				USING old_rows o CROSS JOIN LATERAL unnest("public"."piece_scopes"(
					o."name", o."owner", o."content_hash", o."title", o."presentation", true
				)) s("scope")
				WHERE o."kind" = 'connector' AND w."scope" = s."scope" AND w."name" = o."name"
				RETURNING w."scope", w."owner"
			)
			SELECT DISTINCT "scope", "owner" FROM gone
		LOOP
			PERFORM "public"."settle_wall_turns"(touched."scope", touched."owner");
		END LOOP;
	END IF;
	IF TG_OP IN ('INSERT', 'UPDATE') THEN
		FOR touched IN
			WITH added AS (
				INSERT INTO "public"."wall_places"
				SELECT s."scope", n."name", n."owner", 10, n."block_number", n."tx_index", n."log_index"
				FROM new_rows n CROSS JOIN LATERAL unnest("public"."piece_scopes"(
					n."name", n."owner", n."content_hash", n."title", n."presentation", EXISTS (
						SELECT FROM "public"."entity_origins" o WHERE o."kind" = 'connector' AND o."name" = n."name"
					)
				)) s("scope")
				WHERE n."kind" = 'connector'
				ON CONFLICT DO NOTHING
				RETURNING "scope", "owner"
			)
			SELECT DISTINCT "scope", "owner" FROM added
		LOOP
			PERFORM "public"."settle_wall_turns"(touched."scope", touched."owner");
		END LOOP;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "track_wall_remixes"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	touched record;
BEGIN
	IF TG_OP = 'TRUNCATE' THEN
		DELETE FROM "public"."wall_places" WHERE "scope" LIKE 'remix%';
		RETURN NULL;
	END IF;
	IF TG_OP = 'DELETE' THEN
		PERFORM "public"."lock_walls"(ARRAY(
			SELECT e."owner" FROM old_rows o
			JOIN "public"."entities" e ON e."kind" = 'connector' AND e."name" = o."name" WHERE o."kind" = 'connector'
		));
		FOR touched IN
			WITH gone AS (
				DELETE FROM "public"."wall_places" w
				USING (SELECT DISTINCT "name" FROM old_rows WHERE "kind" = 'connector') o
				JOIN "public"."entities" e ON e."kind" = 'connector' AND e."name" = o."name"
				CROSS JOIN LATERAL unnest("public"."piece_scopes"(
					e."name", e."owner", e."content_hash", e."title", e."presentation", true
				)) s("scope")
				WHERE s."scope" LIKE 'remix%' AND w."scope" = s."scope" AND w."name" = o."name"
				RETURNING w."scope", w."owner"
			)
			SELECT DISTINCT "scope", "owner" FROM gone
		LOOP
			PERFORM "public"."settle_wall_turns"(touched."scope", touched."owner");
		END LOOP;
		RETURN NULL;
	END IF;
	PERFORM "public"."lock_walls"(ARRAY(
		SELECT e."owner" FROM new_rows o
		JOIN "public"."entities" e ON e."kind" = 'connector' AND e."name" = o."name" WHERE o."kind" = 'connector'
	));
	FOR touched IN
		WITH added AS (
			INSERT INTO "public"."wall_places"
			SELECT s."scope", e."name", e."owner", 10, e."block_number", e."tx_index", e."log_index"
			FROM (SELECT DISTINCT "name" FROM new_rows WHERE "kind" = 'connector') o
			JOIN "public"."entities" e ON e."kind" = 'connector' AND e."name" = o."name"
			CROSS JOIN LATERAL unnest("public"."piece_scopes"(
				e."name", e."owner", e."content_hash", e."title", e."presentation", true
			)) s("scope")
			WHERE s."scope" LIKE 'remix%'
			ON CONFLICT DO NOTHING
			RETURNING "scope", "owner"
		)
		SELECT DISTINCT "scope", "owner" FROM added
	LOOP
		PERFORM "public"."settle_wall_turns"(touched."scope", touched."owner");
	END LOOP;
	RETURN NULL;
END $$;
--> statement-breakpoint
-- In place of a lock on the whole table, which waited for a batch of the indexer.
CREATE OR REPLACE FUNCTION "track_shown_pieces"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	piece record;
	known text[];
	listed text[];
	its_scope text;
	locked text := CASE WHEN TG_OP = 'DELETE' THEN OLD."owner" ELSE NEW."owner" END;
BEGIN
	PERFORM "public"."lock_walls"(ARRAY[locked]);
	-- Until the walls of its owner are locked: the name may have gone to another account.
	LOOP
		SELECT e.*, EXISTS (
			SELECT FROM "public"."entity_origins" o WHERE o."kind" = 'connector' AND o."name" = e."name"
		) AS "is_remix" INTO piece
		FROM "public"."entities" e
		WHERE e."kind" = 'connector' AND e."name" = CASE WHEN TG_OP = 'DELETE' THEN OLD."name" ELSE NEW."name" END;
		IF NOT FOUND THEN
			RETURN NULL;
		END IF;
		EXIT WHEN piece."owner" = locked;
		locked := piece."owner";
		PERFORM "public"."lock_walls"(ARRAY[locked]);
	END LOOP;
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
