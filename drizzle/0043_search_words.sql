ALTER TABLE "entities" ADD COLUMN "search_words" text COLLATE "C";--> statement-breakpoint
-- As for titles. Rows of earlier publications get their words by `npm run reindex -- --replace`.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "entities_words_trigrams" ON "entities" USING gin ("search_words" gin_trgm_ops) WHERE search_words is not null;
EXCEPTION WHEN others THEN
  RAISE NOTICE 'search of descriptions goes without pg_trgm: %', SQLERRM;
END $$;
