DROP INDEX "feed_items_history";--> statement-breakpoint
CREATE INDEX "feed_items_type_history" ON "feed_items" USING btree ("event_type","history_cursor","feed_id");--> statement-breakpoint
CREATE INDEX "feed_outbox_removed" ON "feed_outbox" USING btree ("stream_seq") WHERE status = 'removed';--> statement-breakpoint
CREATE INDEX "feed_items_history" ON "feed_items" USING btree ("history_cursor","feed_id");