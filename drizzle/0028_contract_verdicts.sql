CREATE TABLE "contract_verdicts" (
	"verifier" text NOT NULL,
	"contract" text NOT NULL,
	"address" text COLLATE "C" NOT NULL,
	"match" text NOT NULL,
	"words" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "contract_verdicts_verifier_contract_pk" PRIMARY KEY("verifier","contract")
);
