ALTER TABLE "entities" ADD COLUMN "title" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "entities" ADD COLUMN "search_title" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "entities" ADD COLUMN "presentation" jsonb;--> statement-breakpoint
CREATE INDEX "entities_title" ON "entities" USING btree ("search_title") WHERE search_title is not null;--> statement-breakpoint
-- As for names: without this extension search reads more titles, and finds no misspelled ones.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "entities_title_trigrams" ON "entities" USING gin ("search_title" gin_trgm_ops) WHERE search_title is not null;
EXCEPTION WHEN others THEN
  RAISE NOTICE 'search of titles goes without pg_trgm: %', SQLERRM;
END $$;
