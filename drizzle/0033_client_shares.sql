ALTER TABLE "users" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "world_previews" ADD COLUMN "network" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "world_reports" ADD COLUMN "network" text;--> statement-breakpoint
CREATE INDEX "users_network" ON "users" USING btree ("created_at","network") WHERE network is not null;--> statement-breakpoint
CREATE INDEX "world_reports_network" ON "world_reports" USING btree ("network","created_at") WHERE network is not null;
