export { fileResponse } from './file-response.ts'
export { pieceFile } from './piece-file.ts'
