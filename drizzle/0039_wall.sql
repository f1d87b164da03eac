CREATE TABLE "wall_places" (
	"scope" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"turn" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"tx_index" integer NOT NULL,
	"log_index" integer NOT NULL,
	CONSTRAINT "wall_places_scope_name_pk" PRIMARY KEY("scope","name")
);
--> statement-breakpoint
CREATE INDEX "wall_places_order" ON "wall_places" USING btree ("scope","turn","block_number","tx_index","log_index");--> statement-breakpoint
CREATE INDEX "wall_places_owner" ON "wall_places" USING btree ("scope","owner","turn","block_number","tx_index","log_index");--> statement-breakpoint
-- The lists that have a piece. Kept by the database itself, so that the release before, which knows nothing of it, keeps it too.
CREATE FUNCTION "wall_scopes"("presentation" jsonb, "is_remix" boolean) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
	SELECT array_remove(ARRAY[
		'all',
		'world ' || ("presentation" -> 'world' ->> 'bundle_hash'),
		CASE WHEN "is_remix" THEN 'remix' END,
		CASE WHEN "is_remix" THEN 'remix world ' || ("presentation" -> 'world' ->> 'bundle_hash') END
	], NULL)
$$;
--> statement-breakpoint
-- Turns of an owner's pieces in a list. At most 20 rows are read: those in turn, and the newest of the others.
CREATE FUNCTION "settle_wall_turns"("its_scope" text, "its_owner" text) RETURNS void LANGUAGE sql AS $$
	UPDATE "public"."wall_places" w SET "turn" = ranked."turn"
	FROM (
		SELECT "name", least(10, row_number() OVER (ORDER BY "block_number" DESC, "tx_index" DESC, "log_index" DESC) - 1)::integer AS "turn"
		FROM (
			(SELECT "name", "block_number", "tx_index", "log_index" FROM "public"."wall_places"
				WHERE "scope" = "its_scope" AND "owner" = "its_owner" AND "turn" < 10)
			UNION ALL
			(SELECT "name", "block_number", "tx_index", "log_index" FROM "public"."wall_places"
				WHERE "scope" = "its_scope" AND "owner" = "its_owner" AND "turn" = 10
				ORDER BY "block_number" DESC, "tx_index" DESC, "log_index" DESC LIMIT 10)
		) candidates
	) ranked
	WHERE w."scope" = "its_scope" AND w."name" = ranked."name" AND w."turn" <> ranked."turn"
$$;
--> statement-breakpoint
-- The lists that have a connector; none for a part.
CREATE FUNCTION "piece_scopes"("its_name" text, "its_owner" text, "its_hash" text, "its_title" text, "its_presentation" jsonb, "is_remix" boolean) RETURNS text[] LANGUAGE sql STABLE AS $$
	SELECT CASE
		WHEN "its_title" IS NOT NULL OR "its_presentation" IS NOT NULL THEN "public"."wall_scopes"("its_presentation", "is_remix")
		ELSE '{}'::text[]
	END
$$;
--> statement-breakpoint
CREATE FUNCTION "track_wall"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	touched record;
BEGIN
	IF TG_OP = 'TRUNCATE' THEN
		DELETE FROM "public"."wall_places";
		RETURN NULL;
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
-- Origins are stored after the entities that name them, and deleted apart from them.
CREATE FUNCTION "track_wall_remixes"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	touched record;
BEGIN
	IF TG_OP = 'TRUNCATE' THEN
		DELETE FROM "public"."wall_places" WHERE "scope" LIKE 'remix%';
		RETURN NULL;
	END IF;
	IF TG_OP = 'DELETE' THEN
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
CREATE TRIGGER "wall_insert" AFTER INSERT ON "entities" REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION "track_wall"();
--> statement-breakpoint
CREATE TRIGGER "wall_update" AFTER UPDATE ON "entities" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION "track_wall"();
--> statement-breakpoint
CREATE TRIGGER "wall_delete" AFTER DELETE ON "entities" REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION "track_wall"();
--> statement-breakpoint
CREATE TRIGGER "wall_truncate" AFTER TRUNCATE ON "entities"
FOR EACH STATEMENT EXECUTE FUNCTION "track_wall"();
--> statement-breakpoint
CREATE TRIGGER "wall_remixes_insert" AFTER INSERT ON "entity_origins" REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION "track_wall_remixes"();
--> statement-breakpoint
CREATE TRIGGER "wall_remixes_delete" AFTER DELETE ON "entity_origins" REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION "track_wall_remixes"();
--> statement-breakpoint
CREATE TRIGGER "wall_remixes_truncate" AFTER TRUNCATE ON "entity_origins"
FOR EACH STATEMENT EXECUTE FUNCTION "track_wall_remixes"();
--> statement-breakpoint
-- The triggers above hold writers off until this is committed, so that nothing comes in between.
INSERT INTO "wall_places"
SELECT s."scope", e."name", e."owner", least(10, row_number() OVER (
	PARTITION BY s."scope", e."owner" ORDER BY e."block_number" DESC, e."tx_index" DESC, e."log_index" DESC
) - 1), e."block_number", e."tx_index", e."log_index"
FROM "entities" e CROSS JOIN LATERAL unnest("piece_scopes"(
	e."name", e."owner", e."content_hash", e."title", e."presentation", EXISTS (
		SELECT FROM "entity_origins" o WHERE o."kind" = 'connector' AND o."name" = e."name"
	)
)) s("scope")
WHERE e."kind" = 'connector';
