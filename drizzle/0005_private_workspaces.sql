CREATE TABLE "workspace_versions" (
	"owner" text COLLATE "C" NOT NULL,
	"workspace_id" text COLLATE "C" NOT NULL,
	"revision" integer NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	"document" text NOT NULL,
	"marks" text NOT NULL,
	"size" integer NOT NULL,
	CONSTRAINT "workspace_versions_owner_workspace_id_revision_pk" PRIMARY KEY("owner","workspace_id","revision")
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"owner" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"name" text NOT NULL,
	"revision" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "workspaces_owner_id_pk" PRIMARY KEY("owner","id"),
	CONSTRAINT "workspaces_revision" CHECK (revision > 0)
);
--> statement-breakpoint
ALTER TABLE "workspace_versions" ADD CONSTRAINT "workspace_versions_workspace" FOREIGN KEY ("owner","workspace_id") REFERENCES "public"."workspaces"("owner","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_owner_users_address_fk" FOREIGN KEY ("owner") REFERENCES "public"."users"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "workspaces_deleted" ON "workspaces" USING btree ("deleted_at") WHERE deleted_at is not null;