import { fileURLToPath } from 'node:url'

/** Folder of the stills of pieces, `<name>.webp`. */
export const STILLS = fileURLToPath(new URL('stills/', import.meta.url))
