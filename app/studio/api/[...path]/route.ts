import { studioOperations } from '#lib/server/operations/studio/index.ts'
import { serveApi } from '../../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serveApi('studio', studioOperations)
