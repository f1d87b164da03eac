import { servicesAdditions } from '#lib/server/operations/services/index.ts'
import { serveApi } from '../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serveApi('services', servicesAdditions)
