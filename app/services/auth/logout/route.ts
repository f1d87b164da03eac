import { postLogout } from '#lib/server/operations/services/users.ts'
import { serve } from '../../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serve(postLogout)
