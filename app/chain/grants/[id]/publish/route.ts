import { chainRoute } from '../../../handle.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = chainRoute('/grants/{id}/publish')
