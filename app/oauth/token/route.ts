export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from '../../oauth/handle.ts'

export const dynamic = 'force-dynamic'
