CREATE TABLE "entity_references" (
	"kind" text NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"connector" text COLLATE "C" NOT NULL,
	"uses" integer NOT NULL,
	CONSTRAINT "entity_references_kind_name_connector_pk" PRIMARY KEY("kind","name","connector"),
	CONSTRAINT "entity_references_kind" CHECK (kind in ('connector', 'transformation', 'condition'))
);
--> statement-breakpoint
CREATE INDEX "entity_references_connector" ON "entity_references" USING btree ("connector");--> statement-breakpoint
CREATE INDEX "entities_owner_newest" ON "entities" USING btree ("owner","block_number","tx_index","log_index");--> statement-breakpoint
INSERT INTO "entity_references" ("kind", "name", "connector", "uses")
SELECT used->>'kind', used->>'name', e.name, count(*)::int
FROM "entities" e JOIN "artifacts" a ON a.content_hash = e.artifact_hash
CROSS JOIN LATERAL jsonb_array_elements(a.body->'dependencies') AS used
WHERE e.kind = 'connector' GROUP BY 1, 2, 3;
