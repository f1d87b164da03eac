ALTER TABLE "users" ADD COLUMN "search_text" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "feed_items_owner" ON "feed_items" USING btree ("owner","history_cursor","feed_id");--> statement-breakpoint
CREATE INDEX "accounts_most" ON "accounts" USING btree ("published" DESC NULLS FIRST,"address");--> statement-breakpoint
CREATE INDEX "entities_search" ON "entities" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "formats_most" ON "formats" USING btree ("connectors" DESC NULLS FIRST,"format_hash");--> statement-breakpoint
-- Names as far as the database can read them: profiles are free text that need not be.
DO $$
DECLARE person record;
BEGIN
  FOR person IN SELECT "address", "display_name", "profile" FROM "users" WHERE "status" = 'active' LOOP
    BEGIN
      UPDATE "users" SET "search_text" =
        concat_ws(E'\n', person."display_name", person."profile"::json #>> '{public,nickname}')
      WHERE "address" = person."address";
    EXCEPTION WHEN others THEN
      UPDATE "users" SET "search_text" = coalesce(person."display_name", '')
      WHERE "address" = person."address";
    END;
  END LOOP;
END $$;--> statement-breakpoint
-- Without this extension, which some servers do not have or do not give, search finds no misspelled names and reads
-- more rows: a reason to do without it, not to stop.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "entities_trigrams" ON "entities" USING gin ("name" gin_trgm_ops);
  CREATE INDEX "users_trigrams" ON "users" USING gin ("search_text" gin_trgm_ops);
  CREATE INDEX "worlds_trigrams" ON "worlds" USING gin ("search_text" gin_trgm_ops);
  CREATE INDEX "formats_trigrams" ON "formats" USING gin (("scalars"::text) gin_trgm_ops);
EXCEPTION WHEN others THEN
  RAISE NOTICE 'search goes without pg_trgm: %', SQLERRM;
END $$;
