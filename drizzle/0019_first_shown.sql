CREATE TABLE "hidden_entities" (
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	CONSTRAINT "hidden_entities_kind_name_pk" PRIMARY KEY("kind","name"),
	CONSTRAINT "hidden_entities_kind" CHECK (kind in ('connector', 'transformation', 'condition'))
);
--> statement-breakpoint
CREATE TABLE "moderation_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "moderation_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"hidden" boolean NOT NULL,
	"operator" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "moderation_log_kind" CHECK (kind in ('connector', 'transformation', 'condition'))
);
--> statement-breakpoint
CREATE TABLE "newest_of_owners" (
	"scope" text COLLATE "C" NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"block_number" bigint NOT NULL,
	"tx_index" integer NOT NULL,
	"log_index" integer NOT NULL,
	CONSTRAINT "newest_of_owners_scope_owner_pk" PRIMARY KEY("scope","owner")
);
--> statement-breakpoint
CREATE INDEX "moderation_log_entity" ON "moderation_log" USING btree ("kind","name","id");--> statement-breakpoint
CREATE INDEX "newest_of_owners_newest" ON "newest_of_owners" USING btree ("scope","block_number","tx_index","log_index");--> statement-breakpoint
CREATE INDEX "users_named" ON "users" USING btree (lower(split_part("search_text", chr(10), 1)),"address") WHERE status = 'active' and search_text <> '';--> statement-breakpoint
CREATE INDEX "entities_owner_kind_newest" ON "entities" USING btree ("owner","kind","block_number","tx_index","log_index");--> statement-breakpoint
-- Kept by the database itself, so that the release before, which knows nothing of it, keeps it too.
CREATE FUNCTION "track_newest_of_owners"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	stale record;
BEGIN
	IF TG_OP = 'TRUNCATE' THEN
		DELETE FROM "public"."newest_of_owners";
	END IF;
	IF TG_OP IN ('DELETE', 'UPDATE') THEN
		FOR stale IN
			SELECT DISTINCT n."scope", n."owner", o."kind"
			FROM old_rows o
			JOIN "public"."newest_of_owners" n
				ON n."owner" = o."owner" AND n."name" = o."name" AND n."scope" IN (o."kind", o."format_hash")
		LOOP
			DELETE FROM "public"."newest_of_owners"
			WHERE "scope" = stale."scope" AND "owner" = stale."owner";
			INSERT INTO "public"."newest_of_owners"
			SELECT stale."scope", e."owner", e."name", e."block_number", e."tx_index", e."log_index"
			FROM "public"."entities" e
			WHERE e."owner" = stale."owner" AND e."kind" = stale."kind"
				AND (stale."scope" = stale."kind" OR e."format_hash" = stale."scope")
			ORDER BY e."block_number" DESC, e."tx_index" DESC, e."log_index" DESC LIMIT 1;
		END LOOP;
	END IF;
	IF TG_OP IN ('INSERT', 'UPDATE') THEN
		INSERT INTO "public"."newest_of_owners" AS t
		SELECT DISTINCT ON (s."scope", n."owner")
			s."scope", n."owner", n."name", n."block_number", n."tx_index", n."log_index"
		FROM new_rows n CROSS JOIN LATERAL unnest(ARRAY[n."kind", n."format_hash"]) s("scope")
		WHERE s."scope" IS NOT NULL
		ORDER BY s."scope", n."owner", n."block_number" DESC, n."tx_index" DESC, n."log_index" DESC
		ON CONFLICT ("scope", "owner") DO UPDATE SET
			"name" = excluded."name", "block_number" = excluded."block_number",
			"tx_index" = excluded."tx_index", "log_index" = excluded."log_index"
		WHERE (t."block_number", t."tx_index", t."log_index")
			<= (excluded."block_number", excluded."tx_index", excluded."log_index");
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "newest_insert" AFTER INSERT ON "entities" REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION "track_newest_of_owners"();
--> statement-breakpoint
CREATE TRIGGER "newest_update" AFTER UPDATE ON "entities" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION "track_newest_of_owners"();
--> statement-breakpoint
CREATE TRIGGER "newest_delete" AFTER DELETE ON "entities" REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION "track_newest_of_owners"();
--> statement-breakpoint
CREATE TRIGGER "newest_truncate" AFTER TRUNCATE ON "entities"
FOR EACH STATEMENT EXECUTE FUNCTION "track_newest_of_owners"();
--> statement-breakpoint
-- The triggers above hold writers off until this is committed, so that nothing comes in between.
INSERT INTO "newest_of_owners"
SELECT DISTINCT ON (s."scope", e."owner")
	s."scope", e."owner", e."name", e."block_number", e."tx_index", e."log_index"
FROM "entities" e CROSS JOIN LATERAL unnest(ARRAY[e."kind", e."format_hash"]) s("scope")
WHERE s."scope" IS NOT NULL
ORDER BY s."scope", e."owner", e."block_number" DESC, e."tx_index" DESC, e."log_index" DESC;
