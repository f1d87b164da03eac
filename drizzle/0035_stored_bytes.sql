CREATE TABLE "stored_bytes" (
	"day" date NOT NULL,
	"share" text COLLATE "C" NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "stored_bytes_day_share_pk" PRIMARY KEY("day","share")
);
