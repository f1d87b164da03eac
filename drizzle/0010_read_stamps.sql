CREATE TABLE "read_stamps" (
	"scope" text NOT NULL,
	"shard" integer NOT NULL,
	"stamp" uuid NOT NULL,
	CONSTRAINT "read_stamps_scope_shard_pk" PRIMARY KEY("scope","shard")
);
--> statement-breakpoint
-- The setting is the transaction's own: only its first change of a scope writes.
CREATE FUNCTION "stamp_reads"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "public"."read_stamps" ("scope", "shard", "stamp")
	VALUES (TG_ARGV[0], pg_backend_pid() % 8, gen_random_uuid())
	ON CONFLICT ("scope", "shard") DO UPDATE SET "stamp" = excluded."stamp";
	PERFORM set_config('weft.stamped_' || TG_ARGV[0], pg_current_xact_id()::text, true);
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "stamp_reads" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "drafts" FOR EACH STATEMENT
WHEN (current_setting('weft.stamped_drafts', true) IS DISTINCT FROM pg_current_xact_id()::text)
EXECUTE FUNCTION "stamp_reads"('drafts');
--> statement-breakpoint
CREATE TRIGGER "stamp_reads" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "entities" FOR EACH STATEMENT
WHEN (current_setting('weft.stamped_entities', true) IS DISTINCT FROM pg_current_xact_id()::text)
EXECUTE FUNCTION "stamp_reads"('entities');
--> statement-breakpoint
CREATE TRIGGER "stamp_reads" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "accounts" FOR EACH STATEMENT
WHEN (current_setting('weft.stamped_entities', true) IS DISTINCT FROM pg_current_xact_id()::text)
EXECUTE FUNCTION "stamp_reads"('entities');
--> statement-breakpoint
CREATE TRIGGER "stamp_reads" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "formats" FOR EACH STATEMENT
WHEN (current_setting('weft.stamped_entities', true) IS DISTINCT FROM pg_current_xact_id()::text)
EXECUTE FUNCTION "stamp_reads"('entities');
--> statement-breakpoint
CREATE TRIGGER "stamp_reads" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "feed_items" FOR EACH STATEMENT
WHEN (current_setting('weft.stamped_feed', true) IS DISTINCT FROM pg_current_xact_id()::text)
EXECUTE FUNCTION "stamp_reads"('feed');
--> statement-breakpoint
CREATE TRIGGER "stamp_reads" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "feed_outbox" FOR EACH STATEMENT
WHEN (current_setting('weft.stamped_feed', true) IS DISTINCT FROM pg_current_xact_id()::text)
EXECUTE FUNCTION "stamp_reads"('feed');
--> statement-breakpoint
-- New artifacts are read by nothing yet.
CREATE TRIGGER "stamp_reads" AFTER UPDATE OR DELETE OR TRUNCATE ON "artifacts" FOR EACH STATEMENT
WHEN (current_setting('weft.stamped_entities', true) IS DISTINCT FROM pg_current_xact_id()::text)
EXECUTE FUNCTION "stamp_reads"('entities');
