import { serveApi } from '../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serveApi('chain', [])
