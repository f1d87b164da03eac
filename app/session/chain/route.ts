export { DELETE, GET, PATCH, POST, PUT } from '../handle.ts'

export const dynamic = 'force-dynamic'
