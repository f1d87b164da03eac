export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT } from '../handle.ts'

export const dynamic = 'force-dynamic'
