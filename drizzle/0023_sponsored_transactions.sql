CREATE TABLE "sponsored_transactions" (
	"tx_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"sponsor" text COLLATE "C" NOT NULL,
	"nonce" bigint NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"client" text,
	"plan_hash" text COLLATE "C" NOT NULL,
	"status" text NOT NULL,
	"raw" text,
	"day" date NOT NULL,
	"reserved" numeric(78, 0) NOT NULL,
	"spent" numeric(78, 0),
	"publications" integer NOT NULL,
	"deadline" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sponsored_transactions_status" CHECK (status in ('pending', 'mined', 'reverted', 'dropped'))
);
--> statement-breakpoint
CREATE INDEX "sponsored_transactions_day" ON "sponsored_transactions" USING btree ("day");--> statement-breakpoint
CREATE INDEX "sponsored_transactions_owner" ON "sponsored_transactions" USING btree ("owner","created_at");