export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from '../handle.ts'

export const dynamic = 'force-dynamic'
