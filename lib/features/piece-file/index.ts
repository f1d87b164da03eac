export { pieceFile } from './piece-file.ts'
export { fileHeaders } from './write-file.ts'
