-- Stills that were stored before have no tile: they are served in their one size until they are taken anew.
ALTER TABLE "piece_stills" ADD COLUMN "tile" "bytea";
