CREATE TABLE "entity_uses" (
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"used_by" integer NOT NULL,
	"format_hash" text COLLATE "C",
	CONSTRAINT "entity_uses_kind_name_pk" PRIMARY KEY("kind","name")
);
--> statement-breakpoint
CREATE TABLE "network_totals" (
	"counted" text PRIMARY KEY NOT NULL,
	"total" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "owner_totals" (
	"owner" text COLLATE "C" NOT NULL,
	"kind" text NOT NULL,
	"published" integer NOT NULL,
	CONSTRAINT "owner_totals_owner_kind_pk" PRIMARY KEY("owner","kind")
);
--> statement-breakpoint
CREATE INDEX "entity_uses_most" ON "entity_uses" USING btree ("used_by" DESC NULLS FIRST,"name","kind");--> statement-breakpoint
CREATE INDEX "entity_uses_kind" ON "entity_uses" USING btree ("kind","used_by" DESC NULLS FIRST,"name");--> statement-breakpoint
CREATE INDEX "entity_uses_format" ON "entity_uses" USING btree ("format_hash","used_by" DESC NULLS FIRST,"name");--> statement-breakpoint
CREATE INDEX "feed_items_unsettled" ON "feed_items" USING btree ("status","history_cursor","feed_id") WHERE status <> 'finalized';--> statement-breakpoint
CREATE INDEX "users_active" ON "users" USING btree ("address") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "publications_owner" ON "publications" USING btree ("owner","updated_at");--> statement-breakpoint
CREATE INDEX "entities_kind_newest" ON "entities" USING btree ("kind","block_number","tx_index","log_index");--> statement-breakpoint
CREATE INDEX "entities_format_newest" ON "entities" USING btree ("format_hash","block_number","tx_index","log_index");--> statement-breakpoint
CREATE INDEX "worlds_created" ON "worlds" USING btree ("created_at" DESC NULLS FIRST,"id") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "worlds_named" ON "worlds" USING btree ((split_part("search_text", E'
', 1) collate "C"),"id") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "worlds_pictured" ON "worlds" USING btree ("created_at","id") WHERE status = 'active' and surfaces @> '{world-page}' and manifest ? 'preview';--> statement-breakpoint
CREATE INDEX "worlds_permissions" ON "worlds" USING gin ("permissions") WHERE status = 'active';--> statement-breakpoint
-- Kept by the database itself, so that the release before, which knows nothing of it, keeps it too.
CREATE FUNCTION "tally_entities"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'TRUNCATE' THEN
		DELETE FROM "public"."owner_totals";
		UPDATE "public"."network_totals" SET "total" = 0
		WHERE "counted" IN ('connector', 'transformation', 'condition');
	END IF;
	IF TG_OP IN ('DELETE', 'UPDATE') THEN
		UPDATE "public"."owner_totals" t SET "published" = t."published" - gone."rows"
		FROM (SELECT "owner", "kind", count(*)::integer AS "rows" FROM old_rows GROUP BY 1, 2) gone
		WHERE t."owner" = gone."owner" AND t."kind" = gone."kind";
		UPDATE "public"."network_totals" t SET "total" = t."total" - gone."rows"
		FROM (SELECT "kind", count(*) AS "rows" FROM old_rows GROUP BY 1) gone
		WHERE t."counted" = gone."kind";
	END IF;
	IF TG_OP IN ('INSERT', 'UPDATE') THEN
		INSERT INTO "public"."owner_totals" AS t ("owner", "kind", "published")
		SELECT "owner", "kind", count(*) FROM new_rows GROUP BY 1, 2
		ON CONFLICT ("owner", "kind") DO UPDATE SET "published" = t."published" + excluded."published";
		INSERT INTO "public"."network_totals" AS t ("counted", "total")
		SELECT "kind", count(*) FROM new_rows GROUP BY 1
		ON CONFLICT ("counted") DO UPDATE SET "total" = t."total" + excluded."total";
		-- What was named before it came back: repairs put rows in place of wrong ones.
		UPDATE "public"."entity_uses" u SET "format_hash" = n."format_hash"
		FROM new_rows n
		WHERE u."kind" = n."kind" AND u."name" = n."name" AND u."format_hash" IS DISTINCT FROM n."format_hash";
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "tally_insert" AFTER INSERT ON "entities" REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION "tally_entities"();
--> statement-breakpoint
CREATE TRIGGER "tally_update" AFTER UPDATE ON "entities" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION "tally_entities"();
--> statement-breakpoint
CREATE TRIGGER "tally_delete" AFTER DELETE ON "entities" REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION "tally_entities"();
--> statement-breakpoint
CREATE TRIGGER "tally_truncate" AFTER TRUNCATE ON "entities"
FOR EACH STATEMENT EXECUTE FUNCTION "tally_entities"();
--> statement-breakpoint
CREATE FUNCTION "tally_references"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'TRUNCATE' THEN
		DELETE FROM "public"."entity_uses";
	ELSIF TG_OP = 'DELETE' THEN
		UPDATE "public"."entity_uses" u SET "used_by" = u."used_by" - gone."rows"
		FROM (SELECT "kind", "name", count(*)::integer AS "rows" FROM old_rows GROUP BY 1, 2) gone
		WHERE u."kind" = gone."kind" AND u."name" = gone."name";
	ELSE
		INSERT INTO "public"."entity_uses" AS u ("kind", "name", "used_by", "format_hash")
		SELECT n."kind", n."name", n."rows", e."format_hash"
		FROM (SELECT "kind", "name", count(*) AS "rows" FROM new_rows GROUP BY 1, 2) n
		LEFT JOIN "public"."entities" e ON e."kind" = n."kind" AND e."name" = n."name"
		ON CONFLICT ("kind", "name") DO UPDATE SET "used_by" = u."used_by" + excluded."used_by";
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "tally_insert" AFTER INSERT ON "entity_references" REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION "tally_references"();
--> statement-breakpoint
CREATE TRIGGER "tally_delete" AFTER DELETE ON "entity_references" REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION "tally_references"();
--> statement-breakpoint
CREATE TRIGGER "tally_truncate" AFTER TRUNCATE ON "entity_references"
FOR EACH STATEMENT EXECUTE FUNCTION "tally_references"();
--> statement-breakpoint
CREATE FUNCTION "tally_rows"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'TRUNCATE' THEN
		UPDATE "public"."network_totals" SET "total" = 0 WHERE "counted" = TG_ARGV[0];
	ELSIF TG_OP = 'DELETE' THEN
		UPDATE "public"."network_totals" SET "total" = "total" - (SELECT count(*) FROM old_rows)
		WHERE "counted" = TG_ARGV[0] AND EXISTS (SELECT FROM old_rows);
	ELSE
		INSERT INTO "public"."network_totals" AS t ("counted", "total")
		SELECT TG_ARGV[0], count(*) FROM new_rows HAVING count(*) > 0
		ON CONFLICT ("counted") DO UPDATE SET "total" = t."total" + excluded."total";
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "tally_insert" AFTER INSERT ON "accounts" REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION "tally_rows"('account');
--> statement-breakpoint
CREATE TRIGGER "tally_delete" AFTER DELETE ON "accounts" REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION "tally_rows"('account');
--> statement-breakpoint
CREATE TRIGGER "tally_truncate" AFTER TRUNCATE ON "accounts"
FOR EACH STATEMENT EXECUTE FUNCTION "tally_rows"('account');
--> statement-breakpoint
CREATE TRIGGER "tally_insert" AFTER INSERT ON "formats" REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION "tally_rows"('format');
--> statement-breakpoint
CREATE TRIGGER "tally_delete" AFTER DELETE ON "formats" REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION "tally_rows"('format');
--> statement-breakpoint
CREATE TRIGGER "tally_truncate" AFTER TRUNCATE ON "formats"
FOR EACH STATEMENT EXECUTE FUNCTION "tally_rows"('format');
--> statement-breakpoint
-- The triggers above hold writers off until this is committed, so that nothing comes in between.
INSERT INTO "network_totals" ("counted", "total")
SELECT "kind", count(*) FROM "entities" GROUP BY "kind"
UNION ALL SELECT 'account', count(*) FROM "accounts"
UNION ALL SELECT 'format', count(*) FROM "formats";
--> statement-breakpoint
INSERT INTO "owner_totals" ("owner", "kind", "published")
SELECT "owner", "kind", count(*) FROM "entities" GROUP BY "owner", "kind";
--> statement-breakpoint
INSERT INTO "entity_uses" ("kind", "name", "used_by", "format_hash")
SELECT r."kind", r."name", r."rows", e."format_hash"
FROM (SELECT "kind", "name", count(*) AS "rows" FROM "entity_references" GROUP BY "kind", "name") r
LEFT JOIN "entities" e ON e."kind" = r."kind" AND e."name" = r."name";
--> statement-breakpoint
-- As for search: where there is no pg_trgm, the gallery reads more rows to find the Worlds of a format.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "worlds_formats" ON "worlds" USING gin (lower("manifest" ->> 'acceptedFormatHashes') gin_trgm_ops);
EXCEPTION WHEN others THEN
  RAISE NOTICE 'the gallery goes without pg_trgm: %', SQLERRM;
END $$;
