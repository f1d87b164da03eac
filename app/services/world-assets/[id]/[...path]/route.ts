import { servicesRoute } from '../../../handle.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = servicesRoute('/world-assets/{id}/{path}')
