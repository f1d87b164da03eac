CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"actor" text NOT NULL,
	"act" text NOT NULL,
	"subject" text NOT NULL,
	"reason" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("subject","id");--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at");--> statement-breakpoint
-- The table moderation_log stays for the release before, and is unused since 0034.
INSERT INTO "audit_log" ("at", "actor", "act", "subject", "reason")
SELECT "created_at", "operator", CASE WHEN "hidden" THEN 'hide_entity' ELSE 'show_entity' END, "kind" || '/' || "name", "reason"
FROM "moderation_log" ORDER BY "id";
