CREATE TABLE "leaf_names" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "artifacts" ADD COLUMN "leaves" "bytea";--> statement-breakpoint
ALTER TABLE "formats" ADD COLUMN "scalars_count" integer;--> statement-breakpoint
INSERT INTO "leaf_names" ("key", "name")
SELECT DISTINCT substr(sha256(convert_to(leaf->>'connector', 'UTF8')), 1, 16), leaf->>'connector'
FROM "artifacts" CROSS JOIN LATERAL jsonb_array_elements("body"->'leaves') AS leaf
WHERE "kind" = 'connector';--> statement-breakpoint
-- The leaves stay in the bodies, where the release before reads them.
UPDATE "artifacts" SET
	"body" = "body" || jsonb_build_object('leafCount', jsonb_array_length("body"->'leaves')),
	"leaves" = (
		SELECT string_agg(
			substr(sha256(convert_to(leaf->>'connector', 'UTF8')), 1, 16)
				|| int2send((leaf->>'dimension')::smallint) || int2send(1::smallint), '' ORDER BY place)
		FROM jsonb_array_elements("body"->'leaves') WITH ORDINALITY AS leaves(leaf, place))
WHERE "kind" = 'connector' AND "body" ? 'leaves';
