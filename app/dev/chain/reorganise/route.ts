export { POST } from '../handle.ts'

export const dynamic = 'force-dynamic'
